package save_test

import (
	"strconv"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crates returns the file of a program whose crates have a weight and a colour, are marked, have a
// component and a Go value; object i has i in each.
func crates(t *testing.T, counted bool) ([]byte, []world.GameObject) {
	t.Helper()
	weight, colour := layout.NewField[uint32]("weight", 1), layout.NewField[uint8]("colour", 2)
	crate := layout.NewKind("crate", weight, colour)
	size := layout.NewComponent("size", vec3{X: 1})
	fragile, label := layout.NewMark("fragile"), layout.NewValues("label", "none")
	recipe := world.NewRecipe("crate", crate, size, fragile)
	counts := countsOf(counted, crate, size.Kind(), fragile, label.Kind())
	counts.Recipes = []world.Recipe{recipe}
	s := world.Must(create(counts))
	var ids []world.GameObject
	for i := range 70 {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, recipe))
		s = world.Must(world.Set(s, id, weight, uint32(i)))
		s = world.Must(world.Set(s, id, colour, uint8(i)))
		s = world.Must(world.Set(s, id, size, vec3{Y: float32(i)}))
		s = world.Must(world.Add(s, id, label))
		s = world.Must(world.SetValue(s, id, label, strconv.Itoa(i)))
		ids = append(ids, id)
	}
	s = world.Must(world.Dispose(s, ids[69]))
	return saved(t, s, save.Options{Codecs: []save.Codec{texts(label)}}), ids[:69]
}

func texts(v layout.Values[string]) save.Codec {
	return save.Values(v,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })
}

// TestKindsAreRenamed: of fields, of one field, a mark, Go values; a field with it.
func TestKindsAreRenamed(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		file, ids := crates(t, counted)
		mass, colour := layout.NewField[float64]("mass"), layout.NewField[uint8]("colour", 9)
		box := layout.NewKind("box", colour, mass)
		extent := layout.NewComponent("extent", vec3{X: 1})
		brittle, title := layout.NewMark("brittle"), layout.NewValues("title", "")
		counts := countsOf(counted, box, extent.Kind(), brittle, title.Kind())
		o := save.Options{Codecs: []save.Codec{texts(title)}, Migrations: []save.Migration{
			save.MigrateKind("size", extent), save.MigrateKind("crate", box),
			save.MigrateKind("fragile", brittle), save.MigrateKind("label", title),
			save.Migrate("crate.weight", mass, func(n uint32) float64 { return float64(n) / 2 }),
			save.MigrateKind("barrel", box),
		}}
		s, report := world.Must2(read(file, counts, o))
		require.NoError(t, tool.Verify(s))
		assert.Empty(t, report.Kept)
		assert.Empty(t, report.New)
		assert.Equal(t, []string{
			"crate → box", "crate.weight → box.mass", "size → extent", "fragile → brittle", "label → title",
		}, report.Migrated)
		assert.Equal(t, []string{"barrel → box"}, report.Unused)
		for i, id := range ids {
			m := world.Must(world.Get(s, id, mass))
			assert.Equal(t, float64(i)/2, m)
			c := world.Must(world.Get(s, id, colour))
			assert.Equal(t, uint8(i), c)
			e := world.Must(world.Get(s, id, extent))
			assert.Equal(t, vec3{Y: float32(i)}, e)
			assert.True(t, world.Has(s, id, brittle))
			v := world.Must(world.ValueOf(s, id, title))
			assert.Equal(t, strconv.Itoa(i), v)
		}
		s, id := world.Must2(world.CreateWith(s, box))
		c := world.Must(world.Get(s, id, colour))
		assert.Equal(t, uint8(9), c)

		again, report := world.Must2(read(saved(t, s, o), counts, o))
		assert.Len(t, report.Unused, len(o.Migrations), "it is a file of today")
		assert.True(t, world.Equal(s, again))
	})
}

// TestMigrationsToNoField: of a field that another one of the name is in the program, or that is of
// no kind; and of calls that are mistakes.
func TestMigrationsToNoField(t *testing.T) {
	defer closeOpened()
	file, _ := crates(t, false)
	same := func(v vec3) vec3 { return v }
	size, twin := layout.NewComponent[vec3]("size"), layout.NewComponent[vec3]("size")
	counts := countsOf(false, size.Kind())
	counts.GameObjects = 3000
	for text, m := range map[string]save.Migration{
		"size.size → size.size: the counts have no such kind size":         save.Migrate("size.size", twin, same),
		"size.size → free: the field has no kind; name it":                 save.Migrate("size.size", layout.NewField[vec3]("free"), same),
		"number 0 of Options.Migrations is the zero Migration; make it by": {},
	} {
		_, _, err := read(file, counts, save.Options{Migrations: []save.Migration{m}})
		require.ErrorIs(t, err, save.ErrMigration)
		require.ErrorContains(t, err, text)
	}
	assert.Panics(t, func() { save.MigrateKind("crate", nil) })
	assert.Panics(t, func() { save.MigrateKind("crate", layout.Kind{}) })
	assert.Panics(t, func() { save.MigrateKind("crate", layout.NewField[int8]("n")) })
	assert.PanicsWithValue(t, "save: Migrate of size.size without a function; give one", func() {
		save.Migrate[vec3, vec3]("size.size", size, nil)
	})
	assert.Equal(t, "the zero Migration", save.Migration{}.String())
}
