package save_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A program is a version of a small program: objects of one kind, with a number each.
type program struct {
	kind  layout.Kind
	moves []save.Migration // from each version before
	set   func(s world.State, id world.GameObject, n int) (world.State, error)
	get   func(s world.State, id world.GameObject) (int, error)
	more  func(s world.State, id world.GameObject) bool // the fields that version 1 lacks are right
	fresh int                                           // the default of the number
}

// programOf makes a program of the field that has the number.
func programOf[T any](
	kind layout.Kind, f layout.Field[T], of func(n int) T, number func(v T) int, fresh int,
	moves ...save.Migration,
) program {
	return program{
		kind, moves,
		func(s world.State, id world.GameObject, n int) (world.State, error) {
			return world.Set(s, id, f, of(n))
		},
		func(s world.State, id world.GameObject) (int, error) {
			v, err := world.Get(s, id, f)
			return number(v), err
		},
		func(world.State, world.GameObject) bool { return true }, fresh,
	}
}

func (p program) counts(counted bool) world.Counts {
	c := countsOf(counted, p.kind)
	c.Recipes = []world.Recipe{world.NewRecipe("one", p.kind)}
	return c
}

func whole(n int) uint16  { return uint16(n) }
func number(v uint16) int { return int(v) }

// programs returns version 1, 2 or 3 of each program.
func programs(version int) map[string]program {
	one := func(kind, field string, more ...layout.AnyField) (layout.Kind, layout.Field[uint16]) {
		f := layout.NewField[uint16](field, 3)
		return layout.NewKind(kind, append([]layout.AnyField{f}, more...)...), f
	}
	same := func(n uint16) uint16 { return n }
	all := map[string]program{}

	var others []layout.AnyField
	fuel, crew := layout.NewField[int32]("fuel", 50), layout.NewField[int8]("crew", -2)
	others = append(others, []layout.AnyField{crew, fuel}[3-version:]...)
	k, f := one("boat", "speed", others...)
	p := programOf(k, f, whole, number, 3)
	p.more = func(s world.State, id world.GameObject) bool {
		return (version < 2 || world.Must(world.Get(s, id, fuel)) == 50) &&
			(version < 3 || world.Must(world.Get(s, id, crew)) == -2)
	}
	all["new fields"] = p

	k, f = one("boat", []string{"speed", "pace", "tempo"}[version-1])
	all["a renamed field"] = programOf(k, f, whole, number, 3, []save.Migration{
		save.Migrate("boat.speed", f, same), save.Migrate("boat.pace", f, same),
	}[:version-1]...)

	k, f = one([]string{"boat", "vessel", "ship"}[version-1], "speed")
	all["a renamed kind"] = programOf(k, f, whole, number, 3, []save.Migration{
		save.MigrateKind("boat", k), save.MigrateKind("vessel", k),
	}[:version-1]...)

	if others = nil; version == 1 {
		others = []layout.AnyField{layout.NewField[uint8]("paint", 8)}
	}
	k, f = one("boat", "speed", others...)
	all["a removed field"] = programOf(k, f, whole, number, 3, []save.Migration{save.Drop("boat.paint")}[:min(1, version-1)]...)

	switch version {
	case 1:
		k, f = one("boat", "speed")
		all["another type"] = programOf(k, f, whole, number, 3)
	case 2:
		f := layout.NewField[float32]("speed", 4)
		all["another type"] = programOf(layout.NewKind("boat", f), f, func(n int) float32 { return float32(n) },
			func(v float32) int { return int(v) }, 4,
			save.Migrate("boat.speed", f, func(n uint16) float32 { return float32(n) }))
	case 3:
		f := layout.NewField("velocity", vec3{Y: 5})
		all["another type"] = programOf(layout.NewKind("boat", f), f, func(n int) vec3 { return vec3{Y: float32(n)} },
			func(v vec3) int { return int(v.Y) }, 5,
			save.Migrate("boat.speed", f, func(n float32) vec3 { return vec3{Y: n} }))
	}
	return all
}

