package save_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// The kinds of an older program.
var (
	oldSpeed = layout.NewField("speed", [3]float32{1, 1, 1})
	oldAge   = layout.NewField[uint16]("age")
	oldUnit  = layout.NewKind("unit", oldSpeed, oldAge)

	armour   = layout.NewField("armour", [2]int32{-1, -1})
	armoured = layout.NewKind("armoured", armour)
	asleep   = layout.NewMark("asleep")
	diary    = layout.NewValues("diary", "")
	soldier  = world.NewRecipe("soldier", armoured, oldUnit)
	sleepers = world.NewWatcher(world.NewQuery(world.With(asleep)))
)

func oldCounts() world.Counts {
	return world.Counts{
		GameObjects: 500, Kinds: layout.Kinds(
			oldUnit.Count(400), armoured.Count(300), asleep.Count(0), diary.Count(20),
			heroes.Position.Count(500),
		),
		Recipes: []world.Recipe{soldier}, Watchers: []world.Watcher{sleepers},
	}
}

// oldFile returns the world of an older program, and its file.
func oldFile(t *testing.T) (world.State, []byte) {
	t.Helper()
	s := world.Must(world.CreateState(oldCounts()))
	for i := range 150 {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, soldier))
		if i%3 == 0 {
			s = world.Must(world.Dispose(s, id))
			continue
		}
		s = world.Must(world.Set(s, id, oldSpeed, [3]float32{float32(i), 2, 3}))
		s = world.Must(world.Set(s, id, armour, [2]int32{-1, int32(i)}))
		if i%10 == 0 {
			s = world.Must(world.Add(s, id, asleep))
			s = world.Must(world.Add(s, id, diary))
			s = world.Must(world.SetValue(s, id, diary, "slept"))
		}
	}
	s = sleepers.Look(s)
	return s, saved(t, s, save.Options{Codecs: []save.Codec{texts(diary)}})
}

func read(file []byte, c world.Counts, o save.Options) (world.State, save.Report, error) {
	s, report, err := save.Read(bytes.NewReader(file), int64(len(file)), c, o)
	opened = append(opened, s)
	return s, report, err
}

// opened are worlds that create and read made, most of free room, of whose addresses a host of 32
// bits has few.
var opened []world.State

func create(c world.Counts) (world.State, error) {
	s, err := world.CreateState(c)
	opened = append(opened, s)
	return s, err
}

// closeOpened closes all worlds that create and read made, used up or closed as they may be.
func closeOpened() {
	for _, s := range opened {
		systems.Discard(s)
	}
	opened = opened[:0]
}

// countsOf counts kinds, or leaves their room free.
func countsOf(counted bool, kinds ...layout.Kind) world.Counts {
	c := world.Counts{}
	for _, k := range kinds {
		if counted {
			c.GameObjects = 3000
			c.Kinds = append(c.Kinds, k.Count(2000))
		} else {
			c.Kinds = append(c.Kinds, k.Counted())
		}
	}
	return c
}

func counted(t *testing.T, test func(t *testing.T, counted bool)) {
	t.Helper()
	for name, counted := range map[string]bool{"free": false, "counted": true} {
		t.Run(name, func(t *testing.T) {
			defer closeOpened()
			test(t, counted)
		})
	}
}

func TestOtherCounts(t *testing.T) {
	old, file := oldFile(t)
	o := save.Options{Codecs: []save.Codec{texts(diary)}}
	for name, test := range map[string]struct {
		change func(*world.Counts)
		err    error
	}{
		"larger":          {func(c *world.Counts) { c.GameObjects, c.Kinds[0].Rows = 5000, 4000 }, nil},
		"smaller":         {func(c *world.Counts) { c.GameObjects, c.Kinds[0].Rows = 400, 350 }, nil},
		"too few objects": {func(c *world.Counts) { c.GameObjects = 64 }, world.ErrTooMany},
		"too few rows":    {func(c *world.Counts) { c.Kinds[0].Rows = 64 }, world.ErrFull},
		"recipes in another": {func(c *world.Counts) {
			c.Recipes = []world.Recipe{tree, soldier}
			c.Kinds = append(c.Kinds, body.Count(5))
		}, nil},
		"more watchers":  {func(c *world.Counts) { c.Watchers = append([]world.Watcher{anybody}, c.Watchers...) }, nil},
		"nothing at all": {func(c *world.Counts) { c.GameObjects = -1 }, world.ErrCount},
	} {
		t.Run(name, func(t *testing.T) {
			counts := oldCounts()
			test.change(&counts)
			s, _, err := read(file, counts, o)
			require.ErrorIs(t, err, test.err)
			if err != nil {
				return
			}
			require.NoError(t, tool.Verify(s))
			assert.Equal(t, world.Len(old), world.Len(s))
			assert.Equal(t, sleepers.Count(old), sleepers.Count(s))
			s, _ = world.Must2(world.Spawn(s, soldier))
			if len(counts.Watchers) == 2 {
				s = anybody.Look(s)
				assert.Equal(t, world.Len(s), anybody.Count(s), "a new watcher sees all")
			}
			assert.Equal(t, counts.Kinds, world.CountsOf(s).Kinds)
		})
	}
}

