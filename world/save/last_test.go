package save

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/systems"
	"github.com/stretchr/testify/assert"
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

// reread reads a world from a file into counts with one watcher beside crates.
func reread(t *testing.T, file []byte, watcher systems.Watcher) (systems.State, Report) {
	t.Helper()
	counts := motleyCounts(false)
	counts.Watchers = []systems.Watcher{crates, watcher}
	s, report, err := Read(bytes.NewReader(file), int64(len(file)), counts, motleyOptions())
	require.NoError(t, err)
	return s, report
}

func TestLastValuesAreSaved(t *testing.T) {
	s, ids := departed(t, talkers)
	back, report := reread(t, write(t, s, motleyOptions()), talkers)
	require.Equal(t, systems.Digest(s), systems.Digest(back))
	assert.Empty(t, report.New)
	for round, left := range [][]int{{0, 1}, {3, 4}} {
		var want []systems.GameObject
		for _, i := range left {
			want = append(want, ids[i])
			at := systems.Must(systems.LastOf(back, talkers, ids[i], load))
			assert.Equal(t, [2]int32{int32(i), -1}, at)
			said := systems.Must(systems.LastOf(back, talkers, ids[i], rumour))
			assert.Equal(t, strings.Repeat("psst ", i), said)
		}
		require.Equal(t, want, slices.Collect(talkers.Left(back)), round)
		s, back = talkers.Look(s), talkers.Look(back)
		require.Equal(t, systems.Digest(s), systems.Digest(back))
	}
}

// TestWatchersThatKeepOtherValues: what is kept is found again by the rules of its watcher. A
// program whose watcher keeps more has zeros for those who left before; one whose watcher keeps
// nothing drops the values.
func TestWatchersThatKeepOtherValues(t *testing.T) {
	rule := systems.NewQuery(systems.With(rumour, crate))
	silent, saying := systems.NewWatcher(rule), systems.NewWatcher(rule).Keep(rumour)

	s, ids := departed(t, silent)
	back, _ := reread(t, write(t, s, motleyOptions()), talkers)
	assert.Equal(t, ids[:2], slices.Collect(talkers.Left(back)))
	_, err := systems.LastOf(back, talkers, ids[0], rumour)
	require.ErrorIs(t, err, systems.ErrAbsent)
	back = talkers.Look(back)
	assert.Equal(t, ids[3:], slices.Collect(talkers.Left(back)))

	s, ids = departed(t, saying)
	back, _ = reread(t, write(t, s, motleyOptions()), talkers)
	said := systems.Must(systems.LastOf(back, talkers, ids[1], rumour))
	assert.Equal(t, "psst ", said)
	at := systems.Must(systems.LastOf(back, talkers, ids[1], load))
	assert.Zero(t, at)

	s, ids = departed(t, talkers)
	back, report := reread(t, write(t, s, motleyOptions()), silent)
	assert.Empty(t, report.Kept)
	assert.Len(t, report.Dropped, 4, report.Dropped)
	less, report := reread(t, write(t, s, motleyOptions()), saying)
	assert.Len(t, report.Dropped, 2, report.Dropped)
	assert.Equal(t, "psst ", systems.Must(systems.LastOf(less, saying, ids[1], rumour)))
	back = silent.Look(back)
	again, _ := reread(t, write(t, back, motleyOptions()), talkers)
	assert.Equal(t, ids[3:], slices.Collect(talkers.Left(again)))
	_, err = systems.LastOf(again, talkers, ids[3], rumour)
	require.ErrorIs(t, err, systems.ErrAbsent)
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

func TestAWorldAtItsLastTickIsSavedAndLoaded(t *testing.T) {
	for _, tick := range []uint64{systems.MaxTick - 20, systems.MaxTick} {
		s := systems.Must(read(at(t, tick)))
		s = disturb(s, 100)
		assert.Equal(t, uint64(systems.MaxTick), systems.Tick(s))
		back := systems.Must(read(write(t, s, smallOptions())))
		assert.Equal(t, systems.Digest(s), systems.Digest(back))
		systems.Close(s)
		systems.Close(back)
	}
}

func TestFramesAreInTheFileBesideTicks(t *testing.T) {
	s := small(t)
	for frame, want := range map[uint64]uint64{0: 0, 300: 300, 1<<64 - 1: maxFrame} {
		o := smallOptions()
		o.Frame = frame
		file := write(t, s, o)
		_, report, err := Read(bytes.NewReader(file), int64(len(file)), smallCounts(), smallOptions())
		require.NoError(t, err)
		assert.Equal(t, want, report.Frame)
		assert.Equal(t, systems.Tick(s), report.Tick)
	}
	file := forged(t, write(t, s, smallOptions()), func(h *header, _ [][]byte) {
		h.frame = maxFrame + 1
	})
	_, err := read(file)
	require.ErrorIs(t, err, ErrDamaged)
}

func TestASaverSavesTheFrameOfWhatIsOffered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	s := small(t)
	v, err := NewSaver(path, s, smallOptions())
	require.NoError(t, err)
	for frame := uint64(1); frame < 4; frame++ {
		v.Frame = frame
		require.NoError(t, v.Offer(s))
		require.NoError(t, v.Wait())
		f, err := Open(path)
		require.NoError(t, err)
		assert.Equal(t, frame, f.Frame())
		require.NoError(t, f.Close())
	}
	require.NoError(t, v.Close())
}