// A crowded world is what TestVersionsOfPrograms saves: rows of each use.
type crowded struct {
	ids    []world.GameObject // object n has number n; 0: disposed
	asleep int
}

func (p program) fill(t *testing.T, counted bool) (world.State, crowded) {
	t.Helper()
	counts := p.counts(counted)
	s, err := create(counts)
	require.NoError(t, err)
	c := crowded{asleep: 11}
	for n := range 100 {
		var id world.GameObject
		if n%2 == 0 {
			s, id, err = world.Spawn(s, counts.Recipes[0])
		} else {
			s, id, err = world.CreateWith(s, p.kind)
		}
		require.NoError(t, err)
		s = world.Must(p.set(s, id, n))
		c.ids = append(c.ids, id)
	}
	for _, n := range []int{5, 6, 7, 70} {
		s = world.Must(world.Dispose(s, c.ids[n]))
		c.ids[n] = 0
	}
	s = world.Must(world.Suspend(s, c.ids[c.asleep], p.kind))
	return s, c
}

// check checks the numbers of a world, and that new objects have the defaults. It leaves s as it is.
func (p program) check(t *testing.T, s world.State, c *crowded) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	s, err := world.Clone(s)
	require.NoError(t, err)
	defer func() { world.Close(s) }()
	s = world.Must(world.Add(s, c.ids[c.asleep], p.kind))
	for n, id := range c.ids {
		if id == 0 {
			continue
		}
		got, err := p.get(s, id)
		require.NoError(t, err)
		require.Equal(t, n, got)
		assert.True(t, p.more(s, id), "of object %d", n)
	}
	recipe := world.CountsOf(s).Recipes[0]
	for i := range 200 {
		var id world.GameObject
		if i%2 == 0 {
			s, id, err = world.Spawn(s, recipe)
		} else {
			s, id, err = world.CreateWith(s, p.kind)
		}
		require.NoError(t, err)
		got, err := p.get(s, id)
		require.NoError(t, err)
		require.Equal(t, p.fresh, got)
		assert.True(t, p.more(s, id), "of a new object")
	}
}

// TestVersionsOfPrograms: files of version 1 of five programs are read by versions 2 and 3, from 2
// by 3, and by 1 again, which refuses what it does not know.
func TestVersionsOfPrograms(t *testing.T) {
	refused := map[string]bool{"new fields": true, "a renamed field": true, "another type": true}
	for name := range programs(1) {
		t.Run(name, func(t *testing.T) {
			for way := range 8 {
				if testing.Short() && way%3 != 0 {
					continue
				}
				from, to, last := way&1 != 0, way&2 != 0, way&4 != 0
				v1, v2, v3 := programs(1)[name], programs(2)[name], programs(3)[name]
				s, c := v1.fill(t, from)
				file := saved(t, s, save.Options{})

				second, _, err := read(file, v2.counts(to), save.Options{Migrations: v2.moves})
				require.NoError(t, err)
				v2.check(t, second, &c)
				if name != "another type" { // which version 3 knows of version 2 alone
					third, _, err := read(file, v3.counts(to), save.Options{Migrations: v3.moves})
					require.NoError(t, err)
					v3.check(t, third, &c)
				}
				third, _, err := read(saved(t, second, save.Options{}), v3.counts(last), save.Options{Migrations: v3.moves})
				require.NoError(t, err)
				v3.check(t, third, &c)

				file = saved(t, third, save.Options{})
				_, _, err = read(file, v1.counts(to), save.Options{Migrations: v1.moves})
				assert.Equal(t, refused[name], err != nil, "%v", err)
				if err != nil {
					require.ErrorIs(t, err, save.ErrMigration)
				}
				first, _, err := read(file, v1.counts(to), save.Options{DropFields: true})
				require.NoError(t, err)
				require.NoError(t, tool.Verify(first))
				closeOpened()
			}
		})
	}
}