// reread reads a file into a spare world.
func reread(t *testing.T, path string, spare world.State) (world.State, save.Report, error) {
	t.Helper()
	b := world.Must(os.ReadFile(path))
	return save.Reread(bytes.NewReader(b), int64(len(b)), spare, options())
}

func TestReloadIntoASpareWorld(t *testing.T) {
	s, c := busy(t)
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, options()))
	fresh := world.Must(world.CreateState(c))
	empty := world.Must(world.CreateState(c))
	require.NoError(t, save.Save(path+"0", empty, options()))
	c.GameObjects, c.Kinds[4] = 5000, heroes.Position.Count(4000)
	larger := world.Must(world.CreateState(c))
	for name, spare := range map[string]world.State{
		"a new one": fresh, "one that was used": stir(t, empty, 700), "a larger one": stir(t, larger, 1200),
	} {
		back, report, err := reread(t, path, spare)
		require.NoError(t, err, name)
		assert.Empty(t, slices.Concat(report.Kept, report.New, report.Dropped), name)
		require.NoError(t, tool.Verify(back), name)
		if name != "a larger one" {
			assert.True(t, world.Equal(s, back), name)
			clean, _ := world.Must2(save.Load(path, busyCounts(), options()))
			assert.True(t, bytes.Equal(world.Bytes(clean), world.Bytes(back)), "to the last byte")
		}
		back, _, err = reread(t, path+"0", back)
		require.NoError(t, err, name)
		assert.Zero(t, world.Len(back))
		back = stir(t, back, 30)
		require.NoError(t, tool.Verify(back))
	}
	_, file := oldFile(t)
	other := world.Must(world.CreateState(busyCounts()))
	_, _, err := save.Reread(bytes.NewReader(file), int64(len(file)), other, options())
	require.ErrorIs(t, err, save.ErrSchema)
	require.ErrorContains(t, err, "the spare world has not all of its kinds")
}

// TestRelationsThatAProgramDidNotKnow: it disposed objects that others referred to.
func TestRelationsThatAProgramDidNotKnow(t *testing.T) {
	defer closeOpened()
	for _, p := range []layout.Policy{layout.Clear, layout.Cascade, layout.Refuse} {
		rope := layout.NewRelation("rope", layout.Relation{Disposed: p, Tree: true})
		counts := world.Counts{Kinds: layout.Kinds(rope)}
		s := world.Must(create(counts))
		s, first := world.Must2(world.Create(s))
		s, second := world.Must2(world.Create(s))
		var held []world.GameObject
		for _, at := range []world.GameObject{first, second, second} {
			var id world.GameObject
			s, id = world.Must2(world.CreateWith(s, rope))
			s = world.Must(world.Set(s, id, rope, at))
			held = append(held, id)
		}
		s, _, err := read(saved(t, s, save.Options{}), world.Counts{Kinds: layout.Kinds(home)}, save.Options{})
		require.NoError(t, err)
		s = world.Must(world.Dispose(s, second))
		s, _ = world.Must2(world.Create(s)) // of the same index
		s, report := world.Must2(read(saved(t, s, save.Options{}), counts, save.Options{}))
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"rope: 2"}, report.Cleared)
		for i, want := range []world.GameObject{first, 0, 0} {
			assert.Equal(t, want, world.Must(world.Get(s, held[i], rope)))
		}
	}
}

