package systems

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	taskAge   = layout.NewField[float32]("age")
	taskKind  = layout.NewKind("taskAge", taskAge)
	taskMover = NewRecipe("taskMover", Position, Velocity, taskKind)
	taskAging = NewQuery(Write(taskAge))
	taskRowly = NewQuery(Write(Position), Without(Instance), RowWise())
	taskLists = []Query{MoveQuery, UpdateQuery, taskAging, taskRowly}
)

func nudge(s State) State {
	for b := range taskRowly.In(s) {
		p := layout.Flat[float32](Position, Column(b, Position))
		for i := range p {
			p[i] -= 0.25
		}
	}
	return s
}

// taskWorld returns a world with n objects, some rows of which are scattered.
func taskWorld(t *testing.T, n int) State {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n + n/2, Commands: 4 * n,
		Kinds: layout.Kinds(
			taskKind.Count(n+n/2), Position.Count(n+n/2), Velocity.Count(n+n/2),
			MaxVelocity.Count(1), Instance.Count(n+n/2),
		), Recipes: []Recipe{taskMover},
	}))
	ids := make([]GameObject, n)
	for i := range ids {
		var id GameObject
		s, id = made(Spawn(s, taskMover))
		ids[i] = id
		if i%9 == 0 {
			s = sure(Add(s, id, Instance))
		}
		if i%5 == 0 {
			s = sure(Remove(s, id, Velocity.Kind()))
		}
		if i%7 == 3 {
			s = sure(Set(s, id, taskAge, float32(i%7)))
		}
	}
	for i := range uint32(n) {
		if i*17%uint32(n)%10 == 0 {
			s = sure(Add(s, ids[i*17%uint32(n)], Velocity.Kind()))
		}
	}
	return s
}

// split returns a task per 16 blocks.
func split(s State, run []func(State) State, fuse uint32) (tasks []Task) {
	blocks := uint32(ArenaOf(s).Objects.High()+63) / 64
	for first := uint32(0); first < blocks; first += 16 {
		tasks = append(tasks, Task{
			Run: run, Queries: taskLists, First: first, End: min(first+16, blocks), Fuse: fuse,
		})
	}
	return tasks
}

// TestTasksRefuse: what a task may not do.
func TestTasksRefuse(t *testing.T) {
	s := taskWorld(t, 100)
	id := sure(objectAt(s, 0))
	before := bytes.Clone(Bytes(s))
	s = RunTasks(s, nil, []Task{{Queries: taskLists, Run: doing(func(s State) {
		for name, err := range map[string]error{
			"create": second(Create(s)),
			"set":    errorOf(Set(s, id, Position, [3]float32{})),
			"add":    errorOf(Add(s, id, Instance)),
			"edit":   second(Edit(s, id, Position)),
		} {
			if err == nil || !strings.Contains(err.Error(), ";") {
				t.Error(name, err)
			}
		}
		mustPanic(t, "set", func() { _ = SetRow(s, Position, 0, [3]float32{}) })
		mustPanic(t, "advance", func() { _ = Advance(s) })
		mustPanic(t, "an unlisted query", func() {
			for range FlyQuery.In(s) {
			}
		})
		mustPanic(t, "tasks in a task", func() { _ = RunTasks(s, nil, nil) })
	})}})
	if !bytes.Equal(Bytes(s), before) {
		t.Error("the world has changed")
	}
}

func second[T any](_ State, _ T, err error) error { return err }

func errorOf(_ State, err error) error { return err }

