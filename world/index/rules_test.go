package index_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

func TestWhatHasNoOrderIsRefused(t *testing.T) {
	half := layout.NewComponent[float16.Float16]("index half")
	worldtest.PanicsWith(t, func() { index.New(half) }, "index half", "float16")
	worldtest.PanicsWith(t, func() { index.New(layout.Field[uint8]{}) }, "zero Field")
	s := world.Must(world.CreateState(livesCounts(true)))
	defer world.Close(s)
	pair := layout.NewComponent[[2]int8]("index pair")
	worldtest.PanicsWith(t, func() { systems.OrderedBy(s, pair.Spec()) }, "no kind index pair")
	unknown := index.New(layout.NewComponent[uint8]("index unknown"))
	worldtest.PanicsWith(t, func() { unknown.Count(s, 1) }, "no kind index unknown", "Counts.Kinds")
	rowWise := world.NewQuery(world.Read(team), world.RowWise())
	worldtest.PanicsWith(t, func() {
		for range index.New(team).Sorted(s, rowWise) {
			continue
		}
	}, "RowWise")
}

// TestWalksThatWriteTheField: a walk that writes the field has it for itself; one in order may be it.
func TestWalksThatWriteTheField(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 300, func(b world.Batch) {
		for i := range world.Column(b, team) {
			world.Column(b, team)[i] = int8(i%7) - 3
		}
	}))
	byTeam, writing := index.New(team), world.NewQuery(world.Write(team))
	for range writing.In(s) {
		worldtest.PanicsWith(t, func() { byTeam.Count(s, 1) }, "index team", "written by this walk")
	}
	var before []int8
	for b := range byTeam.Sorted(s, writing) {
		before = append(before, world.Column(b, team)...)
		for i := range world.Column(b, team) {
			world.Column(b, team)[i] *= -1
		}
	}
	require.Len(t, before, 300)
	require.IsNonDecreasing(t, before)
	check(t, s, team, -3, -1, 0, 3)
}

// TestTasksAsk: tasks ask side by side, unless some of the call may write the kind.
func TestTasksAsk(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 500, nil))
	byTeam, w := index.New(team), systems.NewWorkers(3)
	defer w.Close()
	found := make([]int, 8)
	var tasks []systems.Task
	for i := range found {
		tasks = append(tasks, systems.Task{Run: []func(world.State) world.State{
			func(s world.State) world.State {
				for range byTeam.Find(s, -1) {
					found[i]++
				}
				for b := range byTeam.Sorted(s, world.NewQuery(world.Read(team))) {
					found[i] += b.Len()
				}
				return s
			},
		}, Queries: []world.Query{world.NewQuery(world.Read(team))}})
	}
	s = systems.RunTasks(s, w, tasks)
	for _, n := range found {
		assert.Equal(t, 1000, n)
	}
	ask := func(s world.State) world.State {
		byTeam.Count(s, 1)
		return s
	}
	var caused error
	func() {
		defer func() { caused, _ = recover().(error) }()
		s = systems.RunTasks(s, nil, []systems.Task{
			{Run: []func(world.State) world.State{ask}},
			{Queries: []world.Query{world.NewQuery(world.Write(team))}},
		})
	}()
	require.ErrorContains(t, caused, "index team")
	func() {
		defer func() { caused, _ = recover().(error) }()
		systems.RunTasks(s, nil, []systems.Task{
			{
				Run: []func(world.State) world.State{func(s world.State) world.State {
					for range byTeam.Sorted(s, world.NewQuery(world.Read(team))) {
						continue
					}
					return s
				}},
				Queries: []world.Query{world.NewQuery(world.Read(team))}, End: 2,
			},
		})
	}()
	require.ErrorContains(t, caused, "on some of the objects")
}

// TestAllocs: questions, settling included, do not allocate, but the first one.
func TestAllocs(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 500, nil))
	byTeam, n := index.New(team), int8(0)
	writing := world.NewQuery(world.Write(team))
	step := func() {
		id, _ := byTeam.One(s, -1)
		for id := range byTeam.Find(s, n) {
			n = int8(id.Index())
		}
		n++
		s, _ = world.Set(s, id, team, n)
		if n%16 == 0 {
			for range writing.In(s) {
				break
			}
		}
	}
	step()
	assert.Zero(t, testing.AllocsPerRun(200, step))
}
