package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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

// What a task reads by id may not be written beside it, with any number of workers, whether or not
// the two meet.
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

// The parents' values of another depth are read as they are written in the same task, and not while
// another system writes them.
func TestTasksReadParentsBesideNobody(t *testing.T) {
	s, _ := claimWorld(t, 200)
	down := doing(func(s State) {
		for b := range posing.AtDepth(s, childOf, 1) {
			Parents(b, global)
		}
	})
	list := []Query{posing}
	s = RunTasks(s, nil, []Task{
		{Run: down, Queries: list, End: 2}, {Run: down, Queries: list, First: 2, End: 4},
	})
	others := NewQuery(Write(global), Without(childOf))
	tasks := []Task{
		{Run: down, Queries: list, First: 2},
		{Run: doing(func(State) {}), Queries: []Query{others}, End: 2},
	}
	assert.Contains(t, panicOf(t, func() { RunTasks(s, nil, tasks) }).Cause(), "a task beside")
}

// A Reader that was opened before reads what no task writes, and the State of before is used up.
func TestTasksAndReadersOfBefore(t *testing.T) {
	s, ids := claimWorld(t, 200)
	heat, wear := ReaderOf(s, claimHeat), ReaderOf(s, claimWear)
	before := s
	writes := []Query{heating}
	at := func(read func()) []Task {
		return []Task{{Run: doing(func(State) { read() }), Queries: writes}}
	}
	s = RunTasks(s, nil, at(func() {
		_, ok := wear.Get(ids[0])
		assert.True(t, ok)
	}))
	for _, read := range []func(){
		func() { heat.Get(ids[0]) },
		func() { heat.AtN(make([]float32, 2), ids[:2]) },
	} {
		assert.Contains(t, panicOf(t, func() { RunTasks(s, nil, at(read)) }).Cause(), "open Readers in")
	}
	if statesChecked {
		used := panicOf(t, func() { RunTasks(s, nil, at(func() { View(before, claimWear) })) })
		assert.Contains(t, used.Cause(), "stale")
	}
	_, ok := heat.Get(ids[0])
	assert.True(t, ok, "when they have ended")
	s = Advance(s) // nor is the State used up by one that panicked
	assert.NotNil(t, s.job)
}

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

// Tasks that do not begin, because one lists a query that the world cannot walk, hold nothing.
func TestTasksThatDoNotBeginHoldNothing(t *testing.T) {
	s, ids := claimWorld(t, 10)
	foreign := NewQuery(Write(Velocity))
	mustPanic(t, "a kind that the world does not have", func() {
		RunTasks(s, nil, []Task{{Queries: []Query{heating}}, {Queries: []Query{foreign}}})
	})
	for _, read := range waysToRead {
		read(s, ids[0])
	}
	s = Advance(s)
	assert.NotNil(t, s.job)
}
