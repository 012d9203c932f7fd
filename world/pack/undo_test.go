package pack_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An undo is what takes a disposal back, and what the objects were.
type undo struct {
	packed []byte
	ids    []world.GameObject
	told   [][]string
}

// An editor is a program that disposes objects, and takes that back.
type editor struct {
	*testing.T
	s     world.State
	p     *pack.Packer
	undos []undo
	now   map[world.GameObject]world.GameObject // which object is one that came back
	first map[world.GameObject]world.GameObject // which one it was at first
}

func (e *editor) tell(ids []world.GameObject) (objects [][]string) {
	for _, id := range ids {
		objects = append(objects, told(e, e.s, id, func(id world.GameObject) string {
			switch at, ok := e.first[id]; {
			case !world.Alive(e.s, id):
				return "nobody"
			case ok:
				return fmt.Sprint(at)
			}
			return fmt.Sprint(id)
		}))
	}
	return objects
}

func (e *editor) dispose(all ...world.GameObject) {
	packed := world.Must(e.p.Pack(nil, e.s, all...))
	e.undos = append(e.undos, undo{packed, all, e.tell(all)})
	e.s = world.Must(world.Dispose(e.s, all...))
}

// undo takes the last disposal back.
func (e *editor) undo() {
	u := e.undos[len(e.undos)-1]
	e.undos = e.undos[:len(e.undos)-1]
	s, made := world.Must2(e.p.Unpack(nil, e.s, u.packed))
	e.s = s
	for i, id := range u.ids {
		e.now[id] = made[i]
		if e.first[made[i]] = id; e.first[id] != 0 {
			e.first[made[i]] = e.first[id]
		}
	}
	require.Equal(e, u.told, e.tell(made))
}

// found returns what an object is called now.
func (e *editor) found(id world.GameObject) world.GameObject {
	for e.now[id] != 0 {
		id = e.now[id]
	}
	return id
}

// TestUndo: disposals in any order, each taken back, lead to the same objects, references among them
// and out of what was packed included: to objects that stayed, by SameID, and to those that came back
// since, which Find knows.
func TestUndo(t *testing.T) {
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 5))
		e := &editor{
			T: t, s: live(t, r, motley(t, 300, r), 900), p: packer(),
			now: map[world.GameObject]world.GameObject{}, first: map[world.GameObject]world.GameObject{},
		}
		if e.p.Find = e.found; seed%2 == 0 {
			e.p.Find = pack.SameID
		}
		for range 60 {
			all := ids(e.s)
			if len(all) > 20 && (seed%2 == 0 || r.IntN(3) > 0) {
				r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				e.dispose(all[:1+r.IntN(9)]...)
			}
			if len(e.undos) > 0 && (seed%2 == 0 || r.IntN(3) == 0) {
				e.undo()
			}
		}
		for len(e.undos) > 0 {
			e.undo()
		}
		require.NoError(t, tool.Verify(e.s))
		world.Close(e.s)
	}
}

// What machines of a factory have.
var (
	serial  = layout.NewComponent[uint32]("serial")
	feeds   = layout.NewComponent[[2]world.GameObject]("feeds")
	guarded = layout.NewRelation("guarded", layout.Relation{Disposed: layout.Clear})
	machine = world.NewRecipe("machine", serial, feeds, guarded)
)

func factoryCounts() world.Counts {
	return world.Counts{
		Kinds: layout.Kinds(serial, feeds, guarded), Recipes: []world.Recipe{machine},
	}
}

// factory returns a world of nine machines, of which each feeds itself and the first.
func factory() (s world.State, machines []world.GameObject) {
	s = world.Must(world.CreateState(factoryCounts()))
	s = world.Must(world.SpawnN(s, machine, 9, nil))
	machines = ids(s)
	for i, id := range machines {
		s = world.Must(world.Set(s, id, serial, uint32(i)))
		s = world.Must(world.Set(s, id, feeds, [2]world.GameObject{id, machines[0]}))
	}
	return s, machines
}

