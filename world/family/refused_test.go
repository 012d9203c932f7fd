package family_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/save"
)

// A bond is a relation in a world of its own.
type bond struct {
	s        world.State
	relation layout.Field[world.GameObject]
	tied     world.Recipe     // has the relation, and is a child
	bare     world.Recipe     // is a child
	gone     world.GameObject // was disposed
}

// bonds returns a bond for each policy.
func bonds(t *testing.T) map[string]*bond {
	t.Helper()
	all := map[string]*bond{}
	for policy, name := range []string{"clear", "cascade", "refuse"} {
		b := &bond{relation: layout.NewRelation("tie", layout.Relation{Disposed: layout.Policy(policy)})}
		b.tied = world.NewRecipe("tied", family.ChildOf, b.relation)
		b.bare = world.NewRecipe("bare", family.ChildOf)
		b.s = world.Must(world.CreateState(world.Counts{
			GameObjects: 300, Kinds: layout.Kinds(family.ChildOf, b.relation),
			Recipes: []world.Recipe{b.tied, b.bare},
		}))
		t.Cleanup(func() { world.Close(b.s) })
		b.gone = b.create(t)
		b.s = world.Must(world.Dispose(b.s, b.gone))
		all[name] = b
	}
	return all
}

func (b *bond) create(t *testing.T) (id world.GameObject) {
	t.Helper()
	b.s, id = world.Must2(world.CreateWith(b.s, b.relation))
	return id
}

// refuses applies the recorded commands, and checks which are refused.
func (b *bond) refuses(t *testing.T, want ...string) {
	t.Helper()
	s, err := world.Apply(b.s)
	b.s = s
	var got []string
	if apply := new(world.ApplyError); errors.As(err, &apply) {
		for _, e := range apply.Refused {
			require.ErrorIs(t, e, world.ErrDead)
			got = append(got, fmt.Sprintf("%d, %s %s", e.Number, e.Command, e.Kind))
		}
	}
	assert.Equal(t, want, got)
	require.NoError(t, tool.Verify(b.s))
}

// TestDeadTargetsAreRefused: by all commands alike, for any policy; nothing is created.
func TestDeadTargetsAreRefused(t *testing.T) {
	for name, b := range bonds(t) {
		t.Run(name, func(t *testing.T) {
			id := b.create(t)
			c := world.Record(b.s)
			world.Put(c, id, b.relation, b.gone)
			first := c.Spawn(b.tied)
			spawned := c.Spawn(b.tied, b.relation.Value(b.gone))
			last := c.Spawn(b.tied, b.relation.Value(id))
			c.Spawn(b.tied, b.relation.Value(spawned))
			world.Put(c, last, b.relation, spawned)
			c.SpawnTree(family.ChildOf, family.Tree{
				Recipe: b.tied, Children: []family.Tree{{Recipe: b.bare}, {Recipe: b.tied}},
			}, b.relation.Value(b.gone))
			b.refuses(t, "0, put tie", "2, spawn with tie", "4, spawn with tie", "5, put tie",
				"6, spawn with tie", "7, spawn with childOf", "8, spawn with childOf")
			assert.Equal(t, 3, world.Len(b.s))
			require.True(t, world.Alive(b.s, world.Must(world.Applied(b.s, first))))
			_, err := world.Applied(b.s, spawned)
			require.ErrorIs(t, err, world.ErrDead)
			require.ErrorContains(t, err, "1r0 stands for a recorded creation that was refused")
			last = world.Must(world.Applied(b.s, last))
			assert.Equal(t, id, world.Must(world.Get(b.s, last, b.relation)))

			world.Put(world.Record(b.s), id, b.relation, spawned) // of an earlier Apply
			world.Record(b.s).Spawn(b.tied, b.relation.Value(family.Member(0)))
			b.refuses(t, "0, put tie", "1, spawn with tie")
		})
	}
}

// TestMembersReferToLaterMembers: of other recipes too, which are created after them.
func TestMembersReferToLaterMembers(t *testing.T) {
	for name, b := range bonds(t) {
		t.Run(name, func(t *testing.T) {
			linked := family.Tree{Recipe: b.tied, Children: []family.Tree{
				{Recipe: b.bare},
				{Kinds: []layout.AnyKind{family.ChildOf, b.relation}, Values: []layout.FieldValue{
					b.relation.Value(family.Member(3)),
				}, Children: []family.Tree{{Recipe: b.tied}}},
			}}
			id := world.Record(b.s).SpawnTree(family.ChildOf, linked, b.relation.Value(family.Member(1)))
			b.refuses(t)
			root := world.Must(world.Applied(b.s, id))
			members := tree(b.s, root)
			require.Len(t, members, 4)
			to := world.Must(world.Get(b.s, root, b.relation))
			assert.Contains(t, members[1:3], to)
			assert.False(t, world.Has(b.s, to, b.relation), "it is bare")
			assert.Equal(t, 1, family.Count(b.s, b.relation, members[3]))
		})
	}
}

