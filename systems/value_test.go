package systems

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
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

func TestSpawnRefusesValues(t *testing.T) {
	s, ids := forest(t, 1, 30)
	dead := ids[29]
	s = sure(Dispose(s, dead))
	before := bytes.Clone(Bytes(s))
	recorded := Record(sure(Clone(s))).Create()
	for _, to := range []GameObject{dead, 1<<32 | 1<<20, Member(0), recorded} {
		_, set := Set(s, ids[25], childOf, to)
		require.Error(t, set)
		next, id, err := Spawn(s, node, local.Value([3]float32{1}), childOf.Value(to), childOf.Value(0))
		s = next
		assert.Zero(t, id)
		for _, is := range []error{ErrDead, ErrOutOfRange} {
			assert.Equal(t, errors.Is(set, is), errors.Is(err, is), "%v", to)
		}
		require.ErrorContains(t, err, "flatecs: childOf of a new game object: ")
	}
	assert.PanicsWithValue(t, "flatecs: recipe free has no kind with field childOf; add the kind to "+
		"the recipe, or add it and set the field after Spawn",
		func() { _, _, _ = Spawn(s, rootless, local.Value([3]float32{}), childOf.Value(0)) })
	mustPanic(t, "the zero value", func() { _, _, _ = Spawn(s, rootless, layout.FieldValue{}) })
	assert.True(t, bytes.Equal(before, Bytes(s)), "nothing has changed")
}

// TestAllocsSpawnN: a function that captures variables costs nothing, with and without relations.
func TestAllocsSpawnN(t *testing.T) {
	s, _ := forest(t, 1, 0)
	for _, r := range []Recipe{rootless, node} {
		next := 0
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			s = sure(SpawnN(s, r, 2, func(b Batch) {
				for i := range Column(b, local) {
					next++
					Column(b, local)[i][0] = float32(next)
				}
			}))
		}))
		assert.Equal(t, 22, next)
	}
}

// A wide is a value of a size of its own.
type wide struct {
	A [6]uint32
	B GameObject
	C [3]uint64
}

var (
	sewnByte  = layout.NewComponent[uint8]("sewn byte", 7)
	sewnHalf  = layout.NewField[[3]uint16]("sewn half")
	sewnXY    = layout.NewField[[2]float32]("sewn xy")
	sewnPair  = layout.NewKind("sewn pair", sewnHalf, sewnXY)
	sewnWide  = layout.NewComponent[wide]("sewn wide")
	sewnNext  = layout.NewComponent[GameObject]("sewn next")
	sewnLarge = NewRecipe("sewn large", sewnByte, sewnPair, sewnWide, sewnNext)
	sewnSmall = NewRecipe("sewn small", sewnPair, sewnNext).With(sewnXY.Value([2]float32{1, 2}))
)

// TestAllocsSpawnWithValues: values that are only handed to calls take no memory, of any size.
func TestAllocsSpawnWithValues(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 100, Commands: 100, Recipes: []Recipe{sewnLarge, sewnSmall},
		Kinds: []layout.Count{
			sewnByte.Count(100), sewnPair.Count(100), sewnWide.Count(100), sewnNext.Count(100),
		},
	})))
	everything, x := NewQuery(With(sewnPair)), uint8(0)
	var err error
	require.Zero(t, testing.AllocsPerRun(10, func() {
		c := Record(s)
		for i := range 20 {
			x++
			id := c.Spawn(sewnLarge, sewnByte.Value(x), sewnWide.Value(wide{A: [6]uint32{uint32(i)}}))
			c.Spawn(sewnSmall, sewnNext.Value(id))
		}
		s, err = Apply(s)
		for range 10 {
			s, _, _ = Spawn(s, sewnLarge, sewnWide.Value(wide{C: [3]uint64{9}}), sewnByte.Value(x))
		}
		s = sure(everything.DisposeAll(s))
	}))
	require.NoError(t, err)
}

// A load is a Go value that is seen to be freed.
type load [64]int

