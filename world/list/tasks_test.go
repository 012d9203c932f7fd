package list_test

import (
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	s := world.Must(world.CreateState(counts(20000, 60000)))
	s = world.Must(world.SpawnN(s, hero, 700, nil))
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
		s = world.Must(world.Apply(world.Advance(s)))
	}
	require.NoError(t, tool.Verify(s))
	return s
}

func requireSame(t *testing.T, want, got world.State, how ...any) {
	t.Helper()
	first, _ := world.Must2(tool.FirstDifference(want, got))
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

// TestTasksAppendInOrder: elements that find no room in a task follow at Apply, behind the elements
// of the frame that found room.
func TestTasksAppendInOrder(t *testing.T) {
	s := world.Must(world.CreateState(counts(100, 1000)))
	s, id := world.Must2(world.Spawn(s, hero))
	s = world.Must(list.Append(s, id, bag, make([]item, 7)...))
	add := func(s world.State) world.State {
		for b := range bags.In(s) {
			lists := list.Column(b, bag)
			for what := range uint32(3) {
				got := world.Must(lists.Append(0, item{What: 1 + what}))
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
	s, id := world.Must2(world.CreateWith(s, numbers))
	s, other := world.Must2(world.CreateWith(s))
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
	s := world.Must(world.CreateState(counts(100, 1000)))
	s, id := world.Must2(world.Spawn(s, hero))
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

// check compares all.
func (m *model) check() {
	m.t.Helper()
	require.NoError(m.t, tool.Verify(m.state))
	require.Equal(m.t, len(m.lives), world.Len(m.state))
	for id, l := range m.lives {
		got, err := list.Of(m.state, id, bag)
		if l.hasBag {
			require.NoError(m.t, err)
			require.True(m.t, slices.Equal(l.bag, got), "%v: %v, %v", id, l.bag, got)
		} else {
			require.ErrorIs(m.t, err, world.ErrAbsent)
		}
		if l.mind {
			require.True(m.t, slices.Equal(l.marks, world.Must(list.Of(m.state, id, marks))))
			require.True(m.t, slices.Equal(l.seen, world.Must(list.Of(m.state, id, seen))))
		}
		if l.hasTitle {
			require.Equal(m.t, l.title, world.Must(list.Text(m.state, id, title)))
		}
	}
	require.True(m.t, slices.Equal(m.best, world.Must(list.Of(m.state, 0, best))))
}

// A saved is a model at an earlier time.
type saved struct {
	snapshot *world.Snapshot
	lives    map[world.GameObject]*life
	best     []uint64
}

func (m *model) save(s *saved) {
	require.NoError(m.t, s.snapshot.Take(m.state))
	require.Equal(m.t, world.Digest(m.state), s.snapshot.Digest())
	s.lives, s.best = map[world.GameObject]*life{}, slices.Clone(m.best)
	for id, l := range m.lives {
		s.lives[id] = l.clone()
	}
}

func (m *model) restore(s *saved) {
	state, err := world.Restore(m.state, s.snapshot)
	m.must(state, err)
	m.lives, m.best = map[world.GameObject]*life{}, slices.Clone(s.best)
	for id, l := range s.lives {
		m.lives[id] = l.clone()
	}
}

// free counts nothing but objects.
var free = world.Counts{
	GameObjects: 5000, Recipes: []world.Recipe{hero, armed},
	Kinds: layout.Kinds(bag, mind, title, near), Resources: []world.ResourceKind{score},
}

// TestListsAreThoseOfGo: random lives in worlds of little room, packed and free ones, in each of
// which bags have so many elements at most.
func TestListsAreThoseOfGo(t *testing.T) {
	steps := 1000
	switch {
	case testing.Short():
		steps = 400
	case worldtest.AtLength():
		steps = 20_000
	}
	packed := narrow(60, 4000)
	packed.Kinds[0].Packed, packed.Kinds[1].Packed = true, true
	for seed, c := range []struct {
		counts         world.Counts
		most, elements int
	}{
		{narrow(3, 50), 3, 50},
		{narrow(7, 100), 7, 100},
		{narrow(20, 1000), 20, 1000},
		{narrow(100, 2000), 100, 2000},
		{packed, 60, 4000},
		{free, 60, 4000},
	} {
		m := newModel(t, uint64(seed), c.counts, c.most, c.elements)
		past := &saved{snapshot: world.Must(world.NewSnapshot(m.state))}
		m.save(past)
		for i := range steps {
			m.step()
			if i%7 == 0 {
				m.check()
			}
			if i/100%2 == 1 { // what moved was stamped
				m.save(past)
				m.state = world.Advance(m.state)
			}
			switch n := m.r.IntN(80); n {
			case 0, 1:
				m.save(past)
			case 2, 3:
				m.restore(past)
				m.check()
			case 4, 5:
				m.state = world.Advance(m.state)
			case 6, 7, 8, 9, 10:
				m.carry(past, carriers[m.r.IntN(len(carriers))], &c.counts)
			}
		}
		m.check()
		past.snapshot.Close()
		world.Close(m.state)
	}
}