// TestRingsOfLaterMembers: of a tree in which a member is below itself, nothing is created.
func TestRingsOfLaterMembers(t *testing.T) {
	b := bonds(t)["clear"]
	world.Record(b.s).SpawnTree(family.ChildOf, family.Tree{
		Recipe: b.tied, Children: []family.Tree{{Recipe: b.bare}},
	}, family.ChildOf.Value(family.Member(1)))
	s, err := world.Apply(b.s)
	b.s = s
	require.ErrorIs(t, err, family.ErrRing)
	require.ErrorContains(t, err, "2 of 2 recorded commands refused; the first is command 0, "+
		"spawn with childOf: childOf: member 0 of its tree is below itself: a tree has no rings")
	assert.Zero(t, world.Len(b.s))
	require.NoError(t, tool.Verify(b.s))
}

// TestTargetsOfNoObjectYet: what stands for one is named as such.
func TestTargetsOfNoObjectYet(t *testing.T) {
	b := bonds(t)["cascade"]
	id := b.create(t)
	recorded := world.Record(b.s).Spawn(b.tied)
	for to, want := range map[world.GameObject]string{
		recorded:         "0r0 stands for a recorded creation, and Apply was not called yet",
		family.Member(2): "stands for member 2 of a tree; give it to the Values of a Tree alone",
	} {
		_, err := world.Set(b.s, id, b.relation, to)
		require.ErrorIs(t, err, world.ErrDead)
		require.ErrorContains(t, err, want)
	}
	_, _, err := family.Spawn(b.s, family.Tree{Recipe: b.tied}, b.relation.Value(recorded))
	require.ErrorIs(t, err, world.ErrDead)
	require.ErrorContains(t, err, "0r0 stands for a recorded creation")
	assert.Equal(t, 1, world.Len(b.s))
}

var (
	place  = layout.NewField[uint32]("place")
	load   = layout.NewField("load", uint32(3))
	likes  = layout.NewRelation("likes", layout.Relation{Disposed: layout.Clear})
	needs  = layout.NewRelation("needs", layout.Relation{Disposed: layout.Cascade})
	guards = layout.NewRelation("guards", layout.Relation{Disposed: layout.Refuse})
	within = layout.NewRelation("within", layout.Relation{Disposed: layout.Cascade, Tree: true})
	sorted = layout.NewRelation("sorted", layout.Relation{
		Disposed: layout.Clear, Order: place, Fields: []layout.AnyField{load},
	})
	label = layout.NewComponent[uint32]("label")
)

// related returns a world of n objects that have all relations, without targets.
func related(t *testing.T, n int) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n,
		Kinds:       layout.Kinds(family.ChildOf, likes, needs, guards, within, sorted, label),
	}))
	ids := make([]world.GameObject, n)
	for i := range ids {
		var err error
		s, ids[i], err = world.CreateWith(s, family.ChildOf, likes, needs, guards, within, sorted)
		require.NoError(t, err)
	}
	return s, ids
}

// set returns the world in which an object refers to another one.
func set(
	s world.State, id world.GameObject, r layout.Field[world.GameObject], to world.GameObject,
) world.State {
	return world.Must(world.Set(s, id, r, to))
}

func children(
	s world.State, r layout.Field[world.GameObject], id world.GameObject,
) []world.GameObject {
	return slices.Collect(family.Children(s, r, id))
}

func TestRingsWithoutTrees(t *testing.T) {
	for _, c := range []struct {
		relation layout.Field[world.GameObject]
		size     int // of the ring
		live     int // of 4 objects, after one of the ring was disposed
	}{
		{likes, 1, 3},
		{needs, 1, 3},
		{guards, 1, 3},
		{likes, 2, 3},
		{needs, 2, 2},
		{guards, 2, 4},
		{likes, 3, 3},
		{needs, 3, 1},
		{guards, 3, 4},
	} {
		s, ids := related(t, 4)
		for i := range c.size {
			s = set(s, ids[i], c.relation, ids[(i+1)%c.size])
		}
		s, err := world.Dispose(s, ids[0])
		assert.Equal(t, c.live == 4, err != nil, "%v %d", c.relation, c.size)
		assert.Equal(t, c.live, world.Len(s), "%v %d", c.relation, c.size)
		s = world.Must(family.Dispose(s, c.relation, ids[3]))
		if world.Alive(s, ids[0]) {
			s, err = family.Dispose(s, c.relation, ids[0])
			require.NoError(t, err, "all of the ring go at once")
			assert.Equal(t, 3-c.size, world.Len(s))
		}
		world.Close(s)
	}
}

