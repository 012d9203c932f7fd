package shard

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
)

var (
	mood   = layout.NewComponent[uint32]("mood")
	letter = layout.NewList[uint32]("letter")
	owes   = layout.NewRelation("owes", layout.Relation{})
)

// A fleet is four shards around a corner, without a server, and one world that has all their
// objects.
type fleet struct {
	p      Partition
	split  [4]*splitter
	states [4]world.State
	alone  world.State
	last   uint64 // global id
}

const fleetRadius = 4 // world units, of regions whose corner is at 50, 50

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{p: Grid(2, 2, [2]float32{0, 0}, [2]float32{100, 100})}
	counts := world.Counts{
		GameObjects: 600, Names: 100, Globals: 500, Seed: 7,
		Kinds: layout.Kinds(heroes.Position, mood, letter, owes, family.ChildOf, layout.Disabled, Ghost),
	}
	f.alone = world.Must(world.CreateState(counts))
	t.Cleanup(func() { world.Close(f.alone) })
	for i := range f.states {
		f.states[i] = world.Must(world.CreateState(counts))
		f.split[i] = newSplitter(&Options{
			Shard: i, Partition: f.p, Position: heroes.Position,
			Reach: Reach{Radius: fleetRadius, MaxStep: 12},
		})
		f.split[i].families.open(f.states[i])
		t.Cleanup(func() { world.Close(f.states[i]) })
	}
	return f
}

// with changes the object of a global id where it is, and in the world of all.
func (f *fleet) with(
	t *testing.T, global uint64, change func(world.State, world.GameObject) (world.State, error),
) {
	t.Helper()
	var err error
	found := 0
	for _, s := range []*world.State{
		&f.states[0], &f.states[1], &f.states[2], &f.states[3], &f.alone,
	} {
		if id, ok := pack.ByGlobal(*s, global); ok {
			*s, err = change(*s, id)
			require.NoError(t, err)
			found++
		}
	}
	require.Equal(t, 2, found, "object %d", global)
}

// add creates an object at a point, below another one or 0.
func (f *fleet) add(t *testing.T, at [3]float32, parent uint64) uint64 {
	t.Helper()
	f.last++
	global := f.last
	create := func(s world.State, above world.GameObject) (world.State, error) {
		s, id := world.Must2(world.CreateWith(s, heroes.Position, mood, letter, owes, family.ChildOf))
		s = world.Must(world.Set(s, id, heroes.Position, at))
		s = world.Must(world.Set(s, id, family.ChildOf, above))
		return pack.SetGlobal(s, id, global)
	}
	if parent != 0 {
		f.with(t, parent, create)
		return global
	}
	f.alone = world.Must(create(f.alone, 0))
	f.states[f.p.Of(at)] = world.Must(create(f.states[f.p.Of(at)], 0))
	return global
}

// exchange is what shards do after a step.
func (f *fleet) exchange(t *testing.T) {
	t.Helper()
	var err error
	for i, sp := range f.split {
		f.states[i], err = sp.split(f.states[i])
		require.NoError(t, err)
	}
	for i, sp := range f.split {
		var bodies [][]byte
		for _, b := range sp.borders {
			from := f.split[b.shard]
			n, _ := from.borderOf(i)
			bodies = append(bodies, from.borders[n].body)
		}
		f.states[i], err = sp.arrive(f.states[i], bodies)
		require.NoError(t, err)
	}
}

// verify compares the shards with the world of all: each family is where its root is, and each
// shard has one ghost of every other object in its border.
func (f *fleet) verify(t *testing.T, msg string) {
	t.Helper()
	var sum uint64
	n := 0
	for i, s := range f.states {
		require.NoError(t, tool.Verify(s))
		sum += world.Must(f.split[i].all.DigestObjects(s, own))
		n += own.Count(s)
		want := sightsOf(f.alone, world.With(pack.Global), func(id world.GameObject) bool {
			at := world.Must(world.Get(f.alone, id, heroes.Position))
			home := world.Must(world.Get(f.alone, rootOf(f.alone, id), heroes.Position))
			return f.p.Of(home) != i && f.p.Distance(i, at) <= fleetRadius
		})
		got := sightsOf(s, world.With(Ghost), func(world.GameObject) bool { return true })
		require.Equal(t, want, got, "ghosts of shard %d, %s", i, msg)
	}
	require.Equal(t, own.Count(f.alone), n, msg)
	require.Equal(t, world.Must(f.split[0].all.DigestObjects(f.alone, own)), sum, msg)
}

