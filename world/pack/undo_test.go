package pack_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pack"
)

// What machines of a factory have.
var (
	serial  = layout.NewComponent[uint32]("serial")
	feeds   = layout.NewComponent[[2]world.GameObject]("feeds")
	guarded = layout.NewRelation("guarded", layout.Relation{Disposed: layout.Clear})
	machine = world.NewRecipe("machine", serial, feeds, guarded)
	part    = world.NewRecipe("part", serial, feeds, guarded, family.ChildOf)
)

// A factory is a program that disposes machines, and takes that back.
type factory struct {
	t     *testing.T
	r     *rand.Rand
	s     world.State
	p     pack.Packer
	undos []undo
	now   map[world.GameObject]world.GameObject // which object is one that came back
}

// An undo is what takes a disposal back.
type undo struct {
	packed []byte
	ids    []world.GameObject
	into   []link
}

// A link is a reference of an object that stays to the n-th of those that were disposed.
type link struct {
	from, to world.GameObject
	slot     int // 0 and 1 of feeds, 2 guarded
}

// factoryCounts counts n of everything, or nothing.
func factoryCounts(n int) world.Counts {
	c := world.Counts{
		Kinds:   layout.Kinds(serial, feeds, guarded, family.ChildOf),
		Recipes: []world.Recipe{machine, part},
	}
	if n > 0 {
		for i := range c.Kinds {
			c.Kinds[i].Rows = n
		}
		c.GameObjects = n
	}
	return c
}

func newFactory(t *testing.T, seed uint64, counted int) *factory {
	t.Helper()
	f := &factory{
		t: t, r: rand.New(rand.NewPCG(seed, 5)), now: map[world.GameObject]world.GameObject{},
		s: world.Must(world.CreateState(factoryCounts(counted))),
	}
	for n := range 200 {
		var id world.GameObject
		var err error
		if n%3 == 0 {
			f.s, id, err = world.Spawn(f.s, machine)
		} else {
			f.s, id, err = world.Spawn(f.s, part)
		}
		require.NoError(t, err)
		f.s = world.Must(world.Set(f.s, id, serial, uint32(n)))
	}
	for _, id := range ids(f.s) {
		f.s = world.Must(world.Set(f.s, id, feeds, [2]world.GameObject{f.any(), f.any()}))
		f.s = world.Must(world.Set(f.s, id, guarded, f.any()))
		f.s, _ = world.Set(f.s, id, family.ChildOf, f.any()) // or it closes a ring
	}
	return f
}

// any returns an object, or nobody.
func (f *factory) any() world.GameObject {
	all := ids(f.s)
	if f.r.IntN(6) == 0 {
		return 0
	}
	return all[f.r.IntN(len(all))]
}

// references returns all of an object's, by slots.
func (f *factory) references(id world.GameObject) (list [4]world.GameObject) {
	to := world.Must(world.Get(f.s, id, feeds))
	list[0], list[1] = to[0], to[1]
	list[2] = world.Must(world.Get(f.s, id, guarded))
	if world.Has(f.s, id, family.ChildOf) {
		list[3] = world.Must(world.Get(f.s, id, family.ChildOf))
	}
	return list
}

// dispose disposes an object, with all below it, so that it can be undone.
func (f *factory) dispose() {
	first := f.any()
	if first == 0 {
		return
	}
	u := undo{ids: []world.GameObject{first}}
	for at := 0; at < len(u.ids); at++ {
		u.ids = slices.AppendSeq(u.ids, family.Children(f.s, family.ChildOf, u.ids[at]))
	}
	for _, id := range ids(f.s) {
		if slices.Contains(u.ids, id) {
			continue
		}
		for slot, to := range f.references(id) {
			if slices.Contains(u.ids, to) {
				u.into = append(u.into, link{id, to, slot})
			}
		}
	}
	var err error
	u.packed, err = f.p.Pack(nil, f.s, u.ids...)
	require.NoError(f.t, err)
	f.s = world.Must(world.Dispose(f.s, first))
	f.undos = append(f.undos, u)
}

// object returns what an object is called now.
func (f *factory) object(id world.GameObject) world.GameObject {
	for f.now[id] != 0 {
		id = f.now[id]
	}
	return id
}

// undo takes the last disposal back.
func (f *factory) undo() {
	u := f.undos[len(f.undos)-1]
	f.undos = f.undos[:len(f.undos)-1]
	s, made, err := f.p.Unpack(nil, f.s, u.packed)
	require.NoError(f.t, err)
	require.Zero(f.t, f.p.Lost)
	f.s = s
	for i, id := range u.ids {
		f.now[id] = made[i]
	}
	for _, l := range u.into {
		from, to := f.object(l.from), f.object(l.to)
		switch l.slot {
		case 2:
			f.s = world.Must(world.Set(f.s, from, guarded, to))
		default:
			both := world.Must(world.Get(f.s, from, feeds))
			both[l.slot] = to
			f.s = world.Must(world.Set(f.s, from, feeds, both))
		}
	}
}

func (f *factory) digest() uint64 {
	f.t.Helper()
	sum, err := f.p.DigestObjects(f.s, anyOne)
	require.NoError(f.t, err)
	return sum
}

// tell returns who refers to whom, by serial numbers.
func (f *factory) tell() map[uint32]string {
	f.t.Helper()
	require.NoError(f.t, tool.Verify(f.s))
	name := func(id world.GameObject) string {
		if !world.Alive(f.s, id) {
			return "nobody"
		}
		return fmt.Sprint(world.Must(world.Get(f.s, id, serial)))
	}
	told := map[uint32]string{}
	for _, id := range ids(f.s) {
		text := ""
		for _, to := range f.references(id) {
			text += " " + name(to)
		}
		told[world.Must(world.Get(f.s, id, serial))] = text
	}
	return told
}

