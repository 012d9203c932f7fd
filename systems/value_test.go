package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWritingIsStamped: what Set, Edit, SetRow and a Writer write is found by its tick.
func TestWritingIsStamped(t *testing.T) {
	at := [3]float32{7, 8, 9}
	for name, write := range map[string]func(State, GameObject) State{
		"Set": func(s State, id GameObject) State { return sure(Set(s, id, fieldA, at)) },
		"Edit": func(s State, id GameObject) State {
			s, p := made(Edit(s, id, fieldA))
			*p = at
			return s
		},
		"SetRow": func(s State, id GameObject) State {
			return SetRow(s, fieldA, sure(RowOf(s, id, kindA)), at)
		},
		"WriterOf": func(s State, id GameObject) State {
			w := WriterOf(s, fieldA)
			*w.At(id) = at
			return s
		},
	} {
		s, ids := mixed(t, 200)
		tick := Tick(s)
		s = write(Advance(s), ids[70])
		assert.Equal(t, at, sure(Get(s, ids[70], fieldA)), name)
		assert.Equal(t, at, GetRow(s, fieldA, sure(RowOf(s, ids[70], kindA))), name)
		var found []GameObject
		for b := range NewQuery(Read(fieldA), Changed(kindA)).Since(s, tick) {
			found = b.AppendIDs(found)
		}
		assert.Contains(t, found, ids[70], name)
		assert.Less(t, len(found), 130, name)
	}
}