// sightsOf lists what is seen of some objects: position, and 1 for one that is disabled.
func sightsOf(
	s world.State, of world.Term, which func(world.GameObject) bool,
) (list [][4]float32) {
	for id := range world.NewQuery(world.With(heroes.Position), of, anyway).Objects(s) {
		if which(id) {
			at, off := world.Must(world.Get(s, id, heroes.Position)), float32(0)
			if world.Has(s, id, layout.Disabled) {
				off = 1
			}
			list = append(list, [4]float32{at[0], at[1], at[2], off})
		}
	}
	slices.SortFunc(list, func(a, b [4]float32) int { return slices.Compare(a[:], b[:]) })
	return list
}

func rootOf(s world.State, id world.GameObject) world.GameObject {
	for {
		parent, err := world.Get(s, id, family.ChildOf)
		if err != nil || parent == 0 {
			return id
		}
		id = parent
	}
}

// Wherever a family of two comes from and goes to at a corner, all of it is in one shard, and all
// others that it is near to see it.
func TestFamiliesAtACorner(t *testing.T) {
	f := newFleet(t)
	root := f.add(t, [3]float32{50, 50}, 0)
	arm := f.add(t, [3]float32{50, 50}, root)
	r := rand.New(rand.NewPCG(1, 1))
	cells := []float32{46.5, 49.5, 50, 53}
	put := func(global uint64, x, y float32) {
		f.with(t, global, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Set(s, id, heroes.Position, [3]float32{x, y})
		})
	}
	for i := range 1500 {
		at := [4]float32{}
		for j := range at {
			at[j] = cells[r.IntN(len(cells))]
		}
		put(root, at[0], at[1])
		put(arm, at[2], at[3])
		f.exchange(t)
		f.verify(t, fmt.Sprint(i, at))
	}
}

// Objects that change in every way, while they cross borders, equal those in one world.
func TestObjectsThatCrossAreThoseOfOneWorld(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := newFleet(t)
		for range 12 {
			f.add(t, [3]float32{40 + 20*r.Float32(), 40 + 20*r.Float32()}, 0)
		}
		f.exchange(t)
		for tick := range 60 {
			f.tick(t, r)
			f.exchange(t)
			f.verify(t, fmt.Sprint("seed ", seed, " tick ", tick))
		}
	}
}

// tick changes objects at random: all move, and each is changed or not.
func (f *fleet) tick(t *testing.T, r *rand.Rand) {
	t.Helper()
	var globals []uint64
	for b := range world.NewQuery(world.Read(pack.Global), anyway).In(f.alone) {
		globals = append(globals, pack.Globals(b)...)
	}
	slices.SortFunc(globals, cmp.Compare)
	for _, g := range globals {
		id, alive := pack.ByGlobal(f.alone, g)
		if !alive { // with its parent
			continue
		}
		at := world.Must(world.Get(f.alone, rootOf(f.alone, id), heroes.Position))
		for axis := range 2 {
			at[axis] = min(max(at[axis]+6*r.Float32()-3, 40), 60)
		}
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Set(s, id, heroes.Position, at)
		})
		f.change(t, r, g, at)
	}
}

func (f *fleet) change(t *testing.T, r *rand.Rand, g uint64, at [3]float32) {
	t.Helper()
	text := fmt.Sprint("n", r.IntN(5))
	v := r.Uint32()
	switch r.IntN(24) {
	case 0:
		if f.last < 400 {
			f.add(t, at, g)
		}
	case 1:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			return family.Dispose(s, family.ChildOf, id)
		})
		if own.Count(f.alone) < 8 {
			f.add(t, at, 0)
		}
	case 2:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			return world.SetName(s, id, text)
		})
	case 3, 4:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			if !world.Has(s, id, letter) {
				return world.Add(s, id, letter)
			}
			return list.Append(s, id, letter, v, v+1)
		})
	case 5:
		k := []layout.AnyKind{mood, letter}[r.IntN(2)]
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			if world.Has(s, id, k) {
				return world.Suspend(s, id, k)
			}
			return world.Add(s, id, k)
		})
	case 6:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			if world.Has(s, id, layout.Disabled) {
				return world.Remove(s, id, layout.Disabled)
			}
			return world.Add(s, id, layout.Disabled)
		})
	case 7:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			s = world.Must(world.Set(s, id, family.ChildOf, 0))
			return world.Set(s, id, owes, 0)
		})
	case 8:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Set(s, id, owes, world.Must(world.Get(s, id, family.ChildOf)))
		})
	case 9:
		f.with(t, g, func(s world.State, id world.GameObject) (world.State, error) {
			if !world.Has(s, id, mood) {
				return s, nil
			}
			return world.Set(s, id, mood, v)
		})
	}
}