// TestAKindMayBeCalledAsTheLibrarysAre: a program's kind with a name that the library gives is saved
// and loaded by a program that has it, and kept by one that lacks it.
func TestAKindMayBeCalledAsTheLibrarysAre(t *testing.T) {
	for _, name := range []string{
		"random source", "name", "order of names", "global", "readers of x", "elements of x",
		"free runs of x", "left: x", "own", "a=b", "a.b", " ", "\xff", "\n",
	} {
		f := layout.NewField[uint32]("n")
		k := layout.NewKind(name, f)
		c := world.Counts{GameObjects: 4, Kinds: layout.Kinds(k.Count(4))}
		s, id, err := world.CreateWith(world.Must(create(c)), k)
		require.NoError(t, err)
		file := saved(t, world.Must(world.Set(s, id, f, 7)), save.Options{})
		tool, _ := world.Must2(read(file, world.Counts{GameObjects: 4}, save.Options{}))
		for _, file := range [][]byte{file, saved(t, tool, save.Options{})} {
			s, report, err := read(file, c, save.Options{})
			require.NoError(t, err, "%q", name)
			require.Empty(t, report.Kept)
			require.EqualValues(t, 7, world.Must(world.Get(s, id, f)), "%q", name)
		}
	}
}

type (
	vec3 struct{ X, Y, Z float32 }
	gun  struct {
		Target world.GameObject
		Pos    vec3
		Heat   float16.Float16
		Ready  bool
		Shots  [2]struct{ Left uint8 }
		Flags  [7]bool
	}
)

// A tank is what a program of today has.
var (
	tankGun  = layout.NewField("gun", gun{Pos: vec3{Y: 2}, Heat: float16.Fromfloat32(1.5), Ready: true})
	tankName = layout.NewField[[3]uint8]("name")
	tank     = layout.NewKind("tank", tankGun, tankName)
	home     = layout.NewComponent[vec3]("home")
)

func tankCounts() world.Counts {
	return world.Counts{GameObjects: 100, Kinds: layout.Kinds(tank.Count(90), home)}
}

// tanks returns a world in which each tank aims at the one before it.
func tanks(t *testing.T) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(tankCounts()))
	var ids []world.GameObject
	for i := range 70 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, tank, home.Kind()))
		g := gun{Pos: vec3{float32(i), 1, -1}, Heat: float16.Fromfloat32(float32(i)), Ready: i%2 == 0}
		g.Shots[1].Left, g.Flags[6] = uint8(i), i%3 == 0
		if i > 0 {
			g.Target = ids[i-1]
		}
		s = world.Must(world.Set(s, id, tankGun, g))
		s = world.Must(world.Set(s, id, home, vec3{Z: float32(i)}))
		ids = append(ids, id)
	}
	s = world.Advance(world.Advance(s))
	return s, ids
}

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

// TestFilesOfEveryVersion loads what each format has written.
func TestFilesOfEveryVersion(t *testing.T) {
	counts, o := busyCounts(), options()
	crowded := world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(3000), heroes.Velocity.Count(3000),
	), Recipes: []world.Recipe{mover}}
	for _, test := range []struct {
		path   string
		counts world.Counts
		tick   uint64
		digest uint64
	}{
		{"testdata/v1.flat", counts, 901, 0xd7b261a61ddf291b},
		{"testdata/v1zstd.flat", crowded, 2, 0x285c87b3c9ff08b3},
		{"testdata/v1parts.flat", tankCounts(), 3, 0x4ae65211a11b5e10},
	} {
		t.Run(test.path, func(t *testing.T) {
			s, report := world.Must2(save.Load(test.path, test.counts, o))
			require.NoError(t, tool.Verify(s))
			assert.Empty(t, slices.Concat(report.Kept, report.New, report.Dropped))
			assert.Equal(t, test.tick, report.Tick)
			assert.Equal(t, test.digest, world.Digest(s))
			v := world.Must(save.Open(test.path))
			require.NoError(t, v.Verify())
			require.NoError(t, v.Close())
		})
	}
	assert.Len(t, world.Must(filepath.Glob("testdata/v*.flat")), 3, "each has a line above")
}

var writeFiles = flag.Bool("save.write", false, "write testdata of this format anew")

func TestWriteFilesOfThisVersion(t *testing.T) {
	if !*writeFiles {
		return
	}
	s, _ := busy(t)
	require.NoError(t, save.Save("testdata/v1.flat", s, options()))
	s = crowd(t, 3000)
	require.NoError(t, save.Save("testdata/v1zstd.flat", s, save.Options{Compress: true}))
	s, _ = tanks(t)
	require.NoError(t, save.Save("testdata/v1parts.flat", s, save.Options{}))
}
