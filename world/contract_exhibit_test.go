package world_test

import (
	"context"
	"errors"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/space"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	exhibitWidth    = layout.NewField("width", uint16(640))
	exhibitLight    = layout.NewField[float32]("light")
	exhibitScreen   = world.NewResource("exhibit screen", exhibitWidth, exhibitLight)
	exhibitPicture  = world.NewShared("exhibit picture", "none")
	exhibitSeen     = stage.NewSeen("exhibit seen")
	exhibitPower    = layout.NewField[float32]("power")
	exhibitHits     = world.NewEvents("exhibit hits", exhibitPower)
	exhibitReader   = exhibitHits.NewReader("exhibit reader")
	exhibitWatcher  = world.NewWatcher(world.NewQuery(world.With(busyMixed))).Keep(busyMixed)
	exhibited       = world.NewQuery(world.Read(busyMixed, heroes.Position))
	exhibitedSince  = exhibited.And(world.Changed(busyMixed))
	exhibitNameless = world.NewQuery(world.Without(busyNames))
	exhibitGlobals  = world.NewQuery(world.Read(pack.Global))
	exhibitToWrite  = world.NewQuery(world.Write(heroes.Velocity))
	exhibitFloats   = make([]float32, 6) // one for each object with a position
	exhibitBare     = world.NewQuery(world.Without(busyMark))
)

// An exhibit is a small world with a bit of everything.
type exhibit struct {
	s    world.State
	full world.GameObject // has every kind, and a name
	bare world.GameObject // has no kinds
	dead world.GameObject

	former world.GameObject           // another object has its index now
	loose  map[layout.Kind]layout.Row // rows on no object; the next row was disposed
	cells  *roomCells                 // built
	kept   *world.Snapshot            // of the world when it was made
}

func exhibitCounts() world.Counts {
	c := world.Counts{
		GameObjects: 200, Kinds: layout.Kinds(
			busyMixed.Count(70), busyMark.Count(0), busyNames.Count(70),
			heroes.Position.Count(70), heroes.Velocity.Count(70), heroes.MaxVelocity.Count(70),
			heroes.Instance.Count(70), exhibitParent.Count(70),
		),
		Recipes: []world.Recipe{busyBoats, exhibitCrew}, Watchers: []world.Watcher{exhibitWatcher},
		Resources: []world.ResourceKind{exhibitScreen, exhibitPicture.Kind(), exhibitSeen.Kind()},
		Events:    []world.EventCount{exhibitHits.Count(4, exhibitReader)},
		Names:     8, Globals: 8, Seed: 7, Commands: 16,
	}
	roomNetwork.AddTo(&c, 10)
	exhibitBoard.AddTo(&c)
	exhibitYard.AddTo(&c)
	return c
}

func newExhibit() *exhibit { return newExhibitOf(exhibitCounts()) }

// newExhibitOf makes an exhibit with more room.
func newExhibitOf(c world.Counts) *exhibit {
	x := exhibitOf(c)
	x.kept = taken(x.s)
	return x
}

// exhibitOf makes an exhibit without a snapshot.
func exhibitOf(c world.Counts) *exhibit {
	x := &exhibit{loose: map[layout.Kind]layout.Row{}}
	s, ids := worldtest.Create(world.Must(world.CreateState(c)), 8)
	x.full, x.bare, x.dead, x.former = ids[0], ids[1], ids[2], ids[3]
	s, ids[3] = world.Must2(world.Create(world.Must(world.Dispose(s, x.former))))
	s = world.Must(addKinds(s, x.full, busyKinds...))
	for _, id := range ids[3:] {
		s = world.Must(addKinds(s, id, busyKinds[:5]...))
	}
	for _, k := range busyKinds {
		if k != busyMark {
			s, x.loose[k] = world.Must2(world.CreateComponent(s, k))
			next, row := world.Must2(world.CreateComponent(s, k))
			s = world.DisposeComponent(next, k, row)
		}
	}
	s = world.Must(world.SetName(s, x.full, "full"))
	s = world.Must(pack.SetGlobal(s, x.full, 9))
	s = world.Must(addKinds(s, x.full, exhibitParent.Kind()))
	s = world.Must(world.Dispose(s, x.dead))
	s = exhibitWatcher.Look(s)
	s, _ = exhibitHits.Send(s)
	s = world.Must(exhibitBoard.Create(s))
	s = world.Must(exhibitBoard.Enter(s, 0, x.full))
	x.cells = world.Must(space.NewCells(s, heroes.Position, space.Options{Size: 1}))
	x.s = x.cells.Build(world.Advance(s), nil)
	return x
}

