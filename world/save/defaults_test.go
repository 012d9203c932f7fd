package save_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A fleet is a program whose boats may have a field more than yesterday.
type fleet struct {
	counts world.Counts
	speed  layout.Field[float32]
	fuel   layout.Field[[2]int32] // in the later version alone
	boat   layout.Kind
	recipe world.Recipe
}

func newFleet(counted, later bool) fleet {
	f := fleet{speed: layout.NewField[float32]("speed", 3)}
	if later {
		f.fuel = layout.NewField("fuel", [2]int32{50, -1})
		f.boat = layout.NewKind("boat", f.fuel, f.speed)
	} else {
		f.boat = layout.NewKind("boat", f.speed)
	}
	f.recipe = world.NewRecipe("boat", f.boat)
	f.counts = countsOf(counted, f.boat)
	f.counts.Recipes = []world.Recipe{f.recipe}
	return f
}

// sail returns the world of a fleet, with rows in each state: on objects in and out of slabs,
// suspended, on no object, free, and never used ones of a slab.
func (f *fleet) sail(t *testing.T) (s world.State, ids []world.GameObject, loose layout.Row) {
	t.Helper()
	s, err := create(f.counts)
	require.NoError(t, err)
	var id world.GameObject
	for i := range 90 {
		if i%2 == 0 {
			s, id, err = world.Spawn(s, f.recipe)
		} else {
			s, id, err = world.CreateWith(s, f.boat)
		}
		require.NoError(t, err)
		s = world.Must(world.Set(s, id, f.speed, float32(i)))
		ids = append(ids, id)
	}
	for _, i := range []int{3, 4, 60} {
		s = world.Must(world.Dispose(s, ids[i]))
		ids[i] = 0
	}
	for _, i := range []int{7, 8} {
		s = world.Must(world.Suspend(s, ids[i], f.boat))
	}
	s, loose = world.Must2(world.CreateComponent(s, f.boat))
	return s, ids, loose
}

// checkFuel checks that a fleet has the speeds of sail and the default of fuel, everywhere.
func (f *fleet) checkFuel(t *testing.T, s world.State, ids []world.GameObject, loose layout.Row) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	fuel := [2]int32{50, -1}
	assert.Equal(t, fuel, world.View(s, f.fuel)[loose])
	for _, i := range []int{7, 8} {
		s = world.Must(world.Add(s, ids[i], f.boat))
	}
	for i, id := range ids {
		if id == 0 {
			continue
		}
		speed, err := world.Get(s, id, f.speed)
		require.NoError(t, err)
		assert.Equal(t, float32(i), speed)
		got, err := world.Get(s, id, f.fuel)
		require.NoError(t, err)
		assert.Equal(t, fuel, got, i)
	}
	for i := range 140 { // freed rows, rows of slabs, rows that were never used
		var id world.GameObject
		var err error
		if i%2 == 0 {
			s, id, err = world.Spawn(s, f.recipe)
		} else {
			s, id, err = world.CreateWith(s, f.boat)
		}
		require.NoError(t, err)
		got, err := world.Get(s, id, f.fuel)
		require.NoError(t, err)
		assert.Equal(t, fuel, got, i)
		speed, err := world.Get(s, id, f.speed)
		require.NoError(t, err)
		assert.Equal(t, float32(3), speed)
	}
	require.NoError(t, tool.Verify(s))
}

// TestANewFieldHasItsDefault: whichever way the file is read, in free and in counted room, and from
// one to the other.
func TestANewFieldHasItsDefault(t *testing.T) {
	defer closeOpened()
	for _, from := range []bool{false, true} {
		counted(t, func(t *testing.T, to bool) {
			t.Helper()
			old := newFleet(from, false)
			s, ids, loose := old.sail(t)
			for _, compress := range []bool{false, true} {
				o := save.Options{Compress: compress}
				file := saved(t, s, o)
				f := newFleet(to, true)
				back, report := world.Must2(read(file, f.counts, o))
				assert.Equal(t, []string{"boat.fuel"}, report.New)
				f.checkFuel(t, back, ids, loose)

				path := filepath.Join(t.TempDir(), "a.flat")
				require.NoError(t, save.Save(path, s, o))
				back, _ = world.Must2(save.Load(path, f.counts, o))
				f.checkFuel(t, back, ids, loose)

				spare, _, _ := f.sail(t) // used, and then loaded into
				back, _ = world.Must2(save.Reload(path, spare, o))
				f.checkFuel(t, back, ids, loose)

				kept, report := world.Must2(read(file, world.Counts{GameObjects: 3000}, o))
				assert.Equal(t, []string{"boat"}, report.Kept)
				back, _ = world.Must2(read(saved(t, kept, o), f.counts, o))
				f.checkFuel(t, back, ids, loose)
			}
		})
	}
}

