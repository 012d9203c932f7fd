package systems

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

var (
	tune      = layout.NewField[uint32]("tune")
	volume    = layout.NewField("volume", float32(1))
	sound     = layout.NewKind("sound", tune, volume)
	channel   = layout.NewValues[*load]("channel", nil)
	muted     = layout.NewMark("muted")
	audible   = NewQuery(With(sound, channel), Without(muted))
	speaker   = NewRecipe("speaker", sound, channel, Position)
	listening = NewWatcher(audible).Keep(sound, channel)
)

func soundCounts(objects int) Counts {
	return Counts{
		GameObjects: objects, Watchers: []Watcher{listening}, Recipes: []Recipe{speaker},
		Kinds:   layout.Kinds(sound.Count(objects), channel.Count(objects), muted, Position),
		Queries: []Query{audible}, Walks: 1, Commands: 1000,
	}
}

// speakers returns a world of n speakers, numbered by their tune, which listening has seen.
func speakers(tb testing.TB, objects, n int) (s State, ids []GameObject) {
	tb.Helper()
	s = sure(CreateState(soundCounts(objects)))
	for i := range n {
		var id GameObject
		s, id = made(Spawn(s, speaker))
		s = sure(Set(s, id, tune, uint32(i)))
		ids = append(ids, id)
	}
	return listening.Look(s), ids
}

// TestLastValuesInAnyOrderOfLeaving: the same bytes after one call for many, after commands, and
// after a call for each, also where the rules are broken for one object sooner than for another.
func TestLastValuesInAnyOrderOfLeaving(t *testing.T) {
	either := NewWatcher(NewQuery(With(Position), Any(sound, channel))).Keep(Position)
	counts := soundCounts(300)
	counts.Watchers = append(counts.Watchers, either)
	create := func() (s State, ids []GameObject) {
		s = sure(CreateState(counts))
		for i := range 200 {
			var id GameObject
			s, id = made(CreateWith(s, Position, []Kind{sound, channel.Kind()}[i*7/3&1]))
			s = sure(Set(s, id, Position, [3]float32{float32(i)}))
			ids = append(ids, id)
		}
		return listening.Look(either.Look(s)), ids
	}
	alone, ids := create()
	for _, id := range ids {
		alone = sure(Dispose(alone, id))
	}
	atOnce, _ := create()
	atOnce = sure(NewQuery(With(Position)).DisposeAll(atOnce))
	recorded, _ := create()
	for _, id := range ids {
		Record(recorded).Dispose(id)
	}
	recorded = sure(Apply(recorded))
	for _, s := range []State{atOnce, recorded} {
		d, differ := ArenaOf(alone).FirstDifference(ArenaOf(s))
		require.False(t, differ, d)
	}
	recorded = either.Look(recorded)
	for i, id := range ids {
		require.Equal(t, float32(i), sure(LastOf(recorded, either, id, Position))[0])
	}
}

// TestHandlesCanBeFreed: a listener finds the Go values of objects that left, and then the world
// drops the values.
func TestHandlesCanBeFreed(t *testing.T) {
	s, ids := speakers(t, 10, 4)
	var loads []weak.Pointer[load]
	for _, id := range ids {
		value := new(load)
		loads = append(loads, weak.Make(value))
		s = sure(SetValue(s, id, channel, value))
	}
	var freed []*load
	listening.Listen(s, nil, func(s State, id GameObject) State {
		freed = append(freed, sure(LastOf(s, listening, id, channel)))
		return s
	})
	s = sure(Dispose(s, ids[3], ids[1]))
	runtime.GC()
	require.NotNil(t, loads[1].Value(), "until the look")
	s = listening.Notify(s)
	require.Equal(t, []*load{loads[1].Value(), loads[3].Value()}, freed)
	freed = nil
	s = listening.Notify(s)
	runtime.GC()
	assert.Nil(t, loads[1].Value())
	assert.Nil(t, loads[3].Value())
	assert.NotNil(t, loads[0].Value())
	runtime.KeepAlive(s.job)
}

