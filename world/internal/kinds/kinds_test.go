package kinds_test

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// said returns what a world says that has kinds of each sort, as it is written.
func said() (w kinds.World, b []byte) {
	pose := layout.NewField("pose", struct {
		X    float32
		Team uint32
		Free [4]bool
	}{Team: 3})
	w = kinds.World{
		Kinds: []kinds.Kind{
			{Name: "body", Rows: 9, Packed: true, Fields: []*layout.FieldSpec{
				pose.Spec(), layout.NewField[[3]float64]("speed").Spec(),
			}},
			{Name: "frozen", Mark: true},
			{Name: "empty", Rows: tool.MaxRows},
		},
		Recipes: []string{"crate", ""}, Watchers: []string{`all of "body"`},
	}
	b = w.Append(nil)
	return w, b
}

// read reads all of b as so many kinds, recipes and watchers.
func read(b []byte, form kinds.Form, n [3]uint32) (kinds.World, error) {
	var w kinds.World
	c := kinds.Cursor{Rest: b}
	w.Read(&c, form, n[0], n[1], n[2])
	if len(c.Rest) > 0 {
		c.Refuse("%d bytes are left", len(c.Rest))
	}
	return w, c.Err
}

var counted = [3]uint32{3, 2, 1}

// TestWhatIsWrittenIsRead: all of it, and nothing that ends early.
func TestWhatIsWrittenIsRead(t *testing.T) {
	want, b := said()
	w, err := read(b, kinds.Files, counted)
	require.NoError(t, err)
	assert.Equal(t, b, w.Append(nil))
	assert.Equal(t, want.Recipes, w.Recipes)
	for i := range want.Kinds {
		k, err := w.Kinds[i].Declare(i)
		require.NoError(t, err)
		assert.Equal(t, want.Kinds[i].Name, k.String())
		assert.Len(t, k.Fields(), len(want.Kinds[i].Fields))
		for j, f := range k.Fields() {
			assert.True(t, f.Same(want.Kinds[i].Fields[j]))
			assert.Equal(t, want.Kinds[i].Fields[j].Default, f.Default)
		}
	}
	for n := range b {
		_, err := read(b[:n], kinds.Files, counted)
		require.ErrorContains(t, err, "it ends early", "%d bytes", n)
	}
}

// TestWhatIsWrongIsRefused changes what is written of a kind; all errors are of this package.
func TestWhatIsWrongIsRefused(t *testing.T) {
	_, b := said()
	put := func(name string, at int, bytesOf ...byte) []byte {
		bad := bytes.Clone(b)
		copy(bad[bytes.Index(bad, []byte(name))+len(name)+at:], bytesOf)
		return bad
	}
	for _, c := range []struct {
		bad  []byte
		form kinds.Form
		n    [3]uint32
		text string
	}{
		{b, kinds.Files, [3]uint32{1 << 16, 2, 1}, "too many kinds"},
		{b, kinds.Files, [3]uint32{3, 1 << 16, 1}, "too many recipes or watchers"},
		{b, kinds.Files, [3]uint32{3, 2, 1 << 16}, "too many recipes or watchers"},
		{put("frozen", 0, 1|2), kinds.Files, counted, "kind frozen cannot be"},
		{put("frozen", 0, 1|4), kinds.Files, counted, "kind frozen cannot be"},
		{put("frozen", 0, 1|8), kinds.Files, counted, "kind frozen cannot be"},
		{put("frozen", 0, 1|16), kinds.Memory, counted, "kind frozen cannot be"},
		{put("empty", 0, 2), kinds.Memory, counted, "kind empty cannot be"},
		{put("empty", 1, 0, 0, 0, 64), kinds.Files, counted, "kind empty cannot be"},
		{put("empty", 5, 255, 255), kinds.Files, counted, "kind empty cannot be"},
		{put("body", 0, 1), kinds.Files, counted, "kind body cannot be"},
		{put("body", 0, 2), kinds.Files, counted, "kind body cannot be"},
		{put("speed", 6, 0), kinds.Files, counted, "kind body has a field that cannot be"},
		{put("speed", 6, 14), kinds.Files, counted, "kind body has a field that cannot be"},
		{put("speed", 7, 0, 0), kinds.Files, counted, "kind body has a field that cannot be"},
		{put("speed", 7, 1, 32), kinds.Files, counted, "kind body has a field that cannot be"},
	} {
		_, err := read(c.bad, c.form, c.n)
		require.ErrorContains(t, err, c.text, "%q", c.bad)
	}
	_, err := read(put("frozen", 0, 1|8), kinds.Memory, counted)
	require.NoError(t, err)
	_, err = read(put("empty", 0, 2), kinds.Files, counted)
	require.NoError(t, err)
}

