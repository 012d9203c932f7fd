package systems

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	shove      = layout.NewField("shove", [3]float32{1, 1, 1})
	armour     = layout.NewField[uint16]("armour", 7)
	hullKind   = layout.NewKind("hull", shove, armour)
	frozenMark = layout.NewMark("frozen")
	orphan     = layout.NewField[uint8]("orphan")
	raider     = NewRecipe("raider", hullKind, frozenMark).With(armour.Value(3))
)

// commandWorld returns a world of six objects and three hulls. Objects 0 and 1 have a hull, 1 is
// frozen, 2 has nothing, and 3 is dead.
func commandWorld(t *testing.T) (State, []GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: 6, Recipes: []Recipe{recipeAC, raider},
		Kinds: []layout.Count{
			hullKind.Count(3), frozenMark.Count(0), kindA.Count(0), kindC.Count(0), markX.Count(0),
		},
	}))
	ids := make([]GameObject, 4)
	for i := range ids {
		s, ids[i] = made(Create(s))
	}
	for _, id := range ids[:2] {
		s = sure(Add(s, id, hullKind))
	}
	s = sure(Add(s, ids[1], frozenMark))
	s = sure(Dispose(s, ids[3]))
	return s, ids
}

func image(s State) []byte { return bytes.Clone(Bytes(s)) }

func TestCommandsGoOn(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	c.Add(ids[2], hullKind)                   // 0: the last row
	fresh := c.Create()                       // 1
	Put(c, fresh, shove, [3]float32{4, 5, 6}) // 2: all rows in use
	c.Add(fresh, frozenMark)                  // 3
	c.Remove(ids[3], hullKind)                // 4: dead
	c.Dispose(ids[0])                         // 5
	Put(c, fresh, armour, 8)                  // 6: row of object 0
	s, err := Apply(s)

	var refused []*CommandError
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		refused = append(refused, e.(*CommandError))
	}
	require.Len(t, refused, 2)
	assert.Equal(t, CommandError{refused[0].Err, "put", 2, fresh, "hull", false}, *refused[0])
	assert.Equal(t, CommandError{refused[1].Err, "remove", 4, ids[3], "hull", false}, *refused[1])
	require.ErrorIs(t, refused[0], ErrFull)
	require.ErrorIs(t, refused[1], ErrDead)
	var inner *Error
	require.ErrorAs(t, err, &inner)
	assert.Equal(t, "flatecs: 2 of 7 recorded commands refused; the first is command 2, put hull, created game object 0: "+
		"hull: all 3 rows in use; "+
		"raise its Count in Counts.Kinds at creation", err.Error())

	id := sure(objectAt(s, 3))
	assert.True(t, Has(s, id, frozenMark))
	v := sure(Get(s, id, armour))
	assert.Equal(t, uint16(8), v)
}

func TestCommandsDisposeTwice(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	fresh := c.Create()
	for range 2 {
		c.Dispose(ids[0])
		c.Dispose(fresh)
	}
	s, err := Apply(s)
	require.NoError(t, err, "an earlier command of the same Apply may be first")
	assert.Equal(t, 2, Len(s))

	c = Record(s)
	c.Dispose(ids[1])
	s = sure(Dispose(s, ids[1]))
	s, err = Apply(s)
	require.NoError(t, err, "so may anyone between recording and Apply")

	c = Record(s)
	c.Dispose(ids[1])
	c.Dispose(fresh)
	_, err = Apply(s)
	require.ErrorIs(t, err, ErrDead)
	require.ErrorContains(t, err, "command 0, dispose, game object 1: game object 1 was disposed, ")
	var all *ApplyError
	require.ErrorAs(t, err, &all)
	require.EqualError(t, all.Refused[1], "flatecs: command 1, dispose, created game object 0: its creation "+
		"was refused, or is of an earlier Apply: the game object is not alive; record it again")
}
