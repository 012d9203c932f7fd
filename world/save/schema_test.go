package save_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func diaries() save.Codec {
	return save.Values(diary,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })
}

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
	return s, saved(t, s, save.Options{Codecs: []save.Codec{diaries()}})
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
	o := save.Options{Codecs: []save.Codec{diaries()}}
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
			got := world.Must(world.Get(s, held[i], rope))
			assert.Equal(t, want, got)
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
