//go:build ecsdebug

package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/manager"
)

// TestDebugCatchesMisuse: writes to columns that are only read, copies used after their batch, and
// stale or closed States.
func TestDebugCatchesMisuse(t *testing.T) {
	for _, q := range []Query{readA, inCopies(readA)} {
		s, _ := mixed(t, 100)
		mustPanic(t, "write to a field that is read", func() {
			for b := range q.In(s) {
				Column(b, fieldA)[0][1]++
			}
		})
	}
	for _, q := range []Query{writeA, inCopies(writeA)} {
		s, _ := mixed(t, 100)
		for b := range q.In(s) {
			Column(b, fieldA)[0][1] = float32(math.Inf(1))
		}
		mustPanic(t, "a NaN", func() {
			for b := range q.In(s) {
				a := Column(b, fieldA)
				a[0][1] -= a[0][1]
			}
		})
	}
	s, ids := mixed(t, 100)
	q := inCopies(writeC)
	var kept [][5]uint8
	for b := range q.In(s) {
		kept = Column(b, fieldC)
	}
	if kept[0][0] != 0xA5 {
		t.Errorf("a copy kept beyond its batch holds %d", kept[0][0])
	}
	old := s
	s = sure(Dispose(s, ids[0]))
	mustPanic(t, "a state that was used up", func() { Len(old) })
	mustPanic(t, "the zero state", func() { Len(State{}) })
	Close(s)
	mustPanic(t, "a closed state", func() { Len(s) })
}

// TestDebugCatchesANaNInAStruct: in the parts that are floats, and not in bytes that are like one.
func TestDebugCatchesANaNInAStruct(t *testing.T) {
	s, _ := figures(t)
	q := NewQuery(Write(figure))
	for b := range q.In(s) {
		Column(b, bodyOf)[0] = body{Owner: math.MaxUint64 >> 1, Tint: [3]uint8{255, 255, 255}}
	}
	mustPanic(t, "a NaN", func() {
		for b := range q.In(s) {
			Column(b, bodyOf)[1].Pos.Z = float32(math.NaN())
		}
	})
}

// TestDebugFindsWritesThroughViews: at the next call that takes the State, unless that is Touch.
func TestDebugFindsWritesThroughViews(t *testing.T) {
	s, ids := mixed(t, 100)
	row := sure(RowOf(s, ids[1], kindA))
	View(s, fieldA)[row][1] = 42
	panicsWith(t, func() { Has(s, ids[1], kindA) }, `field a of kind A was written through a View`, "Edit", "Touch")
	assert.True(t, Has(s, ids[1], kindA), "told once")

	View(s, fieldA)[row][1] = 43
	s = touch(s, kindA, row, 1)
	assert.Equal(t, float32(43), View(s, fieldA)[row][1])
	a, c := View(s, fieldA), View(s, fieldC)
	a[row][1], c[sure(RowOf(s, ids[0], kindC))][1] = 44, 45
	s = touch(touch(s, kindA, row, 1), kindC, 0, 100)
	View(s, fieldC)[0][0]++
	panicsWith(t, func() { s = touch(s, kindA, row, 1); Len(s) }, `field c of kind C was written through a View`)
	s = sure(Set(s, ids[1], fieldA, [3]float32{1, 2, 3}))
	assert.True(t, Has(s, ids[1], kindA), "what was set was not written through the View")
}

// TestDebugForgivesWritesBeforeClose: there they are of no matter any more.
func TestDebugForgivesWritesBeforeClose(t *testing.T) {
	s, _ := mixed(t, 100)
	View(s, fieldA)[0][0]++
	Close(s)
}

func touch(s State, k Kind, row Row, n int) State {
	return Written(s, k, func(m *manager.Manager) { m.Stamps.Touch(uint32(row), uint32(n)) })
}

// TestDebugFindsWritesToFreedRows, however they were freed: at the next change of structure or
// tick, and at their next use, of any sort.
func TestDebugFindsWritesToFreedRows(t *testing.T) {
	kind := overPlace.Kind()
	frees := map[string]func(State, []GameObject) State{
		"Dispose": func(s State, ids []GameObject) State {
			return sure(Dispose(s, ids[5]))
		},
		"several":    func(s State, ids []GameObject) State { return sure(Dispose(s, ids[3:9]...)) },
		"DisposeAll": func(s State, _ []GameObject) State { return sure(overMoving.DisposeAll(s)) },
		"Remove":     func(s State, ids []GameObject) State { return sure(Remove(s, ids[5], kind)) },
		"RemoveAll":  func(s State, _ []GameObject) State { return sure(overMoving.RemoveAll(s, kind)) },
		"Apply": func(s State, ids []GameObject) State {
			Record(s).Dispose(ids[5])
			return sure(Apply(s))
		},
		"DisposeComponent": func(s State, ids []GameObject) State {
			return DisposeComponent(s, kind, sure(RowOf(s, ids[5], kind)))
		},
	}
	next := map[string]func(State, []GameObject) State{
		"Advance": func(s State, _ []GameObject) State { return Advance(s) },
		"another change": func(s State, ids []GameObject) State {
			s, _, err := Create(s)
			return sure(s, err)
		},
		"Spawn": func(s State, _ []GameObject) State {
			for range 7 {
				s = changed(Spawn(s, overBall))
			}
			return s
		},
		"SpawnN": func(s State, _ []GameObject) State { return sure(SpawnN(s, overBall, 200, nil)) },
		"CreateComponent": func(s State, _ []GameObject) State {
			if manager.ByBlock(managed(s, kind)) {
				return Advance(s)
			}
			s, _, err := CreateComponent(s, kind)
			return sure(s, err)
		},
		"AddAll": func(s State, _ []GameObject) State {
			s, _, err := Create(s)
			return sure(NewQuery(Without(kind)).AddAll(sure(s, err), kind))
		},
		"recorded": func(s State, _ []GameObject) State {
			c := Record(s)
			for range 100 {
				c.Spawn(overBall)
			}
			return sure(Apply(s))
		},
	}
	for how, free := range frees {
		for what, use := range next {
			t.Run(how+", "+what, func(t *testing.T) {
				for _, wrong := range []bool{false, true} {
					inRooms(t, 100, func(t *testing.T, s State, ids []GameObject) {
						t.Helper()
						s, at := made(Edit(s, ids[5], overPlace))
						s = free(s, ids)
						if !wrong {
							use(s, ids)
							return
						}
						at[1] = 77
						panicsWith(t, func() { use(s, ids) }, "field over place", "free: [1 77 3]",
							"kept until its component was disposed")
					})
				}
			})
		}
	}
}

// TestDebugFindsWritesToCopiesThatAreOver: they reach no object.
func TestDebugFindsWritesToCopiesThatAreOver(t *testing.T) {
	inRooms(t, 40, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		for i := 1; i < len(ids); i += 3 {
			s = sure(Add(s, ids[i], overMark))
		}
		var kept [][3]float32
		for b := range overBare.In(s) {
			kept = Column(b, overPlace) //flatecs:allow kept it is used when it is over
		}
		kept[0][0] = 9
		panicsWith(t, func() {
			for range overBare.In(s) {
				continue
			}
		}, "a column was written when its batch was over")
	})
}