var (
	heldLoose  = layout.NewValues[*load]("held loose", nil)
	heldPacked = layout.NewValues[*load]("held packed", nil)
	heldRecipe = NewRecipe("held", heldLoose.Kind())
	holding    = NewQuery(With(heldLoose.Kind()))
	holdCounts = Counts{
		GameObjects: 1000, Recipes: []Recipe{heldRecipe}, Commands: 16,
		Kinds: []layout.Count{
			heldLoose.Count(1000), {Kind: heldPacked.Kind(), Rows: 1000, Packed: true},
		},
	}
)

// holders returns a world of 100 objects, and loads that nothing but the second, third and fourth of
// them refer to.
func holders(t *testing.T, spawn bool) (s State, ids []GameObject, loads []weak.Pointer[load]) {
	t.Helper()
	s, err := CreateState(holdCounts)
	require.NoError(t, err)
	for i := range 100 {
		var id GameObject
		if spawn {
			s, id, err = Spawn(s, heldRecipe)
		} else {
			s, id, err = CreateWith(s, heldLoose.Kind())
		}
		require.NoError(t, err)
		s = sure(Add(s, id, heldPacked.Kind()))
		if ids = append(ids, id); i >= 1 && i <= 3 {
			for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
				value := new(load)
				s = sure(SetValue(s, id, v, value))
				loads = append(loads, weak.Make(value))
			}
		}
	}
	return s, ids, loads
}

// freeing are ways in which the first ten objects lose their values.
var freeing = map[string]func(s State, ids []GameObject) State{
	"one by one": func(s State, ids []GameObject) State {
		for _, id := range ids[:10] {
			s = sure(Dispose(s, id))
		}
		return s
	},
	"backwards": func(s State, ids []GameObject) State {
		for i := range 10 {
			s = sure(Dispose(s, ids[9-i]))
		}
		return s
	},
	"DisposeN": func(s State, ids []GameObject) State {
		return sure(Dispose(s, ids[:10]...))
	},
	"DisposeAll": func(s State, _ []GameObject) State {
		return sure(holding.DisposeAll(s))
	},
	"Apply": func(s State, ids []GameObject) State {
		c := Record(s)
		for _, id := range ids[:10] {
			c.Dispose(id)
		}
		return sure(Apply(s))
	},
	"Remove": func(s State, ids []GameObject) State {
		for _, v := range []layout.Values[*load]{heldLoose, heldPacked} {
			for _, id := range ids[:10] {
				s = sure(Remove(s, id, v.Kind()))
			}
		}
		return s
	},
	"RemoveAll": func(s State, _ []GameObject) State {
		s = sure(holding.RemoveAll(s, heldPacked.Kind()))
		return sure(holding.RemoveAll(s, heldLoose.Kind()))
	},
	"suspended": func(s State, ids []GameObject) State {
		for _, id := range ids[:10] {
			s = sure(Suspend(s, id, heldLoose.Kind()))
			s = sure(Dispose(s, id))
		}
		return s
	},
	"Empty": func(s State, _ []GameObject) State {
		return sure(ToolsOf(s).Renewed(func(*manager.Part) int { return 0 }))
	},
	"Restore": func(s State, ids []GameObject) State {
		p := taken(s)
		take(p, sure(Dispose(sure(Clone(s)), ids...)))
		return sure(Restore(s, p))
	},
	"Take": func(s State, ids []GameObject) State {
		p := taken(s)
		s = sure(Dispose(s, ids[:10]...))
		take(p, s)
		keptSnapshot = p
		return s
	},
}

var keptSnapshot *Snapshot

// TestGoValuesOfTheDisposedAreFreed: the world holds on to none of them, however they went.
func TestGoValuesOfTheDisposedAreFreed(t *testing.T) {
	for name, free := range freeing {
		for _, spawn := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s, ids, loads := holders(t, spawn)
				s = free(s, ids)
				runtime.GC()
				for i, p := range loads {
					assert.Nil(t, p.Value(), "load %d, spawned %t", i, spawn)
				}
				runtime.KeepAlive(s)
			})
		}
	}
}
