package family_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
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

// refuses applies what is recorded, and checks which commands are refused.
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

// TestDeadTargetsAreRefused: by each command alike, whatever the policy; nothing is created.
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
