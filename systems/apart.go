package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// checkApart panics if two tasks use a field of the same objects that one of them writes, as their
// queries say: they run side by side.
//
//	task        0       1       2        3
//	queries     heat    heat    heat     wear, reads heat
//	blocks      0…64    64…128  100…     all                 1 and 2 meet, and 3 meets all of them
//	strand      0       0       0        3
func (side *side) checkApart(j *job, tasks []Task) {
	for i := range tasks {
		strand := side.jobs[i].part.strand
		if i == strand && side.mayMeet(j, tasks[i].Queries, strand) ||
			i > strand && !tasks[i-1].before(&tasks[i]) && side.writes(j, tasks[i].Queries) {
			side.checkPairs(j, tasks)
			return
		}
	}
}

// mayMeet reports whether queries of a strand use a field that another strand writes.
func (side *side) mayMeet(j *job, queries []Query, strand int) bool {
	for _, q := range queries {
		if side.written.Meets(j.planOf(q), strand) {
			return true
		}
	}
	return false
}

// writes reports whether one of queries writes a field.
func (side *side) writes(j *job, queries []Query) bool {
	return slices.ContainsFunc(queries, func(q Query) bool { return j.planOf(q).Writes() })
}

// checkPairs panics if two of tasks meet.
func (side *side) checkPairs(j *job, tasks []Task) {
	for b := range tasks {
		for a := range b {
			if tasks[a].First >= tasks[b].end() || tasks[b].First >= tasks[a].end() {
				continue
			}
			if f := meeting(j, tasks[a].Queries, tasks[b].Queries); f != nil {
				panic(fmt.Sprintf("flatecs: RunTasks: the queries of tasks %d and %d ask for %s "+
					"of the same objects, and one writes it; run them one after the other, or on "+
					"other blocks", a, b, f))
			}
		}
	}
}

// before reports whether the blocks of t are all before those of next.
func (t *Task) before(next *Task) bool { return t.First <= t.end() && t.end() <= next.First }

// end returns the block after the last one of t.
func (t *Task) end() uint32 {
	if t.End == 0 {
		return math.MaxUint32
	}
	return t.End
}

// meeting returns a field that one of two lists of queries writes and the other one uses, or nil.
func meeting(j *job, a, b []Query) *layout.FieldSpec {
	for _, p := range a {
		for _, q := range b {
			if f := query.Meeting(j.planOf(p), j.planOf(q)); f != nil {
				return f
			}
		}
	}
	return nil
}
