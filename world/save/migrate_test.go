package save_test

import (
	"maps"
	"strconv"
	"strings"
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

// TestNothingIsDroppedWithoutAWord: what only the file has is refused, dropped by name, or kept.
func TestNothingIsDroppedWithoutAWord(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		file, ids := crates(t, counted)
		declare := func() (layout.Field[uint32], world.Counts) {
			wieght := layout.NewField[uint32]("wieght", 5)
			return wieght, countsOf(counted, layout.NewKind("crate", layout.NewField[int16]("width"), wieght))
		}
		wieght, counts := declare()
		counts.GameObjects = 3000
		_, _, err := read(file, counts, save.Options{})
		require.ErrorIs(t, err, save.ErrMigration)
		require.ErrorContains(t, err, `crate.weight, uint32 × 1, is in the file and not in the program; new there, the `+
			`nearest first: crate.wieght, crate.width; add Migrate("crate.weight", …) or Drop("crate.weight") to `+
			`Options.Migrations; the same goes for crate.colour`)

		spare := world.Must(create(counts))
		_, _, err = save.Reread(strings.NewReader(string(file)), int64(len(file)), spare, save.Options{})
		require.ErrorContains(t, err, "crate.weight, uint32 × 1, is in the file")

		o := save.Options{Migrations: []save.Migration{
			save.Drop("crate.colour"), save.Drop("label"), save.Drop("crate.depth"),
			save.Migrate("crate.weight", wieght, func(n uint32) uint32 { return n + 1 }),
		}}
		s, report := world.Must2(read(file, counts, o))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"crate.colour", "label"}, report.Dropped)
		assert.Equal(t, []string{"size", "fragile"}, report.Kept)
		assert.Equal(t, []string{"crate.depth → nothing"}, report.Unused)
		assert.Equal(t, []string{"crate.width"}, report.New)
		for i, id := range ids {
			n := world.Must(world.Get(s, id, wieght))
			assert.Equal(t, uint32(i+1), n)
		}

		_, report = world.Must2(read(file, counts, save.Options{DropFields: true}))
		assert.Equal(t, []string{"crate.weight", "crate.colour"}, report.Dropped)
		assert.Equal(t, []string{"size", "fragile", "label"}, report.Kept)
	})
}

// TestMigrationsToWhatIsNotThere are refused, whatever the file has.
func TestMigrationsToWhatIsNotThere(t *testing.T) {
	defer closeOpened()
	file, _ := crates(t, false)
	same := func(v vec3) vec3 { return v }
	size, twin := layout.NewComponent[vec3]("size"), layout.NewComponent[vec3]("size")
	counts := countsOf(false, size.Kind())
	counts.GameObjects = 3000
	for text, m := range map[string]save.Migration{
		"size.size → volume.volume: the counts have no such kind volume; add it": save.Migrate("size.size",
			layout.NewComponent[vec3]("volume"), same),
		"size.size → size.size: the counts have no such kind size":         save.Migrate("size.size", twin, same),
		"crate → barrel: the counts have no such kind barrel":              save.MigrateKind("crate", layout.NewMark("barrel")),
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
}

// freeze returns the file of a program with a mark, on every third of 200 objects but 3, 6 and 9,
// and a watcher of it.
func freeze(
	t *testing.T, counted bool,
) (file []byte, ids []world.GameObject, counts world.Counts) {
	t.Helper()
	frozen := layout.NewMark("frozen")
	gone := world.NewWatcher(world.NewQuery(world.With(frozen)))
	sheet := world.NewRecipe("sheet", frozen)
	counts = countsOf(counted, frozen, layout.NewComponent[uint8]("body").Kind())
	counts.Recipes, counts.Watchers = []world.Recipe{sheet}, []world.Watcher{gone}
	s, err := create(counts)
	require.NoError(t, err)
	for i := range 200 {
		var id world.GameObject
		if i%3 == 0 {
			s, id, err = world.Spawn(s, sheet)
		} else {
			s, id, err = world.Create(s)
		}
		require.NoError(t, err)
		ids = append(ids, id)
	}
	s = world.Must(world.Remove(s, ids[3], frozen))
	s = world.Must(world.Dispose(s, ids[6]))
	s = gone.Look(s)
	s = world.Must(world.Dispose(s, ids[9]))
	return saved(t, s, save.Options{}), ids, counts
}

// TestAMarkThatBecomesAKind: whoever had it has it, with the defaults, of fields or of Go values;
// and back again, where fields are kept.
func TestAMarkThatBecomesAKind(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		file, ids, counts := freeze(t, counted)
		frozen := counts.Kinds[0].Kind
		since := layout.NewField[uint32]("since", 5)
		kind, words := layout.NewKind("frozen", since), layout.NewValues("frozen", "stiff")
		whoFroze := world.NewWatcher(world.NewQuery(world.With(kind)))
		later := countsOf(counted, kind, layout.NewComponent[uint8]("body").Kind())
		later.Recipes = []world.Recipe{world.NewRecipe("sheet", kind)}
		later.Watchers = []world.Watcher{whoFroze}
		s, report, err := read(file, later, save.Options{})
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"frozen.since"}, report.New)
		check := func(s world.State, k layout.Kind) {
			t.Helper()
			for i, id := range ids {
				assert.Equal(t, i%3 == 0 && i != 3 && i != 6 && i != 9, world.Has(s, id, k), i)
			}
		}
		check(s, kind)
		n := world.Must(world.Get(s, ids[12], since))
		assert.Equal(t, uint32(5), n)
		s = whoFroze.Look(s)
		assert.Equal(t, 64, whoFroze.Count(s), "the watcher goes on")
		s = world.Must(world.Set(s, ids[12], since, 77))

		_, _, err = read(saved(t, s, save.Options{}), counts, save.Options{})
		require.ErrorIs(t, err, save.ErrSchema)
		s, report = world.Must2(read(saved(t, s, save.Options{}), counts, save.Options{DropFields: true}))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"frozen.since"}, report.Dropped)
		check(s, frozen)

		told := countsOf(counted, words.Kind(), layout.NewComponent[uint8]("body").Kind())
		o := save.Options{Codecs: []save.Codec{texts(words)}, DropFields: true}
		s, _ = world.Must2(read(file, told, o))
		require.NoError(t, tool.Verify(s))
		check(s, words.Kind())
		v := world.Must(world.ValueOf(s, ids[12], words))
		assert.Equal(t, "stiff", v)
		s, report = world.Must2(read(saved(t, s, o), later, save.Options{DropFields: true}))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"frozen"}, report.Dropped)
		check(s, kind)
	})
}