var (
	exhibitParent = layout.NewRelation("contract parent", layout.Relation{
		Disposed: layout.Cascade, Tree: true,
	})
	exhibitCrew = world.NewRecipe("contract crew", exhibitParent)
	exhibitTree = systems.Tree{
		Recipe: exhibitCrew, Children: []systems.Tree{{Recipe: exhibitCrew}, {Recipe: exhibitCrew}},
	}

	// exhibitBoard is a grid of the exhibit, with an object in its first cell.
	exhibitBoard = space.NewGrid("exhibit board", space.GridOptions{Width: 4, Height: 2, Limit: 1})
	exhibitYard  = space.NewGrid("exhibit yard", space.GridOptions{Width: 2, Height: 2, Limit: 1})
)

// taken returns a snapshot of a State.
func taken(s world.State) *world.Snapshot {
	p := world.Must(world.NewSnapshot(s))
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}

// inBatch calls f with a batch of every exhibited object.
func inBatch(s world.State, f func(b world.Batch)) {
	for b := range exhibited.In(s) {
		f(b)
	}
}

// exhibitPacker has a codec for what objects of an exhibit have.
func exhibitPacker() *pack.Packer {
	return &pack.Packer{Codecs: []save.Codec{save.Values(busyNames,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })}}
}

// recorded returns a history of one frame.
func recorded(s world.State) *history.History {
	h := world.Must(history.New(s, 2, 1))
	if err := h.Record(s, []byte{0}); err != nil {
		panic(err)
	}
	return h
}

// timedLoop returns a loop of one frame.
func timedLoop() *stage.Timed {
	l := &stage.Timed{}
	l.Update = func(s world.State, _, _ float32) world.State {
		l.Stop()
		return heroes.MoveAll(s)
	}
	return l
}

var errContract = errors.New("the program refuses")

func refuseAll(s world.State) (world.State, error) { return s, errContract }

// Arguments of the contract, made in the room of a call.

func bare(g *room) any              { return g.bare }
func noKinds(*room) any             { return []layout.AnyKind{} }
func looseMixed(g *room) any        { return g.loose[busyMixed] }
func kept(g *room) any              { return g.keeping() }
func batchBelow(g *room) any        { return g.first(roomQuery.Down(g.s, exhibitParent)) }
func batchBelowToWrite(g *room) any { return g.first(exhibitToWrite.Down(g.s, exhibitParent)) }
func batchOfGlobals(g *room) any    { return g.first(exhibitGlobals.In(g.s)) }
func keptHistory(g *room) any       { return recorded(g.keeping().State()) }
func newFields(*room) any           { return []layout.AnyField{layout.NewField[uint8]("of no kind")} }

func packed(g *room) any {
	return world.Must(exhibitPacker().Pack(nil, g.keeping().State(), g.bare))
}

func startedLoop(*room) any {
	l := timedLoop()
	l.Start()
	return l
}

// carriedView returns a view of cells that carry velocities.
func carriedView(g *room) any {
	c := world.Must(space.NewCells(g.s, heroes.Position, space.Options{
		Size: 1, Carry: []space.Carried{space.Carry(heroes.Velocity)},
	}))
	g.s = c.Build(g.s, nil)
	return c.In(g.s)
}

// unsure is a call that may be refused.
func unsure(f func(x *exhibit, s world.State)) call {
	return func(x *exhibit, s world.State) (world.State, error) {
		f(x, s)
		return s, nil
	}
}

// changing is a call that changes the world by its tools.
func changing(f func(x *exhibit, t systems.Tools)) call {
	return func(x *exhibit, s world.State) (world.State, error) {
		t := systems.Changing(s)
		f(x, t)
		return t.Changed(), nil
	}
}

// making is a call that creates an object in a group.
func making(f func(x *exhibit, g *tool.Groups, ids []world.GameObject)) call {
	return func(x *exhibit, s world.State) (world.State, error) {
		var g tool.Groups
		g.Begin(s)
		f(x, &g, g.Create(nil, 1))
		return g.End(), nil
	}
}

// movingRoot returns a root whose hooks move the world.
func movingRoot(*room) any {
	r := &stage.Root{}
	if err := r.Add(stage.System{
		Name: "moving", Init: heroes.MoveAll,
		DrawGizmos: func(s world.State, _ *stage.Gizmos) world.State { return heroes.MoveAll(s) },
	}); err != nil {
		panic(err)
	}
	return r
}

// staging returns a launcher whose stages move the world.
func staging(*room) any {
	return &stage.Launcher{Stages: []stage.Stage{{
		Fixed:      func(s world.State, _ float32) world.State { return heroes.MoveAll(s) },
		Update:     func(s world.State, _, _ float32) world.State { return heroes.MoveAll(s) },
		DrawGizmos: heroes.MoveAll,
	}}}
}

// launching returns a launcher of one step.
func launching(run func(world.State) (world.State, error)) func(*room) any {
	return func(*room) any {
		return &stage.Launcher{StartUp: []stage.StartUpStep{{Name: "contract", Run: run}}}
	}
}

// ended is a context that is over.
var ended = func() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}()
