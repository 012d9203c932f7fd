package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/space"
)

var (
	exhibitWidth   = layout.NewField("width", uint16(640))
	exhibitScreen  = world.NewResource("exhibit screen", exhibitWidth)
	exhibitPicture = world.NewShared("exhibit picture", "none")
	exhibitPower   = layout.NewField[float32]("power")
	exhibitHits    = world.NewEvents("exhibit hits", exhibitPower)
	exhibitReader  = exhibitHits.NewReader("exhibit reader")
	exhibitWatcher = world.NewWatcher(world.NewQuery(world.With(busyMixed))).Keep(busyMixed)
	exhibited      = world.NewQuery(world.Read(busyMixed, world.Position))
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
	loose map[layout.Kind]layout.Row // rows on no object
	cells *roomCells                 // built
	kept  *world.Snapshot            // of the world when it was made
}

func exhibitCounts() world.Counts {
	c := world.Counts{
		GameObjects: 200, Kinds: layout.Kinds(
			busyMixed.Count(70), busyMark.Count(0), busyNames.Count(70),
			world.Position.Count(70), world.Velocity.Count(70), world.MaxVelocity.Count(70),
			world.Instance.Count(70), exhibitParent.Count(70),
		),
		Recipes: []world.Recipe{busyBoats, exhibitCrew}, Watchers: []world.Watcher{exhibitWatcher},
		Resources: []world.ResourceKind{exhibitScreen, exhibitPicture.Kind()},
		Events:    []world.EventCount{exhibitHits.Count(4, exhibitReader)},
		Names:     8, Globals: 8, Seed: 7, Commands: 16,
	}
	roomNetwork.AddTo(&c, 10)
	exhibitBoard.AddTo(&c)
	exhibitYard.AddTo(&c)
	return c
}

func newExhibit() *exhibit {
	x := &exhibit{loose: map[layout.Kind]layout.Row{}}
	s, ids := worldtest.Create(world.Must(world.CreateState(exhibitCounts())), 8)
	x.full, x.bare, x.dead = ids[0], ids[1], ids[2]
	for _, id := range ids[:1] {
		s = world.Must(addKinds(s, id, busyKinds...))
	}
	for _, id := range ids[3:] {
		s = world.Must(addKinds(s, id, busyKinds[:5]...))
	}
	for _, k := range busyKinds {
		if k != busyMark {
			s, x.loose[k] = worldtest.Made(world.Create(s, k))
		}
	}
	s = world.Must(world.SetName(s, x.full, "full"))
	s = world.Must(pack.SetGlobal(s, x.full, 9))
	s = world.Must(addKinds(s, x.full, exhibitParent.Kind()))
	s = world.Must(world.DisposeGameObject(s, x.dead))
	s = exhibitWatcher.Look(s)
	s, _ = exhibitHits.Send(s)
	s = world.Must(exhibitBoard.Create(s))
	s = world.Must(exhibitBoard.Enter(s, 0, x.full))
	x.cells = world.Must(space.NewCells(s, world.Position, space.Options{Size: 1}))
	x.s = x.cells.Build(world.Advance(s), nil)
	x.kept = taken(x.s)
	return x
}

// leave ends a call that returned something more, without an error.
func leave[T any](s world.State, _ T) world.State { return s }

// leaveTwo is leave for a call that returned two things more.
func leaveTwo[T, U any](s world.State, _ T, _ U) world.State { return s }

// try ends a call that returned something more, with an error.
func try[T any](s world.State, _ T, err error) (world.State, error) { return s, err }
