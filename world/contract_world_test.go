package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	exhibitWidth   = layout.NewField("width", uint16(640))
	exhibitScreen  = world.NewResource("exhibit screen", exhibitWidth)
	exhibitPicture = world.NewShared("exhibit picture", "none")
	exhibitPower   = layout.NewField[float32]("power")
	exhibitHits    = world.NewEvents("exhibit hits", exhibitPower)
	exhibitReader  = exhibitHits.NewReader("exhibit reader")
	exhibitWatcher = world.NewWatcher(world.NewQuery(world.With(busyMixed)))
	exhibited      = world.NewQuery(world.Read(busyMixed, world.XYZ))
	exhibitedSince = exhibited.And(world.Changed(busyMixed))
	exhibitMarked  = world.NewQuery(world.With(busyMark))
	exhibitBare    = world.NewQuery(world.Without(busyMark))
)

// An exhibit is a small world with a bit of everything.
type exhibit struct {
	s     world.State
	full  world.GameObject // has every kind, and a name
	bare  world.GameObject // has none
	dead  world.GameObject
	loose map[world.Kind]world.Row // rows on no object
	kept  *world.Snapshot          // of the world when it was made
}

func exhibitCounts() world.Counts {
	return world.Counts{
		GameObjects: 200, Positions: 70, Velocities: 70, Flies: 70, Kinds: []layout.Count{
			busyMixed.Count(70), busyMark.Count(0), busyNames.Count(70),
		},
		Recipes: []world.Recipe{busyBoats}, Watchers: []world.Watcher{exhibitWatcher},
		Resources: []world.ResourceKind{exhibitScreen, exhibitPicture.Kind()},
		Events:    []world.EventCount{exhibitHits.Count(4, exhibitReader)},
		Names:     8, Seed: 7, Commands: 16,
	}
}

func newExhibit() *exhibit {
	x := &exhibit{loose: map[world.Kind]world.Row{}}
	s, ids := create(must(world.CreateState(exhibitCounts())), 8)
	x.full, x.bare, x.dead = ids[0], ids[1], ids[2]
	for _, id := range ids[:1] {
		s = must(world.AddKinds(s, id, busyKinds...))
	}
	for _, id := range ids[3:] {
		s = must(world.AddKinds(s, id, busyKinds[:5]...))
	}
	for _, k := range busyKinds {
		if k != busyMark {
			s, x.loose[k] = made(world.Create(s, k))
		}
	}
	s = must(world.SetName(s, x.full, "full"))
	s = must(world.DisposeGameObject(s, x.dead))
	s = world.Look(s, exhibitWatcher)
	s, _ = world.Send(s, exhibitHits)
	x.s = world.Advance(s)
	x.kept = taken(x.s)
	return x
}

// leave ends a call that returned something more, without an error.
func leave[T any](s world.State, _ T) world.State { return s }

// leaveTwo is leave for a call that returned two things more.
func leaveTwo[T, U any](s world.State, _ T, _ U) world.State { return s }

// try ends a call that returned something more, with an error.
func try[T any](s world.State, _ T, err error) (world.State, error) { return s, err }
