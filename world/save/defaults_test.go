package save_test

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/x448/float16"
)

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
