package save

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// Three versions of a program, each of which lacks something of the others.
var (
	firstSize = layout.NewField("size", struct{ X, Y uint16 }{1, 2})
	firstGood = layout.NewField("good", true)
	firstCart = layout.NewKind("cart", firstSize, firstGood)
	firstWet  = layout.NewMark("wet")

	laterSize = layout.NewField("size", struct{ X uint16 }{3})
	laterCart = layout.NewKind("cart", laterSize)
	laterWet  = layout.NewKind("wet", layout.NewField("depth", float32(4)))

	lastCart = layout.NewMark("cart")
	lastWet  = layout.NewValues("wet", "very")
	wetCodec = Values(lastWet,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })
)

func versionCounts() []systems.Counts {
	return []systems.Counts{
		{GameObjects: 200, Kinds: layout.Kinds(firstCart, firstWet)},
		{GameObjects: 200, Kinds: layout.Kinds(laterCart.Count(80), laterWet)},
		{GameObjects: 200, Kinds: layout.Kinds(lastCart, lastWet.Kind().Count(80))},
		{GameObjects: 200},
	}
}

// versionFiles returns the file of the first version, and what the second and third made of it.
func versionFiles(tb testing.TB) (files [][]byte) {
	tb.Helper()
	s, err := systems.CreateState(versionCounts()[0])
	require.NoError(tb, err)
	var ids []systems.GameObject
	for i := range 20 {
		var id systems.GameObject
		s, id, err = systems.CreateWith(s, []layout.AnyKind{firstCart, firstWet}[:1+i%2]...)
		require.NoError(tb, err)
		ids = append(ids, id)
	}
	s, _, err = systems.CreateComponent(s, firstCart)
	require.NoError(tb, err)
	s, err = systems.Dispose(s, ids[5])
	require.NoError(tb, err)
	s, err = systems.Suspend(s, ids[6], firstCart)
	require.NoError(tb, err)
	o := Options{DropFields: true, Codecs: []Codec{wetCodec}}
	files = [][]byte{write(tb, s, o)}
	for _, c := range versionCounts()[1:3] {
		b := files[len(files)-1]
		s, _, err := Read(bytes.NewReader(b), int64(len(b)), c, o)
		require.NoError(tb, err)
		files = append(files, write(tb, s, o))
	}
	return files
}

// FuzzVersions changes what parts hold of files of three versions, and loads them in each
// version: what is not refused is a world that goes on.
func FuzzVersions(f *testing.F) {
	worldtest.OneGoroutine(f)
	files := versionFiles(f)
	for n, file := range files {
		h, _ := parsed(f, file)
		for i := range h.parts {
			f.Add(uint8(n), []byte{byte(i), 0, 0, 0, 0, 255, byte(i), 0, 3, 0, 1, 64})
			f.Add(uint8(n), []byte{byte(i), 0, 1, 0, 250, 1})
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, edits []byte) {
		h, parts := parsed(t, files[int(which)%len(files)])
		for ; len(edits) >= 6; edits = edits[6:] {
			edit(h, parts, [6]byte(edits))
		}
		for _, keep := range []bool{true, false} {
			for _, c := range versionCounts() {
				o := Options{DropFields: keep, Codecs: []Codec{wetCodec}}
				s, _, err := Read(scatter(h, parts), int64(h.size), c, o)
				if err != nil {
					continue
				}
				require.NoError(t, tool.Verify(s))
				b := write(t, s, o)
				systems.Close(s)
				s, report, err := Read(bytes.NewReader(b), int64(len(b)), c, o)
				require.NoError(t, err)
				require.Empty(t, slices.Concat(report.Dropped, report.New))
				require.Equal(t, b, write(t, s, o))
				systems.Close(s)
			}
		}
	})
}
