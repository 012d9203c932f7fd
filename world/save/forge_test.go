package save

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"
)

// A grain is a value of several parts.
type grain struct {
	Beside systems.GameObject
	Size   float32
	Sharp  bool
	Marks  [3]struct{ Deep bool }
}

// The kinds of a world that is small enough to be damaged in every way.
var (
	heat    = layout.NewField("heat", [2]int16{3, 3})
	texture = layout.NewField("texture", grain{Size: 2, Sharp: true})
	stone   = layout.NewKind("stone", heat, texture)
	wet     = layout.NewMark("wet")
	note    = layout.NewValues("note", "")
	pebble  = systems.NewRecipe("pebble", stone, wet)
	soaked  = systems.NewWatcher(systems.NewQuery(systems.With(wet)))
	chipped = systems.NewWatcher(systems.NewQuery(systems.With(stone))).Keep(texture, heat)
	verbose = Values(note,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })
)

func smallCounts() systems.Counts {
	return systems.Counts{
		GameObjects: 200, Kinds: layout.Kinds(
			stone.Count(140), wet.Count(0), note.Count(9), heroes.Position.Count(100),
			heroes.Instance.Count(1),
		),
		Recipes: []systems.Recipe{pebble}, Watchers: []systems.Watcher{soaked, chipped}, Names: 4, Seed: 3,
		Commands: 16,
	}
}

// small returns a small world.
func small(tb testing.TB) systems.State {
	tb.Helper()
	s, err := systems.CreateState(smallCounts())
	require.NoError(tb, err)
	return disturb(s, 90)
}

// disturb does n things to a small world; what is refused is left.
func disturb(s systems.State, n int) systems.State {
	var ids []systems.GameObject
	ids = slices.AppendSeq(ids, systems.GameObjects(s))
	for i := range n {
		var id systems.GameObject
		var err error
		s = systems.Advance(s)
		if i%3 == 0 {
			s, id, err = systems.Spawn(s, pebble)
		} else {
			s, id, err = systems.Create(s)
		}
		if err == nil {
			ids = append(ids, id)
		}
		if len(ids) == 0 {
			continue
		}
		other := ids[i*7%len(ids)]
		s, _ = systems.Set(s, id, texture, grain{Beside: other, Size: float32(i), Sharp: i%2 == 0})
		s, _ = systems.Add(s, other, []layout.Kind{stone, wet, note.Kind(), heroes.Position.Kind()}[i%4])
		switch i % 9 {
		case 2:
			s, _ = systems.Dispose(s, ids[i*5%len(ids)])
		case 4:
			s, _ = systems.SetName(s, other, []string{"a", "b"}[i%2])
		case 5:
			s, _ = systems.Suspend(s, other, stone)
		case 6:
			s, _ = systems.Remove(s, other, wet)
		case 7:
			s = soaked.Look(s)
		case 8:
			s = chipped.Look(s)
		}
	}
	return s
}

func smallOptions() Options { return Options{Codecs: []Codec{verbose}} }

func write(tb testing.TB, s systems.State, o Options) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, Write(&b, s, o))
	return b.Bytes()
}

// read reads a file into the small world's counts.
func read(b []byte) (systems.State, error) {
	s, _, err := Read(bytes.NewReader(b), int64(len(b)), smallCounts(), smallOptions())
	return s, err
}

// parsed returns a file's header, and its parts.
func parsed(tb testing.TB, b []byte) (*header, [][]byte) {
	tb.Helper()
	h, err := readHeader(bytes.NewReader(b), int64(len(b)))
	require.NoError(tb, err)
	parts := make([][]byte, len(h.parts))
	for i := range h.parts {
		p := &h.parts[i]
		parts[i] = slices.Clone(b[p.offset:][:p.length])
	}
	return h, parts
}

// joined returns the file of a header and parts; what is not said of them otherwise is right.
func joined(h *header, parts [][]byte) []byte {
	for i := range parts {
		p := &h.parts[i]
		p.length = uint64(len(parts[i]))
		if p.stored == storedRaw {
			p.sum = xxh3.Hash(parts[i])
		}
	}
	b := h.encode()
	for _, part := range parts {
		b = append(b, part...)
		b = append(b, make([]byte, int(aligned(uint64(len(b))))-len(b))...)
	}
	return b
}

// forged returns a file whose header and parts were changed, and whose checksums are right.
func forged(tb testing.TB, file []byte, change func(h *header, parts [][]byte)) []byte {
	tb.Helper()
	h, parts := parsed(tb, file)
	change(h, parts)
	return joined(h, parts)
}

// find returns the number of a part.
func find(h *header, title string) int {
	return slices.IndexFunc(h.parts, func(p part) bool { return h.title(&p.partName) == title })
}

// A scattered is a file whose parts lie apart, so that reading one of many like it costs little.
type scattered struct {
	header []byte
	h      *header
	parts  [][]byte
}

// scatter is joined without joining.
func scatter(h *header, parts [][]byte) *scattered {
	for i := range parts {
		p := &h.parts[i]
		p.length, p.sum = uint64(len(parts[i])), xxh3.Hash(parts[i])
	}
	return &scattered{h.encode(), h, parts}
}

// ReadAt reads from the header, or from one part and the zeros after it.
func (s *scattered) ReadAt(b []byte, at int64) (int, error) {
	if at < int64(len(s.header)) {
		return copy(b, s.header[at:]), nil
	}
	i, _ := slices.BinarySearchFunc(s.h.parts, at+1, func(p part, at int64) int {
		return cmp.Compare(int64(p.offset), at)
	})
	i--
	for s.h.parts[i].length == 0 {
		i--
	}
	clear(b)
	if from := at - int64(s.h.parts[i].offset); from < int64(len(s.parts[i])) {
		copy(b, s.parts[i][from:])
	}
	return len(b), nil
}

// TestTheFormatIsTheWorlds fails when a world has other parts than the format knows: then there has
// to be a next one, which reads files of those before.
func TestTheFormatIsTheWorlds(t *testing.T) {
	s := small(t)
	shape := tool.ShapeOf(s)
	h := headerOf(&shape)
	var want []string
	for _, p := range tool.Parts(s) {
		if p.Truth {
			want = append(want, fmt.Sprint(p.Name, " ", p.Unit))
		}
	}
	var got []string
	for p := range h.names() {
		if p.field != noField || p.name != lengths && p.name != goValues {
			got = append(got, fmt.Sprint(p.name, " ", p.unit))
		}
	}
	require.Equal(t, want, got)
}

// compress returns b by zstd, or nil where that takes no fewer pages.
func compress(b []byte) []byte {
	var c compressor
	return c.compress(b)
}
