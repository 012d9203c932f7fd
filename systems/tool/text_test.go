package tool_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

type motley struct {
	Owner systems.GameObject
	Wide  float64
	Big   [2]uint64
	Long  int64
	Whole int32
	Some  uint32
	Mass  [3]float32
	Half  float16.Float16
	Short [3]int16
	Inner [2]struct{ A, B uint8 }
	On    bool
	Tiny  [7]int8
}

func isNaN(f *layout.FieldSpec, value []byte) bool {
	for _, p := range f.Parts {
		b := p.Bytes(value)
		for ; len(b) > 0; b = b[p.Size():] {
			switch p.Type {
			case "float16":
				x := binary.LittleEndian.Uint16(b)
				if x&0x7c00 == 0x7c00 && x&0x3ff != 0 {
					return true
				}
			case "float32":
				x := binary.LittleEndian.Uint32(b)
				if x&0x7f800000 == 0x7f800000 && x&0x7fffff != 0 {
					return true
				}
			case "float64":
				x := binary.LittleEndian.Uint64(b)
				if x&(0x7ff<<52) == 0x7ff<<52 && x&(1<<52-1) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestParsedTextIsTheValue: random values of all elements, and of parts with odd names.
func TestParsedTextIsTheValue(t *testing.T) {
	odd := systems.Must(layout.FieldSpec{Name: "odd", Parts: []layout.Part{
		{Name: "a b", Type: "uint16", Lanes: 1},
		{Name: "c:}\"", Type: "uint16", Lanes: 2, Offset: 2},
	}, Default: make([]byte, 6)}.Foreign())
	r := rand.New(rand.NewPCG(1, 2))
	refer := func(word string, _, _ int) (systems.GameObject, error) {
		n, err := strconv.ParseUint(word, 16, 64)
		return systems.GameObject(n), err
	}
	for _, f := range []*layout.FieldSpec{
		layout.NewField[motley]("motley").Spec(), layout.NewField[float32]("one").Spec(),
		layout.NewField[[5]float64]("several").Spec(), odd.Spec(),
		layout.NewField[[2]systems.GameObject]("ids").Spec(),
	} {
		for range 500 {
			value := make([]byte, f.Stride)
			for i := range value {
				value[i] = byte(r.Uint32() >> r.IntN(8))
			}
			for _, p := range f.Parts {
				if p.Type == "bool" {
					p.Bytes(value)[0] &= 1
				}
			}
			if isNaN(f, value) {
				continue
			}
			text := tool.TextNaming(f, value, func(id systems.GameObject) string {
				return strconv.FormatUint(uint64(id), 16)
			})
			got := make([]byte, f.Stride)
			require.NoError(t, tool.ParseText(got, f, "  "+text+" ", refer), text)
			require.NoError(t, tool.ParseText(got, f, "\ufeff"+text+"\r\n", refer), text)
			require.Equal(t, value, got, text)
		}
	}
}

func TestParsedPartsKeepTheOthers(t *testing.T) {
	f := layout.NewField[motley]("motley")
	v := f.Value(motley{Whole: 7, Mass: [3]float32{1, 2, 3}})
	err := tool.ParseText(v.Bytes(), f.Spec(), "{Some:9 Tiny:[ -1 0  1 0 0 0 0 ]}", nobodyCalled)
	require.NoError(t, err)
	want := motley{Whole: 7, Some: 9, Mass: [3]float32{1, 2, 3}, Tiny: [7]int8{-1, 0, 1}}
	wanted := f.Value(want)
	assert.Equal(t, wanted.Bytes(), v.Bytes())
	err = tool.ParseText(v.Bytes(), f.Spec(), "{Half:70000}", nobodyCalled)
	var where *tool.TextError
	require.ErrorAs(t, err, &where)
	assert.Equal(t, 6, where.At)
	require.ErrorContains(t, err, `"70000" is no float16 that fits`)
	_, err = tool.ParseElement("int7", "1")
	require.ErrorContains(t, err, "is no element")
	id := systems.Must(tool.ParseElement("id", "7v3"))
	assert.Equal(t, uint64(3)<<32|7, id)
}

func nobodyCalled(string, int, int) (systems.GameObject, error) { return 0, nil }
