package family_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

var (
	under = layout.NewRelation("under", layout.Relation{Disposed: layout.Clear, Tree: true})
	leaf  = world.NewRecipe("leaf", under)
)

// leafCounts has free room, or room for n.
func leafCounts(n int) world.Counts {
	c := world.Counts{Kinds: layout.Kinds(under), Recipes: []world.Recipe{leaf}}
	if n > 0 {
		c.GameObjects, c.Kinds[0].Rows = n, n
	}
	return c
}

// none is the place of nobody, and shaped stands for the parent in the shape of a tree.
const (
	none   = 3
	shaped = 4
)

// rings is the naive model: whether some of three members is below itself.
func rings(parents [3]int) bool {
	for from := range parents {
		at := from
		for range 4 {
			if at = parents[at]; at == none {
				break
			}
		}
		if at != none {
			return true
		}
	}
	return false
}

// each yields every choice of three parents up to most.
func each(most int) func(yield func([3]int) bool) {
	return func(yield func([3]int) bool) {
		n := most + 1
		for i := range n * n * n {
			if !yield([3]int{i % n, i / n % n, i / n / n}) {
				return
			}
		}
	}
}

// A planter writes the references of three new objects, all at once; parents may be shaped.
type planter func(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error)

// shapes are the parents by the shape of a tree: two children, and a chain.
var shapes = [][3]int{{none, 0, 0}, {none, 0, 1}}

// planted returns the tree of a shape with values that refer to other members.
func planted(shape, parents [3]int) family.Tree {
	var members [3]family.Tree
	for i, p := range parents {
		members[i].Recipe = leaf
		switch p {
		case shaped:
		case none:
			members[i].Values = []layout.FieldValue{under.Value(0)}
		default:
			members[i].Values = []layout.FieldValue{under.Value(family.Member(p))}
		}
	}
	if shape[2] == 0 {
		members[0].Children = members[1:]
	} else {
		members[1].Children = members[2:]
		members[0].Children = members[1:2]
	}
	return members[0]
}

// apart returns a tree whose first object has no values, and its values.
func apart(t family.Tree) (family.Tree, []layout.FieldValue) {
	values := t.Values
	t.Values = nil
	return t, values
}

// planters are the ways to write three references at once, by name.
func planters(shape [3]int) map[string]planter {
	return map[string]planter{
		"SpawnTree": func(t *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			t.Helper()
			s, ids, err := family.SpawnTree([]world.GameObject{5}, s, under, planted(shape, parents))
			require.Equal(t, world.GameObject(5), ids[0])
			return s, ids[1:], err
		},
		"SpawnTree with more values": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree, values := apart(planted(shape, parents))
			return family.SpawnTree(nil, s, under, tree, values...)
		},
		"Commands.SpawnTree": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree, values := apart(planted(shape, parents))
			return applied(s, world.Record(s).SpawnTree(under, tree, values...))
		},
		"Commands.SpawnTree of kinds": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree := planted(shape, parents)
			ofKinds(&tree)
			return applied(s, world.Record(s).SpawnTree(under, tree))
		},
	}
}

func ofKinds(t *family.Tree) {
	t.Recipe, t.Kinds = world.Recipe{}, []layout.AnyKind{under}
	for i := range t.Children {
		ofKinds(&t.Children[i])
	}
}

// applied carries out commands, and returns the three objects from an id on.
func applied(s world.State, first world.GameObject) (world.State, []world.GameObject, error) {
	s, err := world.Apply(s)
	var ids []world.GameObject
	for n := range world.GameObject(3) {
		if id, err := world.Applied(s, first+n); err == nil {
			ids = append(ids, id)
		}
	}
	return s, ids, err
}

// spawnedN is a planter by SpawnN.
func spawnedN(_ *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	var ids []world.GameObject
	s, err := world.SpawnN(s, leaf, 3, func(b world.Batch) {
		ids = b.AppendIDs(ids)
		refers := world.Column(b, under)
		for i, p := range parents {
			if p != none {
				refers[i] = ids[p]
			}
		}
	})
	if err != nil {
		ids = nil
	}
	return s, ids, err
}

// unpacked is a planter by a pack.
func unpacked(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	t.Helper()
	s, ids := world.Must2(spawnedN(t, s, [3]int{none, none, none}))
	b := world.Must(pack.Pack(nil, s, ids...))
	s = world.Must(world.Dispose(s, ids...))
	for i, p := range parents {
		if p != none {
			binary.LittleEndian.PutUint64(b[len(b)-24+8*i:], 1<<63|uint64(p))
		}
	}
	binary.LittleEndian.PutUint64(b[8:], xxh3.Hash(b[16:]))
	return pack.Unpack(s, b)
}

// loaded is a planter by a file.
func loaded(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	t.Helper()
	forged := world.Must(world.Clone(s))
	defer func() { world.Close(forged) }()
	forged, ids := world.Must2(spawnedN(t, forged, [3]int{none, none, none}))
	for i, p := range parents {
		if p != none {
			row := world.Must(world.RowOf(forged, ids[i], under))
			world.View(forged, under)[row] = ids[p]
			forged = tool.Touch(forged, under.Kind(), row, 1)
		}
	}
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, forged, save.Options{}))
	next, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), world.CountsOf(s),
		save.Options{})
	if err != nil {
		require.ErrorContains(t, err, family.ErrRing.Error())
		return s, nil, family.ErrRing
	}
	world.Close(s)
	return next, ids, nil
}

// TestEachRingOfThree: every choice of the references of three objects, by each way that writes
// several at once: what has no ring is there as it was given, and of what has one, nothing is.
func TestEachRingOfThree(t *testing.T) {
	worldtest.OneGoroutine(t)
	for _, n := range []int{0, 300} {
		s := world.Must(world.CreateState(leafCounts(n)))
		check := func(what string, plant planter, given, parents [3]int) {
			t.Helper()
			live := world.Len(s)
			next, ids, err := plant(t, s, given)
			s = next
			require.NoError(t, tool.Verify(s), "%s %v", what, given)
			if rings(parents) {
				require.ErrorIs(t, err, family.ErrRing, "%s %v", what, given)
				require.Equal(t, live, world.Len(s), "%s %v", what, given)
				require.Empty(t, ids)
				return
			}
			require.NoError(t, err, "%s %v", what, given)
			require.Len(t, ids, 3, "%s %v", what, given)
			for i, p := range parents {
				want := world.GameObject(0)
				if p != none {
					want = ids[p]
				}
				require.Equal(t, want, world.Must(world.Get(s, ids[i], under)), "%s %v", what, given)
			}
			require.LessOrEqual(t, family.Depth(s, under), 3)
			s = world.Must(world.Dispose(s, ids...))
		}
		for _, shape := range shapes {
			for what, plant := range planters(shape) {
				for given := range each(shaped) {
					parents := given
					for i := range parents {
						if given[i] == shaped {
							parents[i] = shape[i]
						}
					}
					check(what, plant, given, parents)
				}
			}
		}
		for what, plant := range map[string]planter{
			"SpawnN": spawnedN, "Unpack": unpacked, "Read": loaded,
		} {
			for parents := range each(none) {
				check(what, plant, parents, parents)
			}
		}
		world.Close(s)
	}
}
