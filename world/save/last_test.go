package save

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/systems"
	"github.com/stretchr/testify/require"
)

// departed returns a motley world in which two talkers are reported as left, and two more have left
// since, the higher one first.
func departed(t *testing.T, watcher systems.Watcher) (s systems.State, ids []systems.GameObject) {
	t.Helper()
	counts := motleyCounts(false)
	counts.Watchers = []systems.Watcher{crates, watcher}
	s = systems.Must(systems.CreateState(counts))
	for i := range 5 {
		var id systems.GameObject
		s, id = systems.Must2(systems.CreateWith(s, crate, rumour))
		s = systems.Must(systems.Set(s, id, load, [2]int32{int32(i), -1}))
		s = systems.Must(systems.SetValue(s, id, rumour, strings.Repeat("psst ", i)))
		ids = append(ids, id)
	}
	s = watcher.Look(s)
	s = systems.Must(systems.Dispose(s, ids[1], ids[0]))
	s = watcher.Look(s)
	for _, i := range []int{4, 3} {
		s = systems.Must(systems.Remove(s, ids[i], rumour))
	}
	return s, ids
}

// TestForgedLastValuesAreRefused: what is kept is of those who left, once, and in order.
func TestForgedLastValuesAreRefused(t *testing.T) {
	s, ids := departed(t, talkers)
	file := write(t, s, motleyOptions())
	all := `all of "crate", "rumour"`
	reading := func(b []byte) error {
		counts := motleyCounts(false)
		counts.Watchers = []systems.Watcher{crates, talkers}
		s, _, err := Read(bytes.NewReader(b), int64(len(b)), counts, motleyOptions())
		if err == nil {
			systems.Close(s)
		}
		return err
	}
	require.NoError(t, reading(file))
	id := func(list string, row int, id systems.GameObject) func(*header, [][]byte) {
		return func(h *header, parts [][]byte) {
			little.PutUint64(partOf(t, h, parts, list+all, "object")[8*row:], uint64(id))
		}
	}
	rows := func(kind, part string, at int, x uint32) func(*header, [][]byte) {
		return func(h *header, parts [][]byte) {
			little.PutUint32(partOf(t, h, parts, kind, part)[at:], x)
		}
	}
	for name, change := range map[string]func(*header, [][]byte){
		"gone twice":           id("gone: ", 0, ids[3]),
		"gone and a member":    id("gone: ", 0, ids[2]),
		"gone out of range":    id("gone: ", 0, 1<<31),
		"gone, another one":    id("gone: ", 0, ids[4]+1<<32),
		"left twice":           id("left: ", 1, ids[0]),
		"left and was not":     id("left: ", 1, ids[2]),
		"left, another one":    id("left: ", 1, ids[1]+1<<32),
		"left out of order":    id("left: ", 0, ids[1]),
		"left out of range":    id("left: ", 1, 1<<31),
		"a row on an object":   rows("gone: "+all, "mounted", 0, 1),
		"a free row":           rows("left: "+all, "objects", 0, 1<<31),
		"a value's row free":   rows("left: "+all+": rumour", "objects", 0, 1<<31),
		"a row not counted":    rows("left: "+all, "counters", 16, 1),
		"a value not counted":  rows("left: "+all+": rumour", "counters", 16, 1),
		"nothing is in order":  rows("left: "+all, "counters", 20, 1),
		"suspended of another": rows("left: "+all, "objects", 0, 1<<30),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, reading(forged(t, file, change)), ErrImpossible)
		})
	}
}

// partOf returns a part of a kind.
func partOf(t *testing.T, h *header, parts [][]byte, kind, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(h.parts, func(p part) bool {
		return p.owner == ofKind && h.kinds[p.of].Name == kind && p.name == name
	})
	require.GreaterOrEqual(t, i, 0, "%s.%s", kind, name)
	return parts[i]
}

// at returns the small file as it would be at a tick.
func at(t *testing.T, tick uint64) []byte {
	t.Helper()
	return forged(t, write(t, small(t), smallOptions()), func(h *header, parts [][]byte) {
		h.tick = tick
		little.PutUint64(parts[find(h, "world.tick")], tick)
	})
}

func TestTicksThatNoWorldIsAtAreRefused(t *testing.T) {
	for _, tick := range []uint64{0, systems.MaxTick + 1, 1<<64 - 1} {
		_, err := read(at(t, tick))
		require.ErrorIs(t, err, ErrDamaged, "%d", tick)
		require.ErrorContains(t, err, "no world is at tick")
	}
}
