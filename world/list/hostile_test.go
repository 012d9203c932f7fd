package list_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

const (
	freed      = uint32(1) << 31 // owner of a row of a free run
	ofResource = uint32(1) << 30 // owner of a row of a resource's list
)

// A forge writes into the bytes of a world, past all rules.
type forge struct {
	t     *testing.T
	parts []tool.Part
}

func (f *forge) part(owner, name string) []byte {
	for _, p := range f.parts {
		if p.Owner == owner && p.Name == name {
			return p.Bytes
		}
	}
	require.Fail(f.t, "no part", "%s of %s", name, owner)
	return nil
}

// A words is a part of uint32.
type words []byte

func (w words) at(i int) uint32     { return binary.LittleEndian.Uint32(w[4*i:]) }
func (w words) set(i int, x uint32) { binary.LittleEndian.PutUint32(w[4*i:], x) }

// The runs of the bags, three numbers per row; the owner of each row of elements; the free runs.
func (f *forge) runs() words   { return f.part("bag", "bag") }
func (f *forge) owners() words { return f.part("elements of bag", "owner") }
func (f *forge) heads() words  { return f.part("free runs of bag", "first") }

// forgeries are inconsistent worlds, and their errors. The bags of the world of full have i
// elements in row i, 8 in a row of elements; object 1 has rows 0 of them.
var forgeries = map[string]struct {
	change func(f *forge)
	says   string
}{
	"two lists on one run": {
		func(f *forge) { copy(f.runs()[3*4*9:], f.runs()[3*4*12:][:12]) },
		`bag: the list in row 9: it has row`,
	},
	"two lists on one run, of one owner": {func(f *forge) {
		copy(f.runs()[3*4*9:], f.runs()[3*4*12:][:12])
		f.owners().set(int(f.runs().at(3*9)), 9)
		f.owners().set(int(f.runs().at(3*9))+1, 9)
	}, `bag: the list in row 12: it has row`},
	"a list on a free run": {func(f *forge) {
		f.runs().set(3*9, f.heads().at(0)-1)
	}, `bag: the list in row 9: it has row`},
	"a list of a resource on an object's": {func(f *forge) {
		f.owners().set(int(f.runs().at(3*9)), ofResource)
	}, `bag: the list in row 9: it has row`},
	"length beyond capacity": {
		func(f *forge) { f.runs().set(3*9+2, 17) },
		`bag: the list in row 9: no list has 17 of 16 elements`,
	},
	"length of all numbers": {
		func(f *forge) { f.runs().set(3*9+2, math.MaxUint32) },
		`bag: the list in row 9: no list has 4294967295 of 16 elements`,
	},
	"a capacity of no size": {
		func(f *forge) { f.runs().set(3*9+1, 5*8) },
		`bag: the list in row 9: no list has 9 of 40 elements`,
	},
	"a part of a row": {
		func(f *forge) { f.runs().set(3*9+1, 15) },
		`bag: the list in row 9: no list has 9 of 15 elements`,
	},
	"no rows, and a place": {
		func(f *forge) { f.runs().set(3*0, 7) },
		`bag: the list in row 0: no list has 0 of 0 elements`,
	},
	"rows out of range": {
		func(f *forge) { f.runs().set(3*9, 1<<20) },
		`bag: the list in row 9: it has row 1048576 of the`,
	},
	"rows beyond all numbers": {
		func(f *forge) { f.runs().set(3*9, math.MaxUint32) },
		`bag: the list in row 9: it has row 4294967295 of the`,
	},
	"all rows, and more": {
		func(f *forge) { f.runs().set(3*9+1, 3<<29) },
		`bag: the list in row 9: it has row`,
	},
	"something behind the elements": {func(f *forge) {
		row := f.runs().at(3 * 9)
		f.part("elements of bag", "elements")[64*row+8*9] = 1
	}, `bag: the list in row 9: there is something behind its 9 elements`},
	"a bool of 2": {func(f *forge) {
		row := f.runs().at(3 * 9)
		f.part("elements of bag", "elements")[64*row+6] = 2
	}, "elements of bag"},
	"something in a free run": {func(f *forge) {
		f.part("elements of bag", "elements")[64*(f.heads().at(0)-1)] = 1
	}, `bag: the free run in row`},
	"a cycle of free runs": {func(f *forge) {
		row := f.heads().at(0) - 1
		f.owners().set(int(row), freed|(row+1))
	}, `bag: a free run of class 0: it has row`},
	"free runs that share a tail": {
		func(f *forge) { f.heads().set(1, f.heads().at(0)) },
		`bag: a free run of class 1: it has row`,
	},
	"a free run out of range": {
		func(f *forge) { f.heads().set(0, 1<<20) },
		`bag: a free run of class 0 is in row 1048575 of elements`,
	},
	"a next free run out of range": {func(f *forge) {
		f.owners().set(int(f.heads().at(0)-1), freed|1<<20)
	}, `bag: a free run of class 0 is in row 1048575 of elements`},
	"a free run of a size that is none": {
		func(f *forge) { f.heads().set(60, 1) },
		`bag: a free run of class 60 is in row 0 of elements`,
	},
	"a list as a free run": {
		func(f *forge) { f.heads().set(3, f.runs().at(3*9)+1) },
		`bag: a free run of class 3: it has row`,
	},
	"rows of nobody": {
		func(f *forge) { f.heads().set(0, 0) },
		`bag: row`,
	},
	"rows of another size": {
		func(f *forge) { f.heads().set(63, 9) },
		`bag: 9 elements are in a row, instead of 8`,
	},
	"text that is none": {
		func(f *forge) { f.part("elements of title", "text")[2] = 0xff },
		`title: the list in row 0: its text of 5 bytes is not UTF-8`,
	},
}

