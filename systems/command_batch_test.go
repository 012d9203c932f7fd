package systems

import (
	"testing"

	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/stretchr/testify/assert"
)

var (
	hulls         = NewQuery(Write(armour), Read(shove))
	hullsGathered = inCopies(NewQuery(Write(armour), Read(shove)))
	hullsByRow    = NewQuery(Write(armour), RowWise())
)

func inCopies(q Query) Query {
	return q.And(Term{&query.Term{Mode: query.Forced}})
}

func TestCommandsPanic(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	byRow := "flatecs: batches of a row-wise query have no ids; omit RowWise"
	outside := "flatecs: a batch of 2 has no row 2; rows go from 0 to Len()-1"
	for _, p := range []struct {
		name, message string
		f             func()
	}{
		{
			"field of no kind", `flatecs: field orphan belongs to no kind; give it to layout.NewKind`,
			func() { Put(c, ids[0], orphan, 1) },
		},
		{"row-wise dispose", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Dispose(0)
			}
		}},
		{"row-wise add", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Add(0, frozenMark)
			}
		}},
		{"row-wise remove", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Remove(0, frozenMark)
			}
		}},
		{"outside the batch", outside, func() {
			for b := range hulls.In(s) {
				b.Dispose(b.Len())
			}
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			before := image(s)
			assert.PanicsWithValue(t, p.message, p.f)
			assert.Zero(t, s.job.records.commands.Recorded(), "nothing was recorded")
			assert.Zero(t, s.job.walks.Depth)
			assert.Equal(t, before, Bytes(s))
		})
	}
	Close(s)
	assert.PanicsWithValue(t, "flatecs: the world of these commands was closed; record before Close",
		func() { c.Create() })
}

func TestAllocsCommands(t *testing.T) {
	s, ids := commandWorld(t)
	run := func() {
		c := Record(s)
		for b := range hullsGathered.In(s) {
			for i := range b.Len() {
				b.Add(i, frozenMark)
				b.Remove(i, frozenMark)
			}
		}
		fresh := c.Spawn(raider, shove.Value([3]float32{1, 2, 3}), armour.Value(4))
		Put(c, fresh, armour, 3)
		c.Dispose(fresh)
		c.Dispose(fresh)
		c.Add(ids[2], frozenMark)
		c.Remove(ids[2], frozenMark)
		var err error
		if s, err = Apply(s); err != nil {
			t.Fatal(err)
		}
	}
	s = sure(Dispose(s, ids[1])) // frozen
	run()                        // plans the query
	assert.Zero(t, testing.AllocsPerRun(100, run))
}