// TestAnewFieldOfARowThatIsNotOnObjects: of a singleton, and of events in their ring.
func TestANewFieldOutsideObjects(t *testing.T) {
	defer closeOpened()
	type program struct {
		score, best, damage layout.Field[int32]
		armour              layout.Field[int32]
		hits                world.Events
		reader, more        world.EventReader
		counts              world.Counts
	}
	declare := func(later bool) (p program) {
		p.score, p.damage = layout.NewField[int32]("score", 1), layout.NewField[int32]("damage", 2)
		p.best, p.armour = layout.NewField[int32]("best", 77), layout.NewField[int32]("armour", 88)
		game, hit := []layout.AnyField{p.score}, []layout.AnyField{p.damage}
		if later {
			game, hit = append(game, p.best), append(hit, p.armour)
		}
		p.hits = world.NewEvents("hits", hit...)
		p.reader, p.more = p.hits.NewReader("first"), p.hits.NewReader("second")
		p.counts = world.Counts{
			Kinds:     layout.Kinds(layout.NewComponent[uint8]("body")),
			Resources: []world.ResourceKind{world.NewResource("game", game...)},
			Events:    []world.EventCount{p.hits.Count(8, p.reader)},
		}
		return p
	}
	old := declare(false)
	s, err := create(old.counts)
	require.NoError(t, err)
	s = world.SetResource(s, old.score, 10)
	for i := range int32(11) {
		var b world.EventBatch
		s, b = old.hits.Send(s)
		world.EventColumn(b, old.damage)[0] = i
	}
	p := declare(true)
	file := saved(t, s, save.Options{})
	back, report, err := read(file, p.counts, save.Options{})
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	assert.Equal(t, []string{"game.best", "hits.armour"}, report.New)
	assert.Equal(t, int32(10), world.Resource(back, p.score))
	assert.Equal(t, int32(77), world.Resource(back, p.best))
	check := func(s world.State, n int) {
		t.Helper()
		s, got, missed := p.reader.Receive(s)
		assert.Equal(t, 11-n, missed)
		next := int32(11 - n)
		for _, b := range got.Batches() {
			damage, armour := world.EventColumn(b, p.damage), world.EventColumn(b, p.armour)
			for i := range damage {
				assert.Equal(t, next, damage[i])
				assert.Equal(t, int32(88), armour[i])
				next++
			}
		}
		assert.Equal(t, int32(11), next)
		for range 20 {
			var b world.EventBatch
			s, b = p.hits.Send(s)
			assert.Equal(t, int32(88), world.EventColumn(b, p.armour)[0])
			assert.Equal(t, int32(2), world.EventColumn(b, p.damage)[0])
		}
	}
	check(back, 8)

	p.counts.Events[0] = p.hits.Count(16, p.reader, p.more)
	back, _ = world.Must2(read(file, p.counts, save.Options{}))
	require.NoError(t, tool.Verify(back))
	check(back, 8)
}

// TestRowsOfValuesThatAreFree: they are not decoded, and hold the default of the program.
func TestRowsOfValuesThatAreFree(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		declare := func(first string) (layout.Values[string], world.Counts, save.Options) {
			v := layout.NewValues("title", first)
			strict := save.Values(v,
				func(dst []byte, v string) ([]byte, error) { return append(append(dst, '='), v...), nil },
				func(b []byte) (string, error) {
					if len(b) == 0 || b[0] != '=' {
						return "", errors.New("no title")
					}
					return string(b[1:]), nil
				})
			return v, countsOf(counted, v.Kind()), save.Options{Codecs: []save.Codec{strict}}
		}
		title, counts, o := declare("none")
		s, err := create(counts)
		require.NoError(t, err)
		var ids []world.GameObject
		for range 9 {
			var id world.GameObject
			s, id = world.Must2(world.CreateWith(s, title))
			s = world.Must(world.SetValue(s, id, title, "Sir"))
			ids = append(ids, id)
		}
		s = world.Must(world.Dispose(s, ids[2]))
		s = world.Must(world.Suspend(s, ids[3], title))
		file := saved(t, s, o)
		kept, _, err := read(file, world.Counts{GameObjects: 3000}, save.Options{})
		require.NoError(t, err)
		kept = world.Must(world.Dispose(kept, ids[4]))
		for name, file := range map[string][]byte{"as saved": file, "kept": saved(t, kept, save.Options{})} {
			title, counts, o := declare("new")
			s, _, err := read(file, counts, o)
			require.NoError(t, err, name)
			require.NoError(t, tool.Verify(s))
			s = world.Must(world.Add(s, ids[3], title))
			for _, i := range []int{0, 1, 3, 5, 8} {
				v, err := world.ValueOf(s, ids[i], title)
				require.NoError(t, err)
				assert.Equal(t, "Sir", v)
			}
			for range 4 {
				var id world.GameObject
				s, id = world.Must2(world.CreateWith(s, title))
				v, err := world.ValueOf(s, id, title)
				require.NoError(t, err)
				assert.Equal(t, "new", v, name)
			}
		}
	})
}