// TestKeepingAllocatesNothing: leaving, looking and reading.
func TestKeepingAllocatesNothing(t *testing.T) {
	s, ids := speakers(t, 300, 200)
	var sum uint32
	if n := testing.AllocsPerRun(10, func() {
		for i := range ids {
			s, _ = Dispose(s, ids[(i*77)%200])
		}
		s = listening.Look(s)
		for id := range listening.Left(s) {
			v, _ := LastOf(s, listening, id, tune)
			sum += v
			c, _ := LastOf(s, listening, id, channel)
			_ = c
		}
		for i := range ids {
			s, ids[i], _ = Spawn(s, speaker)
		}
		s = listening.Look(s)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	assert.Equal(t, uint32(200*199/2), sum)
}

// TestLastValuesSideBySide: readers of several goroutines.
func TestLastValuesSideBySide(t *testing.T) {
	s, ids := speakers(t, 300, 200)
	s = sure(audible.DisposeAll(s))
	s = listening.Look(s)
	before := Digest(s)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, id := range ids {
				assert.Equal(t, uint32(i), sure(LastOf(s, listening, id, tune)))
			}
		})
	}
	all.Wait()
	assert.Equal(t, before, Digest(s), "it reads")
	assert.Zero(t, Dangling(s), "last values tell of what was")
}

func TestKeepIsMisused(t *testing.T) {
	s, ids := speakers(t, 10, 1)
	loose := layout.NewField[int8]("loose")
	both := NewWatcher(audible)
	last := func(f func() (uint32, error)) func() { return func() { _, _ = f() } }
	for name, misuse := range map[string]func(){
		"layout.Field[int8] of no kind": func() { listening.Keep(loose) },
		"a <nil> of no kind":            func() { both.Keep(nil) },
		"Keep without values; pass":     func() { both.Keep() },
		"does not require it":           func() { both.Keep(Position) },
		"add With(muted)":               func() { both.Keep(muted) },
		"Keep without values":           func() { NewWatcher(NewQuery(With(muted))).Keep(muted) },
		"the zero Watcher watches":      func() { Watcher{}.Keep(sound) },
		"LastOf of position":            func() { _, _ = LastOf(s, listening, ids[0], Position) },
		"LastOf of nothing": last(func() (uint32, error) {
			return LastOf[uint32](s, listening, ids[0], nil)
		}),
		"this world has no watcher": last(func() (uint32, error) {
			return LastOf(s, both, ids[0], tune)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.Contains(t, recover(), name) }()
			misuse()
		})
	}
}

// closedLater closes a world when its test ends, even if the State is stale.
func closedLater(tb testing.TB, s State) State {
	tb.Helper()
	tb.Cleanup(func() {
		if s.job != nil && s.job.guard.Turn != ended {
			s.job.end()
		}
	})
	return s
}

// TestWhatDoesNotFitNamesTheRoom: the error names the number of objects that kinds without counts
// stand for.
func TestWhatDoesNotFitNamesTheRoom(t *testing.T) {
	kinds := make([]layout.Countable, 8)
	for i := range kinds {
		kinds[i] = layout.NewKind("huge", layout.NewField[[8191]uint64]("value"))
		if i > 0 {
			kinds[i] = layout.NewKind(string(rune('a'+i)), layout.NewField[[8191]uint64]("value"))
		}
	}
	_, err := CreateState(Counts{GameObjects: manager.MaxRows, Kinds: layout.Kinds(kinds...)})
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "room for 1073741760 game objects in each of ")
	require.ErrorContains(t, err, "set Counts.GameObjects, or count the kinds")
}

func TestMustPanicsWithTheError(t *testing.T) {
	s := Must(CreateState(Counts{GameObjects: 1}))
	s, id := made(Create(s))
	s = Must(Dispose(s, id))
	assert.Zero(t, Len(s))

	_, err := Dispose(s, id)
	require.ErrorIs(t, err, ErrDead)
	want := "flatecs: Must: " + strings.TrimPrefix(err.Error(), "flatecs: ") + "; where that can happen, take the error instead"
	assert.PanicsWithError(t, want, func() { Must(Dispose(s, id)) })
}