// TestUndoOfTheFactory: 100 disposals, each taken back, lead to the same factory, references into
// and out of what was packed included: one after the other by the packs alone; and in a random order
// of both, in which objects that were packed refer to others that came back since, which Find knows.
func TestUndoOfTheFactory(t *testing.T) {
	for _, counted := range []int{0, 500} {
		for name, live := range map[string]func(f *factory){
			"at once": func(f *factory) {
				f.p.Find = pack.SameID
				for range 100 {
					if f.dispose(); len(f.undos) > 0 {
						f.undo()
					}
				}
			},
			"later": func(f *factory) {
				f.p.Find = f.object
				for done := 0; done < 100; {
					if f.r.IntN(3) > 0 && world.Len(f.s) > 20 {
						f.dispose()
					} else if len(f.undos) > 0 {
						f.undo()
						done++
					}
				}
				for len(f.undos) > 0 {
					f.undo()
				}
			},
		} {
			t.Run(fmt.Sprint(name, ", counted: ", counted), func(t *testing.T) {
				f := newFactory(t, 1, counted)
				defer func() { world.Close(f.s) }()
				sum, told := f.digest(), f.tell()
				live(f)
				require.True(t, maps.Equal(told, f.tell()))
				require.Equal(t, sum, f.digest())
			})
		}
	}
}

// TestDigestTellsNobodyFromSomebody: also where no object has a global id, or the world has none.
func TestDigestTellsNobodyFromSomebody(t *testing.T) {
	f := newFactory(t, 2, 0)
	defer func() { world.Close(f.s) }()
	sum := f.digest()
	id := ids(f.s)[7]
	for _, to := range []world.GameObject{0, id + 1<<32} {
		was := world.Must(world.Get(f.s, id, feeds))
		f.s = world.Must(world.Set(f.s, id, feeds, [2]world.GameObject{to, to}))
		require.NotEqual(t, sum, f.digest(), "%v, where %v was", to, was)
		f.s = world.Must(world.Set(f.s, id, feeds, [2]world.GameObject{id, id}))
		somebody := f.digest()
		f.s = world.Must(world.Set(f.s, id, feeds, was))
		require.Equal(t, sum, f.digest())
		require.Equal(t, was[0] != 0 && was[1] != 0, sum == somebody)
	}
}

// TestPacksOfOtherWorlds: what leads out of a pack is lost, and counted, unless Find finds it: by
// SameID in the world from which the pack comes and in copies of that, if it is alive.
func TestPacksOfOtherWorlds(t *testing.T) {
	f := newFactory(t, 3, 0)
	defer func() { world.Close(f.s) }()
	from := ids(f.s)
	target, gone, id := from[3], from[4], from[5]
	f.s = world.Must(world.Set(f.s, id, feeds, [2]world.GameObject{target, gone}))
	f.s = world.Must(world.Set(f.s, id, guarded, target))
	f.s, _ = world.Set(f.s, id, family.ChildOf, 0) // where it has a parent
	old := world.Must(world.NewSnapshot(f.s))
	defer old.Close()
	b, err := f.p.Pack(nil, f.s, id)
	require.NoError(t, err)
	require.Equal(t, uint32(2), little32(b[24:]))
	again, err := pack.Pack(nil, f.s, id)
	require.NoError(t, err)
	require.Equal(t, b, again, "the same objects, the same bytes")
	require.NoError(t, old.Take(f.s))

	check := func(what string, s world.State, want [2]world.GameObject, lost int) world.State {
		t.Helper()
		s, made, err := f.p.Unpack(nil, s, b)
		require.NoError(t, err)
		require.Equal(t, want, world.Must(world.Get(s, made[0], feeds)), what)
		require.Equal(t, want[0], world.Must(world.Get(s, made[0], guarded)), what)
		require.Equal(t, lost, f.p.Lost, what)
		require.NoError(t, tool.Verify(s))
		return world.Must(world.Dispose(s, made...))
	}
	both, none := [2]world.GameObject{target, gone}, [2]world.GameObject{}
	f.s = check("nobody looks for them", f.s, none, 3)
	f.p.Find = pack.SameID
	f.s = check("at once", f.s, both, 0)
	clone := world.Must(world.Clone(f.s))
	clone = check("a copy", clone, both, 0)
	world.Close(clone)
	c := factoryCounts(0)
	c.Names = 5
	larger := world.Must(world.Resized(f.s, c))
	larger = check("resized", larger, both, 0)
	world.Close(larger)
	other := newFactory(t, 3, 0) // the same calls, and so the same ids
	other.s = check("a twin", other.s, both, 0)
	f.p.Find = func(id world.GameObject) world.GameObject { return id + 1<<32 }
	other.s = check("found dead", other.s, none, 3)
	f.p.Find = pack.SameID
	world.Close(other.s)

	f.s = world.Must(family.Dispose(f.s, family.ChildOf, gone))
	f.s = check("one is dead", f.s, [2]world.GameObject{target, 0}, 1)
	f.s = world.Must(world.Restore(f.s, old))
	f.s = check("restored", f.s, both, 0)
	_, _, err = f.p.Unpack(nil, f.s, nil)
	require.ErrorIs(t, err, pack.ErrNotPack)
	require.Zero(t, f.p.Lost, "nothing was made")
}
