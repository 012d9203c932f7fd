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
