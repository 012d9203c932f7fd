//go:build ecsdebug

package systems

import (
	"testing"
)

// TestDebugFindsWritesToFreedRows, however they were freed: at the next change of structure or tick,
// and when they are used again, in whatever way.
func TestDebugFindsWritesToFreedRows(t *testing.T) {
	kind := overPlace.Kind()
	frees := map[string]func(State, []GameObject) State{
		"DisposeGameObject": func(s State, ids []GameObject) State {
			return sure(DisposeGameObject(s, ids[5]))
		},
		"several":    func(s State, ids []GameObject) State { return sure(DisposeGameObject(s, ids[3:9]...)) },
		"DisposeAll": func(s State, _ []GameObject) State { return sure(overMoving.DisposeAll(s)) },
		"Remove":     func(s State, ids []GameObject) State { return sure(Remove(s, ids[5], kind)) },
		"RemoveAll":  func(s State, _ []GameObject) State { return sure(overMoving.RemoveAll(s, kind)) },
		"Apply": func(s State, ids []GameObject) State {
			Record(s).Dispose(ids[5])
			return sure(Apply(s))
		},
		"Dispose": func(s State, ids []GameObject) State {
			return Dispose(s, kind, sure(RowOf(s, ids[5], kind)))
		},
	}
	next := map[string]func(State, []GameObject) State{
		"Advance": func(s State, _ []GameObject) State { return Advance(s) },
		"another change": func(s State, ids []GameObject) State {
			s, _, err := CreateGameObject(s)
			return sure(s, err)
		},
		"Spawn": func(s State, _ []GameObject) State {
			for range 7 {
				s = changed(Spawn(s, overBall))
			}
			return s
		},
		"SpawnN": func(s State, _ []GameObject) State { return sure(SpawnN(s, overBall, 200, nil)) },
		"Create": func(s State, _ []GameObject) State {
			s, _, err := Create(s, kind)
			return sure(s, err)
		},
		"AddAll": func(s State, _ []GameObject) State {
			s, _, err := CreateGameObject(s)
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
			s = changed(Add(s, ids[i], overMark))
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