// filled fills a world for forgeries.
func filled(t *testing.T, s world.State) world.State {
	t.Helper()
	ids := make([]world.GameObject, 20)
	for i := range ids {
		s, ids[i] = world.Must2(world.Spawn(s, hero))
		s = world.Must(list.Set(s, ids[i], bag, make([]item, i)...))
		for k := range i {
			s = world.Must(list.SetAt(s, ids[i], bag, k, item{What: 7}))
		}
	}
	s = world.Must(world.Add(s, ids[0], title))
	s = world.Must(list.SetText(s, ids[0], title, "fünf"))
	s = world.Must(list.Set(s, ids[1], bag))
	s = world.Must(list.Shrink(s, ids[1], bag))
	s = world.Must(list.Set(s, ids[2], bag))
	return world.Must(list.Shrink(s, ids[2], bag))
}

func TestForgedMemoryAndFilesAreRefused(t *testing.T) {
	c := counts(100, 1000)
	for name, f := range forgeries {
		t.Run(name, func(t *testing.T) {
			b := memory.Make(world.Must(memory.SizeOf(c)))
			s := filled(t, world.Must(memory.CreateState(c, b)))
			world.Close(world.Must(memory.Copy(c, b)))
			_, _ = world.Must2(read(written(t, s), c, save.Options{}))
			f.change(&forge{t, tool.Parts(s)})
			if name != "a bool of 2" { // Verify reads no values
				require.Error(t, tool.Verify(s))
			}
			_, err := memory.Copy(c, b)
			require.ErrorContains(t, err, f.says)
			_, _, err = read(written(t, s), c, save.Options{})
			require.ErrorIs(t, err, save.ErrImpossible)
			require.ErrorContains(t, err, f.says)
		})
	}
}

// partsOfLists returns the bytes of the bags: their runs, elements, owners and free runs.
func partsOfLists(s world.State) (parts [][]byte) {
	for _, p := range tool.Parts(s) {
		if p.Kind != nil && p.Truth && len(p.Bytes) > 0 &&
			(p.Kind.Of == bag.Spec() || p.Kind == bag.Kind().Spec()) {
			parts = append(parts, p.Bytes)
		}
	}
	return parts
}

// forgeAny writes one or two numbers anywhere.
func forgeAny(r *rand.Rand, parts [][]byte) {
	for range 1 + r.IntN(2) {
		part := parts[r.IntN(len(parts))]
		at := r.IntN(min(len(part), 400)/4) * 4
		x := [...]uint32{0, 1, uint32(r.IntN(40)), freed, freed | 3, 8, 16, r.Uint32()}[r.IntN(8)]
		binary.LittleEndian.PutUint32(part[at:], x)
	}
}

// TestForgedListsOfOtherElements: forged lists are refused, or become lists of other elements.
func TestForgedListsOfOtherElements(t *testing.T) {
	type wide struct {
		What uint32
		Rare bool
		More [3]uint8
		Far  [5]uint64
	}
	c := counts(40, 200)
	wides := layout.NewList[wide]("bag")
	other := counts(40, 200)
	other.Kinds[0] = wides.Count(40, 200)
	other.Recipes, other.Queries = []world.Recipe{world.NewRecipe("hero", wides, mind)}, nil
	drop := save.Options{
		Migrations: []save.Migration{save.Drop("bag.bag.Count"), save.Drop("bag.bag.Grade")},
	}
	b := memory.Make(world.Must(memory.SizeOf(c)))
	s := filled(t, world.Must(memory.CreateState(c, b)))
	clean := bytes.Clone(b)
	for _, name := range []string{
		"two lists on one run", "a list of a resource on an object's", "a list on a free run",
		"length of all numbers", "rows out of range", "a bool of 2",
	} {
		copy(b, clean)
		forgeries[name].change(&forge{t, tool.Parts(s)})
		_, _, err := read(written(t, s), other, drop)
		require.ErrorIs(t, err, save.ErrImpossible, name)
	}
	r, refused := rand.New(rand.NewPCG(5, 6)), 0
	for range 400 {
		copy(b, clean)
		forgeAny(r, partsOfLists(s))
		back, _, err := read(written(t, s), other, drop)
		if err != nil {
			require.ErrorIs(t, err, save.ErrImpossible)
			refused++
			continue
		}
		require.NoError(t, tool.Verify(back))
		world.Close(back)
	}
	assert.Greater(t, refused, 50)
	assert.Less(t, refused, 400)
}

// TestForgedListsAreRefusedOrWorlds writes numbers anywhere into the kinds of lists. What is
// accepted nevertheless must be a world that lists can live in.
func TestForgedListsAreRefusedOrWorlds(t *testing.T) {
	c := counts(40, 200)
	b := memory.Make(world.Must(memory.SizeOf(c)))
	s := filled(t, world.Must(memory.CreateState(c, b)))
	clean := bytes.Clone(b)
	parts := partsOfLists(s)
	r := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for range 3000 {
		copy(b, clean)
		forgeAny(r, parts)
		forged, err := memory.Copy(c, b)
		if err != nil {
			refused++
			continue
		}
		require.NoError(t, tool.Verify(forged))
		for id := range world.GameObjects(forged) {
			forged, _ = list.Append(forged, id, bag, item{}, item{}, item{})
			forged, _ = list.Shrink(forged, id, bag)
			if r.IntN(2) == 0 {
				forged = world.Must(world.Dispose(forged, id))
			}
		}
		require.NoError(t, tool.Verify(forged))
		world.Close(forged)
	}
	assert.Greater(t, refused, 1000)
	assert.Less(t, refused, 3000)
}
