package list_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

var (
	thinking = world.NewQuery(world.Write(level, seen))
	minds    = world.NewQuery(world.Read(level, seen))
)

// gather adds an element to each bag, cuts some, and has a second element for others: in place
// where there is room, else later.
func gather(s world.State) world.State {
	for b := range bags.In(s) {
		lists := list.Column(b, bag)
		for i := range lists.Len() {
			n := uint32(len(lists.At(i)))
			if b.ID(i).Index()%5 == 4 {
				lists.Cut(i, int(n/2))
			}
			for k := range 1 + b.ID(i).Index()%3 {
				if _, err := lists.Append(i, item{What: n, Grade: uint8(k)}); err != nil {
					panic(err)
				}
			}
		}
	}
	return s
}

// breed spawns a hero for every seventh mind, which sees it.
func breed(s world.State) world.State {
	for b := range thinking.In(s) {
		levels, lists := world.Column(b, level), list.Column(b, seen)
		for i := range levels {
			if levels[i]++; (b.ID(i).Index()+levels[i])%7 == 0 {
				if _, err := lists.Append(i, b.Spawn(hero)); err != nil {
					panic(err)
				}
			}
		}
	}
	return s
}

// ran returns a world after some frames of jobs, in parts of so many blocks; 0: whole.
func ran(t *testing.T, workers int, blocks uint32, jobs ...systems.Task) world.State {
	t.Helper()
	s, err := world.CreateState(counts(20000, 60000))
	require.NoError(t, err)
	s, err = world.SpawnN(s, hero, 700, nil)
	require.NoError(t, err)
	w := systems.NewWorkers(workers)
	defer w.Close()
	for range 10 {
		for _, do := range jobs {
			var tasks []systems.Task
			for do.End = blocks; blocks > 0 && do.First < 96; do.First, do.End = do.End, do.End+blocks {
				tasks = append(tasks, do)
			}
			if blocks == 0 {
				tasks = append(tasks, do)
			}
			s = systems.RunTasks(s, w, tasks)
		}
		s, err = world.Apply(world.Advance(s))
		require.NoError(t, err)
	}
	require.NoError(t, tool.Verify(s))
	return s
}

func requireSame(t *testing.T, want, got world.State, how ...any) {
	t.Helper()
	first, _, err := tool.FirstDifference(want, got)
	require.NoError(t, err)
	require.Equal(t, world.Digest(want), world.Digest(got), "%v: %v", how, first)
	world.Close(got)
}

// TestTasksAppend: what tasks append is the same world for any number of workers. It is the same
// for any parts too, unless they spawn, since parts number recorded ids.
func TestTasksAppend(t *testing.T) {
	gathers := systems.Task{
		Run: []func(world.State) world.State{gather}, Queries: []world.Query{bags},
	}
	breeds := systems.Task{
		Run: []func(world.State) world.State{breed}, Queries: []world.Query{thinking},
	}
	want, bred := ran(t, 1, 32, gathers), ran(t, 1, 3, gathers, breeds)
	for workers := 1; workers <= 16; workers *= 2 {
		for _, blocks := range []uint32{0, 1, 3, 32} {
			requireSame(t, want, ran(t, workers, blocks, gathers), workers, blocks)
		}
		requireSame(t, bred, ran(t, workers, 3, gathers, breeds), workers)
	}
	elements := 0
	for b := range minds.In(bred) {
		for i := range b.Len() {
			others := list.Column(b, seen).At(i)
			elements += len(others)
			for _, other := range others {
				require.True(t, world.Alive(bred, other), "%v sees %v", b.ID(i), other)
			}
		}
	}
	require.Greater(t, elements, 1000)
	require.Equal(t, 700+elements, world.Len(bred))
}

// TestTasksAppendInOrder: an element that finds no room in a task comes behind those of the frame
// that found some, at Apply.
func TestTasksAppendInOrder(t *testing.T) {
	s, err := world.CreateState(counts(100, 1000))
	require.NoError(t, err)
	s, id, err := world.Spawn(s, hero)
	require.NoError(t, err)
	s = world.Must(list.Append(s, id, bag, make([]item, 7)...))
	add := func(s world.State) world.State {
		for b := range bags.In(s) {
			lists := list.Column(b, bag)
			for what := range uint32(3) {
				got, err := lists.Append(0, item{What: 1 + what})
				require.NoError(t, err)
				require.Len(t, got, 8, "the second and third find no room")
			}
		}
		return s
	}
	s = systems.RunTasks(s, nil, []systems.Task{
		{Run: []func(world.State) world.State{add}, Queries: []world.Query{bags}},
	})
	assert.Len(t, world.Must(list.Of(s, id, bag)), 8)
	s = world.Must(world.Apply(s))
	got := world.Must(list.Of(s, id, bag))
	require.Len(t, got, 10)
	for i := range uint32(3) {
		assert.Equal(t, 1+i, got[7+i].What)
	}
	require.NoError(t, tool.Verify(s))
}

// TestApplyWithoutRoom: appends that find no room are refused by name, and nothing of them is done.
func TestAppliedAppendsWithoutRoom(t *testing.T) {
	s, err := world.CreateState(world.Counts{GameObjects: 3, Kinds: []layout.Count{numbers.Count(3, 8)}})
	require.NoError(t, err)
	s, id, err := world.CreateWith(s, numbers)
	require.NoError(t, err)
	s, other, err := world.CreateWith(s)
	require.NoError(t, err)
	c := world.Record(s)
	for i := range uint64(100) {
		list.AppendLater(c, id, numbers, i)
	}
	list.AppendLater(c, other, numbers, 7)
	s, err = world.Apply(s)
	require.ErrorIs(t, err, world.ErrFull)
	require.ErrorIs(t, err, world.ErrAbsent)
	require.ErrorContains(t, err, "append")
	require.ErrorContains(t, err, "numbers of game object")
	got := world.Must(list.Of(s, id, numbers))
	require.NotEmpty(t, got)
	for i, n := range got {
		require.Equal(t, uint64(i), n)
	}
	require.NoError(t, tool.Verify(s))
}

// TestRecordedIDsInLists: ids that recording returns become real ones in elements, also in those
// that were written at once, and dead ones are counted.
func TestRecordedIDsInLists(t *testing.T) {
	s, err := world.CreateState(counts(100, 1000))
	require.NoError(t, err)
	s, id, err := world.Spawn(s, hero)
	require.NoError(t, err)
	c := world.Record(s)
	first, second := c.Spawn(hero), c.Spawn(hero)
	s = world.Must(list.Append(s, id, seen, first, id))
	list.AppendLater(c, id, seen, second)
	list.AppendLater(c, first, seen, second)
	s = world.Must(world.Apply(s))
	real1, real2 := world.Must(world.Applied(s, first)), world.Must(world.Applied(s, second))
	require.Equal(t, []world.GameObject{real1, id, real2}, world.Must(list.Of(s, id, seen)))
	require.Equal(t, []world.GameObject{real2}, world.Must(list.Of(s, real1, seen)))
	require.Zero(t, world.Dangling(s))
	s = world.Must(world.Dispose(s, real2))
	require.Equal(t, 2, world.Dangling(s))
	s = world.Must(list.Clear(s, id, seen))
	require.Equal(t, 1, world.Dangling(s))
}