// TestDigestTellsNobodyFromSomebody: also where no object has a global id, or the world has none.
func TestDigestTellsNobodyFromSomebody(t *testing.T) {
	s, machines := factory()
	defer func() { world.Close(s) }()
	id := machines[7]
	with := func(to world.GameObject) uint64 {
		s = world.Must(world.Set(s, id, feeds, [2]world.GameObject{to, to}))
		return world.Must(packer().DigestObjects(s, anyOne))
	}
	somebody := with(id)
	for _, nobody := range []world.GameObject{0, id + 1<<32} {
		require.NotEqual(t, somebody, with(nobody))
		require.Equal(t, somebody, with(machines[3]))
	}
}

// TestPacksOfOtherWorlds: what leads out of a pack is lost, and counted, unless Find finds it: by
// SameID in the world from which the pack comes and in copies of that, if it is alive.
func TestPacksOfOtherWorlds(t *testing.T) {
	var p pack.Packer
	home, from := factory()
	defer func() { world.Close(home) }()
	target, gone, id := from[3], from[4], from[5]
	home = world.Must(world.Set(home, id, feeds, [2]world.GameObject{target, gone}))
	home = world.Must(world.Set(home, id, guarded, target))
	old := world.Must(world.NewSnapshot(home))
	defer old.Close()
	b := world.Must(p.Pack(nil, home, id))
	require.Equal(t, uint32(2), little32(b[24:]))
	again := world.Must(pack.Pack(nil, home, id))
	require.Equal(t, b, again, "the same objects, the same bytes")
	require.NoError(t, old.Take(home))

	check := func(what string, s world.State, want [2]world.GameObject, lost int) world.State {
		t.Helper()
		s, made := world.Must2(p.Unpack(nil, s, b))
		require.Equal(t, want, world.Must(world.Get(s, made[0], feeds)), what)
		require.Equal(t, want[0], world.Must(world.Get(s, made[0], guarded)), what)
		require.Equal(t, lost, p.Lost, what)
		require.NoError(t, tool.Verify(s))
		return world.Must(world.Dispose(s, made...))
	}
	both, none := [2]world.GameObject{target, gone}, [2]world.GameObject{}
	home = check("nobody looks for them", home, none, 3)
	p.Find = pack.SameID
	home = check("at once", home, both, 0)
	clone := world.Must(world.Clone(home))
	clone = check("a copy", clone, both, 0)
	world.Close(clone)
	c := factoryCounts()
	c.Names = 5
	larger := world.Must(world.Resized(home, c))
	larger = check("resized", larger, both, 0)
	world.Close(larger)
	other, _ := factory() // the same calls, and so the same ids
	other = check("a twin", other, both, 0)
	p.Find = func(id world.GameObject) world.GameObject { return id + 1<<32 }
	other = check("found dead", other, none, 3)
	p.Find = pack.SameID
	world.Close(other)

	home = world.Must(world.Dispose(home, gone))
	home = check("one is dead", home, [2]world.GameObject{target, 0}, 1)
	home = world.Must(world.Restore(home, old))
	home = check("restored", home, both, 0)
	_, _, err := p.Unpack(nil, home, nil)
	require.ErrorIs(t, err, pack.ErrNotPack)
	require.Zero(t, p.Lost, "nothing was made")
}

// A Packer with Only leaves other kinds away, names among them.
func TestOnlySomeKindsArePacked(t *testing.T) {
	s, captain, soldier := squad()
	s = world.Must(pack.SetGlobal(s, captain, 7))
	s = world.Must(world.Set(s, captain, Place, [2]float32{3, 4}))
	p := pack.Packer{Only: []layout.AnyKind{Place}}
	b := world.Must(p.Pack(nil, s, captain, soldier))
	s, copies := world.Must2(pack.Unpack(s, b))
	for i, id := range copies {
		assert.True(t, world.Has(s, id, Place))
		for _, k := range []layout.AnyKind{Leader, pack.Global, world.NameKind} {
			assert.False(t, world.Has(s, id, k), "%d: %v", i, k.Kind())
		}
	}
	at := world.Must(world.Get(s, copies[0], Place))
	assert.Equal(t, [2]float32{3, 4}, at)

	p.Only = []layout.AnyKind{nil}
	assert.PanicsWithValue(t, "pack: Packer.Only lists a nil kind; list kinds or fields that were declared",
		func() { _, _ = p.Pack(nil, s, captain) })
}