func TestAllocsTasks(t *testing.T) {
	s := taskWorld(t, 10_000)
	w := NewWorkers(2)
	defer w.Close()
	tasks := split(s, []func(State) State{MoveAll, Update, nudge}, 8)
	if n := testing.AllocsPerRun(20, func() { s = RunTasks(s, w, tasks) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var apartQueries = []Query{
	overMoving, NewQuery(Read(overPlace)), NewQuery(Read(overSpeed)), NewQuery(Write(overSpeed)),
	NewQuery(With(overMark)), NewQuery(Changed(overPlace), With(overMark)),
	NewQuery(Optional(overSpeed)),
}

// TestTasksMeetAsPairsDo: any tasks are refused before they run if two of them conflict as a
// schedule sees it and have blocks in common; and the world is as usable as before.
func TestTasksMeetAsPairsDo(t *testing.T) {
	inRooms(t, 300, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		r, refused, ran := rand.New(rand.NewPCG(7, 8)), 0, 0
		for range 2000 {
			tasks := make([]Task, r.IntN(5))
			for i := range tasks {
				first := uint32(r.IntN(4))
				tasks[i] = Task{Run: doing(func(State) { ran++ }), First: first, End: first + 1 + uint32(r.IntN(2))}
				if r.IntN(4) == 0 {
					tasks[i].First, tasks[i].End = 0, 0
				}
				if i > 0 && r.IntN(2) == 0 {
					tasks[i].Queries = tasks[i-1].Queries
					continue
				}
				for range r.IntN(3) {
					tasks[i].Queries = append(tasks[i].Queries, apartQueries[r.IntN(len(apartQueries))])
				}
			}
			want := meetInPairs(tasks)
			ran = 0
			var got any
			func() {
				defer func() { got = recover() }()
				s = RunTasks(s, nil, tasks)
			}()
			require.Equal(t, want, got != nil, "%v: %v", got, tasks)
			if want {
				refused++
				require.Regexp(t, "RunTasks: the queries of tasks . and . ask for over .*; "+
					"run them one after the other, or on other blocks", got)
				require.Zero(t, ran)
			}
			_ = sure(Get(s, ids[0], overPlace))
		}
		assert.Greater(t, refused, 200)
	})
}

// meetInPairs is the rule, object by object.
func meetInPairs(tasks []Task) bool {
	on := func(t Task, block uint32) bool { return t.End == 0 || block >= t.First && block < t.End }
	for i := range tasks {
		for k := range i {
			for block := range uint32(8) {
				if on(tasks[i], block) && on(tasks[k], block) {
					if _, conflict := Conflict(tasks[i].Queries, tasks[k].Queries); conflict {
						return true
					}
				}
			}
		}
	}
	return false
}

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

// Writes by id in one task, by depth in another and by a walk in a third give the bytes of
// consecutive calls, stamps included.
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

var (
	paceChild  = layout.NewField[GameObject]("paceChild")
	paceAge    = layout.NewField[float32]("paceAge")
	paceKind   = layout.NewKind("paced", paceChild, paceAge)
	paceMade   = NewRecipe("paceMade", paceKind)
	paceWrites = NewQuery(Write(paceKind))
)

// breed spawns a child for some objects, keeps its recorded id, and disposes old children. The age
// of a child is drawn.
func breed(s State) State {
	c := Record(s)
	for b := range paceWrites.In(s) {
		children, ages := Column(b, paceChild), Column(b, paceAge)
		for i := range ages {
			ages[i]++
			switch id := b.ID(i).Index(); {
			case ages[i] > 6+float32(id%3):
				b.Dispose(i)
			case (id+uint32(ages[i]))%3 == 0:
				r := Random(s, uint64(id))
				children[i] = c.Spawn(paceMade, paceAge.Value(float32(r.IntN(4))))
			}
		}
	}
	return s
}

// paceSteps returns the bytes before and after each ApplyKeeping, and its refusals, for steps of a
// world whose tasks are offered to a drawn number of goroutines.
func paceSteps(t *testing.T, w *Workers, objects int) (all [][]byte) {
	t.Helper()
	s := sure(CreateState(Counts{
		Seed: 3, GameObjects: objects + objects/4, Commands: objects, Kinds: layout.Kinds(paceKind),
		Recipes: []Recipe{paceMade},
	}))
	defer func() { Close(s) }()
	s = sure(SpawnN(s, paceMade, objects, nil))
	var pace Pace
	for range 10 {
		s = Advance(s)
		tasks := split(s, []func(State) State{breed}, 0)
		for i := range tasks {
			tasks[i].Queries = []Query{paceWrites}
		}
		s = pace.RunTasks(s, w, tasks)
		all = append(all, bytes.Clone(Bytes(s)))
		var err error
		if s, err = ApplyKeeping(s); err != nil {
			require.True(t, errors.Is(err, ErrTooMany) || errors.Is(err, ErrFull), "%v", err)
			all = append(all, []byte(err.Error()))
		}
		all = append(all, bytes.Clone(Bytes(s)))
	}
	require.NoError(t, ToolsOf(s).Verify())
	return all
}

// TestResultsDoNotDependOnHowManyAreWoken: the number of goroutines for each set of tasks is drawn,
// and bytes, recorded ids, and the commands that are carried out, refused and kept are equal to the
// results of one goroutine.
func TestResultsDoNotDependOnHowManyAreWoken(t *testing.T) {
	const objects = 2_500
	want := paceSteps(t, nil, objects)
	refused := 0
	for _, x := range want {
		if bytes.Contains(x[:min(len(x), 200)], []byte("flatecs")) {
			refused++
		}
	}
	require.NotZero(t, refused, "something has to be refused")
	for _, workers := range []int{1, 2, 3, 4, 5, 8, 16} {
		w := NewWorkers(workers)
		random := rand.New(rand.NewPCG(7, uint64(workers)))
		if workers%4 != 0 {
			w.pool.Draw(func(most int) int { return 1 + random.IntN(most) })
		}
		got := paceSteps(t, w, objects)
		w.Close()
		require.Len(t, got, len(want), "%d workers", workers)
		for i := range want {
			require.True(t, bytes.Equal(want[i], got[i]), "%d workers differ at %d", workers, i)
		}
	}
}

var wearingOne = NewQuery(Write(claimWear), With(childOf)) // as wearing, of other numbers

// waysToRead are all that read heat by id or row.
var waysToRead = map[string]func(s State, id GameObject){
	"ReaderOf": func(s State, _ GameObject) { _ = ReaderOf(s, claimHeat) },
	"Get":      func(s State, id GameObject) { _, _ = Get(s, id, claimHeat) },
	"View":     func(s State, _ GameObject) { _ = View(s, claimHeat) },
	"GetRow":   func(s State, _ GameObject) { _ = GetRow(s, claimHeat, 0) },
}

func doing(f func(State)) []func(State) State {
	return []func(State) State{func(s State) State {
		f(s)
		return s
	}}
}

// A field that a task reads by id may not be written in parallel, with any number of workers, even
// if the two do not access the same objects.
func TestTasksReadByIDWhatNobodyWrites(t *testing.T) {
	s, ids := claimWorld(t, 200)
	id := ids[0]
	idle := doing(func(State) {})
	const beside, parts = "while the queries of a task beside write it", "on some of the objects"
	for name, read := range waysToRead {
		reads := doing(func(s State) { read(s, id) })
		for what, c := range map[string]struct {
			want  string // of the panic; "": none
			tasks []Task
		}{
			"alone": {"", []Task{{Run: reads, Queries: []Query{wearing}}}},
			"beside who writes it": {beside, []Task{
				{Run: reads}, {Run: idle, Queries: []Query{heating}},
			}},
			"and writes it, beside another one": {beside, []Task{
				{Run: reads, Queries: []Query{heating}, End: 2},
				{Run: idle, Queries: []Query{heating, wearing}, First: 2},
			}},
			"beside who writes another field": {"", []Task{
				{Run: reads}, {Run: idle, Queries: []Query{wearing}},
			}},
			"and writes it, on all objects": {"", []Task{{Run: reads, Queries: []Query{heating}}}},
			"and writes it, on some": {parts, []Task{
				{Run: reads, Queries: []Query{heating}, End: 2},
			}},
			"and writes it, in turns": {parts, []Task{
				{Run: reads, Queries: []Query{heating}, Fuse: 1},
			}},
			"on some, beside other parts": {"", []Task{
				{Run: reads, Queries: claimParts, End: 2},
				{Run: idle, Queries: claimParts, First: 2, End: 4},
			}},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				for workers := range 3 {
					w := NewWorkers(max(workers, 1))
					if workers == 0 {
						w = nil
					}
					if c.want == "" {
						s = RunTasks(s, w, c.tasks)
					} else {
						fault := panicOf(t, func() { RunTasks(s, w, c.tasks) })
						assert.Contains(t, fault.Cause(), c.want)
						assert.Contains(t, fault.Cause(), "claimed.heat")
					}
					w.Close()
					read(s, id) // it is over
				}
			})
		}
	}
}

var claimParts = []Query{wearing, wearingOne}

func TestTasksReturnTheStateOfTheirWorld(t *testing.T) {
	s, _ := claimWorld(t, 10)
	other := closedLater(t, sure(Clone(s)))
	for want, returned := range map[string]State{"zero State": {}, "another world": other} {
		fault := panicOf(t, func() {
			RunTasks(s, nil, []Task{{Run: []func(State) State{func(State) State { return returned }}}})
		})
		assert.Contains(t, fault.Cause(), want)
	}
}