// TestKindsOfOneName are refused, and so is a kind without a name and two fields of one.
func TestKindsOfOneName(t *testing.T) {
	field := layout.NewField[int32]("x").Spec()
	for text, w := range map[string]kinds.World{
		"a kind has no name, or that of another": {Kinds: []kinds.Kind{{Name: "a"}, {Name: "a"}}},
		"a kind has no name":                     {Kinds: []kinds.Kind{{}}},
		"a field has the name of another": {
			Kinds: []kinds.Kind{{Name: "a", Fields: []*layout.FieldSpec{field, field}}},
		},
	} {
		_, err := read(w.Append(nil), kinds.Files, [3]uint32{uint32(len(w.Kinds))})
		require.ErrorContains(t, err, text)
	}
}

// TestWhatHasNoRoom: what there is no number for is refused when it is written.
func TestWhatHasNoRoom(t *testing.T) {
	long := strings.Repeat("x", kinds.MostText+1)
	field := []*layout.FieldSpec{{Name: long}}
	for text, w := range map[string]kinds.World{
		"65536 kinds, recipes or watchers; a file has 65535 at most": {
			Kinds: make([]kinds.Kind, kinds.Most+1),
		},
		`kind "xxx`:               {Kinds: []kinds.Kind{{Name: long}}},
		"too many fields":         {Kinds: []kinds.Kind{{Fields: make([]*layout.FieldSpec, kinds.NoField)}}},
		`field "xxx`:              {Kinds: []kinds.Kind{{Name: "stone", Fields: field}}},
		"is too long to be saved": {Recipes: []string{long}},
		`"xxxx`:                   {Watchers: []string{long}},
	} {
		err := w.Check()
		require.ErrorContains(t, err, text)
		require.Less(t, len(err.Error()), 200)
	}
}

// TestEndlessParts: what is read of a field's parts is bounded by the bytes that say them.
func TestEndlessParts(t *testing.T) {
	for name, part := range map[string][]byte{
		"no lanes":   {0, 0, 5, 0, 0, 0, 0},
		"one lane":   {0, 0, 5, 1, 0, 0, 0},
		"many lanes": {0, 0, 5, 255, 255, 255, 255},
		"no element": {0, 0, 0, 1, 0, 0, 0},
	} {
		b := []byte{1, 0, 'k', 0, 0, 0, 0, 0, 1, 0, 1, 0, 'f', 255, 255, 255, 255}
		b = append(b, bytes.Repeat(part, 1<<20)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, err := read(b, kinds.Files, [3]uint32{1})
		runtime.ReadMemStats(&after)
		require.Error(t, err, name)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*len(b)), name)
		assert.Empty(t, w.Kinds[0].Fields, name)
	}
}

// FuzzRead reads any bytes: what is not refused is written so again, and can be declared.
func FuzzRead(f *testing.F) {
	_, b := said()
	f.Add(b, uint8(0))
	f.Add(binary.LittleEndian.AppendUint64(b, 0), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, form uint8) {
		w, err := read(b, kinds.Form(form%2), counted)
		if err != nil {
			return
		}
		require.Equal(t, b, w.Append(nil))
		require.NoError(t, w.Check())
		for i := range w.Kinds {
			_, err := w.Kinds[i].Declare(i)
			require.NoError(t, err)
		}
	})
}
