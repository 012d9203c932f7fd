package delta

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// grains are columns with elements of several sizes.
func grains() []layout.AnyField {
	type long struct {
		A [40]float64
		B [3]uint16
		C [2]bool
	}
	return []layout.AnyField{
		layout.NewField[struct {
			A float32
			B [4]bool
		}]("of 8 bytes"),
		layout.NewField[struct {
			A float64
			B float32
			C int16
			D [2]int8
			E [3]float64
		}]("of 40 bytes"),
		layout.NewField[long]("of 328 bytes"),
		layout.NewField[[3]struct {
			A int16
			B [2]int8
		}]("of 12 bytes"),
	}
}

// TestGrainsAgainstNaive: every byte of the lines that changed is in the plane of its element's
// size and place, in the order in which they lie, and comes back.
func TestGrainsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, f := range grains() {
		spec := f.Spec()
		var g grain
		g.see(&tool.Part{Field: spec, Unit: spec.Stride})
		require.Zero(t, g.size, spec.Name)
		for chunk := range 5 {
			var lines [chunkLines / 64]uint64
			var src []byte
			want := make([][]byte, g.planes)
			for line := range chunkLines {
				if r.IntN(chunk+1) != 0 {
					continue
				}
				lines[line/64] |= 1 << (line % 64)
				for i := range lineSize {
					b := byte(r.IntN(256))
					src = append(src, b)
					plane := planeOf(spec, (chunk*chunkSize+line*lineSize+i)%spec.Stride)
					want[plane] = append(want[plane], b)
				}
			}
			end := g.measure(lines[:], chunk, len(src))
			require.LessOrEqual(t, end, chunkSize+slack)
			planes, back := make([]byte, end), make([]byte, len(src))
			g.split(planes, src, lines[:], chunk)
			for k, all := range want {
				plane := g.plane(planes, k)
				assert.Equal(t, all, plane[:len(all)])
				assert.Zero(t, len(plane)%8)
				assert.Less(t, len(plane), len(all)+8)
			}
			g.join(back, planes, lines[:], chunk)
			assert.Equal(t, src, back)
		}
	}
}

// planeOf returns the plane of a byte of a value.
func planeOf(f *layout.FieldSpec, at int) (plane int) {
	var size int
	there := map[int]bool{}
	for _, p := range f.Parts {
		there[p.Size()] = true
		if p.Offset <= at && at < p.Offset+p.Lanes*p.Size() {
			size, plane = p.Size(), (at-p.Offset)%p.Size()
		}
	}
	for s := range there {
		if s < size {
			plane += s
		}
	}
	return plane
}

func TestElementsOfOneSizeHaveTheirPlanes(t *testing.T) {
	for want, f := range map[int]layout.AnyField{
		1: layout.NewField[struct {
			A bool
			B [2]int8
		}]("f"),
		4: layout.NewField[struct {
			A float32
			B [3]int32
		}]("f"),
		8: layout.NewField[struct {
			A world.GameObject
			B float64
		}]("f"),
	} {
		assert.Equal(t, want, elementSize(&tool.Part{Field: f.Spec()}))
	}
}

// Reseal corrects every hash in a delta: the hash of its base, of the resulting world, if it leads
// to one, and of itself.
func Reseal(d []byte, from world.State) {
	if len(d) < headerSize {
		return
	}
	var c Coder
	le := binary.LittleEndian
	copy(d, magic)
	le.PutUint64(d[16:], c.base.world(from))
	if s, ok := c.lead(from, d); ok {
		le.PutUint64(d[24:], c.result.world(s))
	}
	le.PutUint64(d[8:], xxh3.Hash(d[16:]))
}

// lead returns the world that a delta leads to.
func (c *Coder) lead(from world.State, d []byte) (world.State, bool) {
	s := world.Must(world.Clone(from))
	r, ok := c.read(s, d)
	if !ok {
		return s, false
	}
	r.clear(false)
	if _, ok = r.run(-1); !ok || !r.emptied() {
		return s, false
	}
	r.trim(false)
	s, err := tool.Rebuild(s)
	return s, err == nil
}
