package save_test

import (
	"errors"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
)

// A coast is a program that has values beside its objects, of which each may have a field more than
// yesterday: a singleton, events in their ring, and a component that is on no object.
type coast struct {
	score, best, damage layout.Field[int32]
	armour, speed, fuel layout.Field[int32]
	boat                layout.Kind
	hits                world.Events
	reader, more        world.EventReader
	counts              world.Counts
}

func newCoast(later bool) (p coast) {
	p.score, p.damage = layout.NewField[int32]("score", 1), layout.NewField[int32]("damage", 2)
	p.best, p.armour = layout.NewField[int32]("best", 77), layout.NewField[int32]("armour", 88)
	p.speed, p.fuel = layout.NewField[int32]("speed", 3), layout.NewField[int32]("fuel", 99)
	game, hit := []layout.AnyField{p.score}, []layout.AnyField{p.damage}
	boat := []layout.AnyField{p.speed}
	if later {
		game, hit, boat = append(game, p.best), append(hit, p.armour), append(boat, p.fuel)
	}
	p.boat = layout.NewKind("boat", boat...)
	p.hits = world.NewEvents("hits", hit...)
	p.reader, p.more = p.hits.NewReader("first"), p.hits.NewReader("second")
	p.counts = world.Counts{
		Kinds:     layout.Kinds(p.boat),
		Resources: []world.ResourceKind{world.NewResource("game", game...)},
		Events:    []world.EventCount{p.hits.Count(8, p.reader)},
	}
	return p
}

func TestANewFieldOutsideObjects(t *testing.T) {
	defer closeOpened()
	old := newCoast(false)
	s := world.Must(create(old.counts))
	s, loose := world.Must2(world.CreateComponent(s, old.boat))
	s = world.SetResource(s, old.score, 10)
	for i := range int32(11) {
		var b world.EventBatch
		s, b = old.hits.Send(s)
		world.EventColumn(b, old.damage)[0] = i
	}
	p := newCoast(true)
	file := saved(t, s, save.Options{})
	back, report := world.Must2(read(file, p.counts, save.Options{}))
	require.NoError(t, tool.Verify(back))
	assert.Equal(t, []string{"boat.fuel", "game.best", "hits.armour"}, report.New)
	assert.Equal(t, int32(99), world.View(back, p.fuel)[loose])
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
		s := world.Must(create(counts))
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
		kept, _ := world.Must2(read(file, world.Counts{GameObjects: 3000}, save.Options{}))
		kept = world.Must(world.Dispose(kept, ids[4]))
		for name, file := range map[string][]byte{"as saved": file, "kept": saved(t, kept, save.Options{})} {
			title, counts, o := declare("new")
			s, _, err := read(file, counts, o)
			require.NoError(t, err, name)
			require.NoError(t, tool.Verify(s))
			s = world.Must(world.Add(s, ids[3], title))
			for _, i := range []int{0, 1, 3, 5, 8} {
				v := world.Must(world.ValueOf(s, ids[i], title))
				assert.Equal(t, "Sir", v)
			}
			for range 4 {
				var id world.GameObject
				s, id = world.Must2(world.CreateWith(s, title))
				v := world.Must(world.ValueOf(s, id, title))
				assert.Equal(t, "new", v, name)
			}
		}
	})
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

func TestStructsThatAreMigrated(t *testing.T) {
	s, ids := tanks(t)
	file := saved(t, s, save.Options{})
	change := func(k layout.AnyKind) world.Counts {
		counts := tankCounts()
		counts.Kinds[1] = k.Kind().Counted()
		return counts
	}
	type wide struct{ X, Y, Z float64 }
	wider := layout.NewComponent[wide]("home")
	back, report, err := read(file, change(wider), save.Options{Migrations: []save.Migration{
		save.Migrate("home.home", wider, func(v vec3) wide { return wide{float64(v.X), 7, float64(v.Z)} }),
	}})
	require.NoError(t, err)
	assert.Equal(t, []string{"home.home → home.home"}, report.Migrated)
	for i, id := range ids {
		v := world.Must(world.Get(back, id, wider))
		assert.Equal(t, wide{0, 7, float64(i)}, v)
	}

	array := layout.NewComponent[[3]float32]("home")
	back, report, err = read(file, change(array), save.Options{})
	require.NoError(t, err, "an array is as good as a struct of nothing else")
	assert.Empty(t, report.New)
	v := world.Must(world.Get(back, ids[5], array))
	assert.Equal(t, [3]float32{0, 0, 5}, v)
}

func TestColumnsOfStructsInAFile(t *testing.T) {
	s, ids := tanks(t)
	path := t.TempDir() + "/a.flat"
	require.NoError(t, save.Save(path, s, save.Options{}))
	f := world.Must(save.Open(path))
	defer func() { require.NoError(t, f.Close()) }()
	guns := world.Must(save.FileColumn(f, tankGun))
	require.Len(t, guns, 70)
	for row, g := range guns {
		id, ok := f.ObjectOf("tank", row)
		require.True(t, ok)
		want := world.Must(world.Get(s, id, tankGun))
		assert.Equal(t, want, g)
	}
	_, field, err := f.Bytes("tank", "gun")
	require.NoError(t, err)
	assert.Equal(t, tankGun.Spec().Parts, field.Parts)
	assert.Contains(t, field.Text(field.Default), "{Target:nobody Pos.X:0 Pos.Y:2 Pos.Z:0 Heat:1.5 Ready:true Shots[0].Left:0")
	assert.Contains(t, field.Shape(), "Target id × 1, Pos.X float32 × 1")
	assert.Len(t, ids, 70)
}
