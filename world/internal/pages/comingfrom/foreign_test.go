package comingfrom_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/save"
)

// foreign returns a kind of one uint8, of which no Go type knows.
func foreign(t *testing.T, place int, name string) layout.Kind {
	t.Helper()
	f, err := layout.FieldSpec{Name: name, Parts: []layout.Part{{Type: "uint8", Lanes: 1}}, Default: []byte{7}}.Foreign()
	require.NoError(t, err)
	return layout.KindSpec{Name: name}.Foreign(place, f)
}

// Kinds at run time are like others: in structure, saves, deltas, digests, Resized.
func TestKindsAtRunTimeAreLikeOthers(t *testing.T) {
	armour, shield := foreign(t, 0, "armour"), foreign(t, 1, "shield")
	counts := world.Counts{
		Kinds: layout.Kinds(Position, Velocity, family.ChildOf, armour), Recipes: []world.Recipe{Drone},
	}
	s := world.Must(world.CreateState(counts))
	defer func() { world.Close(s) }()
	s, drone, err := world.Spawn(s, Drone)
	require.NoError(t, err)
	empty := world.Must(world.Clone(s))
	defer func() { world.Close(empty) }()
	s, err = world.Add(s, drone, armour)
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	back, report, err := save.Load(path, counts, save.Options{})
	require.NoError(t, err)
	defer func() { world.Close(back) }()
	assert.Empty(t, report.Kept)
	assert.Equal(t, world.Digest(s), world.Digest(back))

	b := world.Must(delta.Append(nil, empty, s))
	empty = world.Must(delta.Apply(empty, b))
	assert.True(t, world.Equal(s, empty))

	counts.Kinds = append(counts.Kinds, layout.Kinds(shield)...)
	more := world.Must(world.Resized(s, counts))
	defer func() { world.Close(more) }()
	more, err = world.Add(more, drone, shield)
	require.NoError(t, err)
	assert.Equal(t, 1, world.NewQuery(world.With(armour, shield)).Count(more))
	s, err = world.Remove(s, drone, armour)
	require.NoError(t, err)
	assert.False(t, world.Has(s, drone, armour))
}