// TestTextsAboutMigrations: of files that are sound, and need a word of the program.
func TestTextsAboutMigrations(t *testing.T) {
	defer closeOpened()
	many := make([]layout.AnyField, 12)
	for i := range many {
		many[i] = layout.NewField[uint8]("f" + strconv.Itoa(i))
	}
	s := world.Must(create(countsOf(false, layout.NewKind("wide", many...))))
	file := saved(t, s, save.Options{})
	f := layout.NewField[uint8]("f")
	counts := countsOf(false, layout.NewKind("wide", f))
	same := func(n uint8) uint8 { return n }
	for text, moves := range map[string][]save.Migration{
		"the same goes for wide.f1, wide.f2, wide.f3, wide.f4, wide.f5, wide.f6, wide.f7, wide.f8, and 3 more": nil,
		"wide.f4: two of the file's fields become f; drop a migration": {
			save.Migrate("wide.f3", f, same), save.Migrate("wide.f4", f, same),
		},
		"wide.f3 → wide.f takes uint16 × 1, and the file has uint8 × 1": {
			save.Migrate("wide.f3", f, func(n uint16) uint8 { return uint8(n) }),
		},
	} {
		_, _, err := read(file, counts, save.Options{Migrations: moves})
		require.ErrorIs(t, err, save.ErrMigration)
		require.ErrorContains(t, err, text)
	}
	assert.PanicsWithValue(t, "save: Migrate of wide.f without a function; give one", func() {
		save.Migrate[uint8, uint8]("wide.f", f, nil)
	})
	assert.Equal(t, "the zero Migration", save.Migration{}.String())
}

// A harbour is the kinds of a program by name, each of fields of type uint8.
type harbour map[string][]string

func (f harbour) counts() (c world.Counts, fields map[string]layout.Field[uint8]) {
	fields = map[string]layout.Field[uint8]{}
	for name, list := range f {
		var all []layout.AnyField
		for _, field := range list {
			fields[name+"."+field] = layout.NewField[uint8](field)
			all = append(all, fields[name+"."+field])
		}
		c.Kinds = append(c.Kinds, layout.NewKind(name, all...).Count(8))
	}
	c.GameObjects = 64
	return c, fields
}

// A stray is a file, a program and its migrations, and what Read says of them.
type stray struct {
	file, program harbour
	moves         all
	keep          bool
	text          string // of the error, or nothing
}

type (
	fields = map[string]layout.Field[uint8]
	all    = []func(fields) save.Migration
)

func moveStray(from, to string) func(fields) save.Migration {
	same := func(v uint8) uint8 { return v }
	return func(f fields) save.Migration { return save.Migrate(from, f[to], same) }
}

func kindStray(from, to string) func(fields) save.Migration {
	return func(f fields) save.Migration { return save.MigrateKind(from, f[to]) }
}

func dropStray(from string) func(fields) save.Migration {
	return func(fields) save.Migration { return save.Drop(from) }
}

var strayBoat = harbour{"boat": {"speed", "paint"}}

