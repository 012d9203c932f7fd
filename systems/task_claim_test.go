package systems

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	claimHeat = layout.NewField[float32]("heat")
	claimWear = layout.NewField[uint16]("wear")
	claimed   = layout.NewKind("claimed", claimHeat, claimWear)
	claimOnly = layout.NewComponent[uint32]("only")
	claimOne  = NewRecipe("claimed", claimed, claimOnly, childOf, local, global)
	heating   = NewQuery(Write(claimHeat))
	wearing   = NewQuery(Write(claimWear))
	counting  = NewQuery(Write(claimOnly))
)

// claimWorld returns a world of n objects, some of them without a kind, in trees.
func claimWorld(tb testing.TB, n int) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{claimOne}, Tasks: 4,
		Kinds:   layout.Kinds(claimed, claimOnly, childOf, local, global),
		Queries: []Query{heating, wearing, counting, posing},
	}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(Spawn(s, claimOne))
		if i > 0 && i%5 != 0 {
			s = sure(Set(s, ids[i], childOf, ids[i/2]))
		}
		s = sure(Set(s, ids[i], local, [3]float32{float32(i), 1, 2}))
		if i%7 == 3 {
			s = sure(Remove(s, ids[i], claimed))
		}
	}
	return closedLater(tb, s), ids
}

// A strike writes to objects by id, one by one and many at once.
func strike(ids []GameObject, seed uint64) func(State) State {
	found := make([]*float32, len(ids))
	return func(s State) State {
		heat := WriterOf(s, claimHeat)
		r := rand.New(rand.NewPCG(seed, 1))
		for range len(ids) / 8 {
			if p := heat.At(ids[r.IntN(len(ids))]); p != nil {
				*p++
			}
		}
		few := ids[len(ids)/2 : len(ids)/2+len(ids)/16]
		heat.AtN(found[:len(few)], few)
		for _, p := range found[:len(few)] {
			if p != nil {
				*p += 2
			}
		}
		return s
	}
}

func count(s State) State {
	for b := range counting.In(s) {
		for i := range Column(b, claimOnly) {
			Column(b, claimOnly)[i]++
		}
	}
	return s
}

func poseAll(s State) State {
	for b := range posing.Down(s, childOf) {
		g, l, up := Column(b, global), Column(b, local), Parents(b, global)
		for i := range g {
			g[i] = [3]float32{up[i][0] + l[i][0], up[i][1] + l[i][1], up[i][2] + l[i][2]}
		}
	}
	return s
}

// What is written by id in one task, by depth in another and by a walk in a third has the bytes of
// calls one after the other, stamps included.
func TestTasksOnAllObjectsEqualCalls(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			s, ids := claimWorld(t, 3000)
			direct := closedLater(t, sure(Clone(s)))
			w := NewWorkers(workers)
			defer w.Close()
			for round := range uint64(10) {
				w.SetPatience(time.Duration(round%2) * 50 * time.Microsecond)
				s, direct = Advance(s), Advance(direct)
				direct = count(poseAll(strike(ids, round)(direct)))
				s = RunTasks(s, w, []Task{
					{Run: []func(State) State{poseAll}, Queries: []Query{posing}},
					{Run: []func(State) State{strike(ids, round)}, Queries: []Query{heating}},
					{Run: []func(State) State{count}, Queries: []Query{counting}},
				})
				require.True(t, bytes.Equal(Bytes(direct), Bytes(s)), "round %d", round)
			}
		})
	}
}

func TestTasksMayNotWriteWhatIsNotTheirs(t *testing.T) {
	s, ids := claimWorld(t, 200)
	open := func(s State) State {
		_ = WriterOf(s, claimHeat)
		return s
	}
	wear := func(s State) State {
		_ = WriterOf(s, claimWear)
		return s
	}
	run := func(f func(State) State) []func(State) State { return []func(State) State{f} }
	for name, c := range map[string]struct {
		want  string
		tasks []Task
	}{
		"some of the objects": {"some of the objects", []Task{
			{Run: run(open), Queries: []Query{heating}, End: 2},
		}},
		"turns": {"some of the objects", []Task{
			{Run: run(open), Queries: []Query{heating}, Fuse: 2},
		}},
		"no query":      {"list a query that writes it", []Task{{Run: run(open)}}},
		"another field": {"list a query", []Task{{Run: run(open), Queries: []Query{wearing}}}},
		"read": {"list a query", []Task{
			{Run: run(open), Queries: []Query{NewQuery(Read(claimHeat))}},
		}},
		"twice one kind": {"in two tasks of one call", []Task{
			{Run: run(open), Queries: []Query{heating}}, {Run: run(wear), Queries: []Query{wearing}},
		}},
		"in a walk": {"is written by this walk", []Task{{Queries: []Query{heating}, Run: run(
			func(s State) State {
				for range heating.In(s) {
					return open(s)
				}
				return s
			},
		)}}},
		"all depths": {"AtDepth", []Task{{Run: run(poseAll), Queries: []Query{posing}, End: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			fault := panicOf(t, func() { RunTasks(s, nil, c.tasks) })
			assert.Contains(t, fault.Cause(), c.want)
			s = newState(s.job)
		})
	}
	var kept Writer[float32]
	s = RunTasks(s, nil, []Task{{Queries: []Query{heating}, Run: run(func(s State) State {
		kept = WriterOf(s, claimHeat)
		_ = WriterOf(s, claimHeat) // twice in one task
		return s
	})}})
	if statesChecked {
		panicsWith(t, func() { kept.At(ids[0]) }, "the task that opened this Writer has ended")
	}
	s = RunTasks(s, nil, []Task{{Run: run(open), Queries: []Query{heating}}})
	assert.NotNil(t, s.job)
}

// Sums go up to the parents in a task on all objects, and nowhere else.
func TestTasksSumUp(t *testing.T) {
	s, _ := claimWorld(t, 300)
	direct := closedLater(t, sure(Clone(s)))
	sum := func(s State) State {
		for b := range posing.Up(s, childOf) {
			own := Column(b, global)
			UpdateParents(b, global, func(i int, parent *[3]float32) { parent[0] += own[i][0] + 1 })
		}
		return s
	}
	direct = sum(direct)
	s = RunTasks(s, nil, []Task{{Run: []func(State) State{sum}, Queries: []Query{posing}}})
	require.True(t, bytes.Equal(Bytes(direct), Bytes(s)))
	some := func(s State) State {
		for b := range posing.AtDepth(s, childOf, 1) {
			UpdateParents(b, global, func(int, *[3]float32) {})
		}
		return s
	}
	fault := panicOf(t, func() {
		RunTasks(s, nil, []Task{{Run: []func(State) State{some}, Queries: []Query{posing}, End: 2}})
	})
	assert.Contains(t, fault.Cause(), "UpdateParents: ")
	assert.Contains(t, fault.Cause(), "some of the objects")
}

func TestTasksThatWriteByIDAllocateNothing(t *testing.T) {
	s, ids := claimWorld(t, 2000)
	w := NewWorkers(2)
	defer w.Close()
	found := make([]*float32, 64)
	hit := func(s State) State {
		heat := WriterOf(s, claimHeat)
		heat.AtN(found, ids[100:164])
		return s
	}
	tasks := []Task{
		{Run: []func(State) State{poseAll}, Queries: []Query{posing}},
		{Run: []func(State) State{hit}, Queries: []Query{heating}},
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() { s = RunTasks(s, w, tasks) }))
}