// Further fields keep their values while the reference changes, by any policy.
func TestFieldsBesideAReference(t *testing.T) {
	s, ids := related(t, 3)
	defer func() { world.Close(s) }()
	s = world.Must(world.Set(s, ids[1], load, 8))
	s = set(s, ids[1], sorted, ids[0])
	world.Put(world.Record(s), ids[1], sorted, ids[2])
	s = world.Must(world.Apply(s))
	s = world.Must(world.Dispose(s, ids[2]))
	assert.Zero(t, world.Must(world.Get(s, ids[1], sorted)))
	assert.Equal(t, uint32(8), world.Must(world.Get(s, ids[1], load)))
	s = world.Must(world.Remove(s, ids[1], sorted))
	world.Put(world.Record(s), ids[1], sorted, ids[0])
	s = world.Must(world.Apply(s))
	assert.Equal(t, uint32(3), world.Must(world.Get(s, ids[1], load)))
}

// TestReferencesThatNoCallWrites: no file and no delta brings one into a world, and Verify tells of
// it.
func TestReferencesThatNoCallWrites(t *testing.T) {
	c := world.Counts{Kinds: layout.Kinds(family.ChildOf)}
	for name, wrong := range map[string]struct {
		refers []world.GameObject // of objects 0 and 1
		want   string
	}{
		"of a creation": {
			[]world.GameObject{0, gameobject.MakeRecorded(0, 0)},
			"childOf: game object 1 refers to 0r0, which stands for a creation that is not recorded",
		},
		"of a member": {
			[]world.GameObject{family.Member(1), 0},
			"childOf: game object 0 refers to 1r2147483647, which stands for a creation that",
		},
		"dead": {
			[]world.GameObject{0, gameobject.MakeID(0, 7)},
			"childOf: game object 1 refers to 0v7, which is dead",
		},
		"out of range": {
			[]world.GameObject{0, gameobject.MakeID(1<<31, 1)},
			"childOf: game object 1 refers to 2147483648, which is dead",
		},
		"a ring": {
			[]world.GameObject{gameobject.MakeID(1, 1), gameobject.MakeID(0, 1)},
			"childOf 0 → 1 → 0: a tree has no rings",
		},
		"below a ring": {
			[]world.GameObject{gameobject.MakeID(1, 1), gameobject.MakeID(1, 1)},
			"childOf 1 → 1: a tree has no rings",
		},
		"itself": {
			[]world.GameObject{0, gameobject.MakeID(1, 1)},
			"childOf 1 → 1: a tree has no rings",
		},
	} {
		t.Run(name, func(t *testing.T) {
			sound := world.Must(world.CreateState(c))
			defer func() { world.Close(sound) }()
			for range 2 {
				sound, _ = world.Must2(world.CreateWith(sound, family.ChildOf))
			}
			require.NoError(t, tool.Verify(sound))
			broken := world.Must(world.Clone(sound))
			defer func() { world.Close(broken) }()
			copy(world.View(broken, family.ChildOf), wrong.refers)
			broken = tool.Touch(broken, family.ChildOf.Kind(), 0, 2)
			require.ErrorContains(t, tool.Verify(broken), wrong.want)
			if ring, ok := strings.CutSuffix(wrong.want, ": a tree has no rings"); ok {
				assert.PanicsWithValue(t, "flatecs: "+ring+"; write references by Set and commands",
					func() { family.Depth(broken, family.ChildOf) })
			}

			var file bytes.Buffer
			require.NoError(t, save.Write(&file, broken, save.Options{}))
			_, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), c, save.Options{})
			require.ErrorContains(t, err, wrong.want)

			var coder delta.Coder
			sound, err = coder.Apply(sound, world.Must(coder.Append(nil, sound, broken)))
			require.ErrorIs(t, err, delta.ErrDamaged)
			assert.Equal(t, []world.GameObject{0, 0}, world.View(sound, family.ChildOf)[:2])
			require.NoError(t, tool.Verify(sound))
		})
	}
}