// refusedStrays are those that are errors.
func refusedStrays() map[string]stray {
	return map[string]stray{
		"a field misspelt": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("boat.sped", "boat.pace")},
			false,
			"boat.sped → boat.pace: the file has no boat.sped; it has boat.speed, which the program lacks",
		},
		"a field misspelt and kept": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("boat.sped", "boat.pace")},
			true,
			"it has boat.speed, which the program lacks",
		},
		"a field of a kind misspelt": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("baot.speed", "boat.pace")},
			true,
			"it has boat.speed, which the program lacks",
		},
		"a drop misspelt": {
			strayBoat,
			harbour{"boat": {"speed"}},
			all{dropStray("boat.pant")},
			false,
			"boat.pant → nothing: the file has no boat.pant; it has boat.paint, which the program lacks",
		},
		"a drop misspelt and kept": {strayBoat, harbour{"boat": {"speed"}}, all{dropStray("boat.pant")}, true, "it has boat.paint"},
		"a kind misspelt": {
			strayBoat,
			harbour{"ship": {"speed", "paint"}},
			all{kindStray("boats", "ship.speed")},
			false,
			"boats → ship: the file has no boats; it has boat, which the program lacks",
		},
		"a dropped kind misspelt": {strayBoat, harbour{"tree": {"age"}}, all{dropStray("baot")}, false, "it has boat, which"},
		"a kind stays behind": {
			strayBoat,
			harbour{"ship": {"pace", "paint"}},
			all{moveStray("boat.speed", "ship.pace")},
			false,
			"boat.speed → ship.pace: the file's boat does not become ship, and its values would stay behind; " +
				`add MigrateKind if the file has no ship, or Drop("boat")`,
		},
		"a kind that is known stays behind": {
			strayBoat,
			harbour{"boat": {"paint"}, "ship": {"pace"}},
			all{dropStray("boat.speed"), moveStray("boat.paint", "ship.pace")},
			false, "the file's boat does not become ship",
		},
		"a kind stays behind another": {
			harbour{"boat": {"speed"}, "ship": {"speed"}},
			harbour{"ship": {"speed"}},
			all{kindStray("boat", "ship.speed")},
			false, "boat → ship: the file's boat does not become ship, and its values",
		},
	}
}

// unusedStrays are those of other files.
func unusedStrays() map[string]stray {
	return map[string]stray{
		"renamed with its kind": {
			strayBoat,
			harbour{"ship": {"pace", "paint"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace")},
			false, "",
		},
		"migrated before": {
			harbour{"ship": {"pace", "paint"}},
			harbour{"ship": {"pace", "paint"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace"), dropStray("boat.crew")},
			false, "",
		},
		"migrated before, and the old name is back": {
			harbour{"ship": {"pace"}, "boat": {"speed"}},
			harbour{"ship": {"pace"}, "boat": {"speed"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace")},
			false, "",
		},
		"older than the names": {
			harbour{"tree": {"age"}},
			harbour{"tree": {"age"}, "ship": {"pace"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace"), dropStray("boat.paint"), dropStray("boat")},
			false, "",
		},
		"through names between": {
			harbour{"boat": {"pace"}},
			harbour{"boat": {"tempo"}},
			all{moveStray("boat.speed", "boat.tempo"), moveStray("boat.pace", "boat.tempo")},
			false, "",
		},
		"beside a kind that is kept": {
			harbour{"tree": {"age"}, "mod": {"n"}},
			harbour{"tree": {"age"}},
			all{kindStray("boat", "tree.age"), dropStray("crate")},
			false, "",
		},
		"dropped, and its fields": {strayBoat, harbour{"tree": {"age"}}, all{dropStray("boat"), dropStray("boat.speed")}, false, ""},
	}
}

// TestMigrationsThatMoveNothing: a migration that finds nothing is refused if its name is near one
// that the program lacks, or if its kind stays behind with values; others are unused, as those of
// files that are older than the name, or were migrated before.
func TestMigrationsThatMoveNothing(t *testing.T) {
	defer closeOpened()
	strays := refusedStrays()
	maps.Copy(strays, unusedStrays())
	for name, test := range strays {
		t.Run(name, func(t *testing.T) {
			c, _ := test.file.counts()
			s := world.Must(create(c))
			for _, k := range c.Kinds {
				s, _ = world.Must2(world.CreateWith(s, k.Kind))
			}
			c, byName := test.program.counts()
			o := save.Options{DropFields: test.keep}
			for _, m := range test.moves {
				o.Migrations = append(o.Migrations, m(byName))
			}
			s, _, err := read(saved(t, s, save.Options{}), c, o)
			if test.text != "" {
				require.ErrorIs(t, err, save.ErrMigration)
				require.ErrorContains(t, err, test.text)
				return
			}
			require.NoError(t, err)
			again, report, err := read(saved(t, s, save.Options{}), c, o)
			require.NoError(t, err, "a second time")
			require.Len(t, report.Unused, len(o.Migrations))
			require.Equal(t, saved(t, s, save.Options{}), saved(t, again, save.Options{}))
		})
	}
}
