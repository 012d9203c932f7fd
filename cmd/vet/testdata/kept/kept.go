package kept

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

type vec struct{ X, Y, Z float32 }

var (
	Position = layout.NewComponent[vec]("position")
	Lift     = layout.NewComponent[float32]("lift")
	rising   = world.NewQuery(world.Write(Position), world.Read(Lift))
	Balloon  = world.NewRecipe("balloon", Position.Kind(), Lift.Kind())
)

type scene struct {
	at     []vec
	batch  world.Batch
	lifts  map[int][]float32
	pieces []piece
}

type piece struct{ at []vec }

var global []vec

func outside(
	s world.State, g *scene, list [][]vec, byName map[string]piece, c chan []vec,
) (out []vec, floats []float32) {
	for b := range rising.In(s) {
		p, l := world.Column(b, Position), world.Column(b, Lift)
		g.at = p                                                           // want `this column is kept in g.at, and is not valid beyond this turn of the walk; keep values or ids, b.ID\(i\), and look them up later with world.Get`
		g.batch = b                                                        // want `this batch is kept in g.batch`
		g.lifts[3] = l                                                     // want `this column is kept in g.lifts\[3\]`
		global = p[1:]                                                     // want `this column is kept in global of the package`
		g.pieces = append(g.pieces, piece{p})                              // want `this column is kept in g.pieces`
		list[0] = p                                                        // want `this column is kept in list\[0\]`
		byName["first"] = piece{p}                                         // want `this column is kept in byName\["first"\]`
		_, g.at = 3, p                                                     // want `this column is kept in g.at`
		out = world.Column(b, Position)                                    // want `this column is kept in out`
		floats = layout.Flat[float32](Position, world.Column(b, Position)) // want `this column is kept in floats`
		c <- p                                                             // want `this column is sent to a goroutine`
		go use(p)                                                          // want `this column is given to a goroutine`
		go func() {
			use(p) // want `this column is given to a goroutine`
			use(p)
			_ = b.Len() // want `this batch is given to a goroutine`
		}()
		defer use(p[:1]) // want `this column is given to a deferred call`
		if len(p) > 3 {
			return p, nil // want `this column is returned`
		}
		return world.Column(b, Position)[1:], nil // want `this column is returned`
	}
	return
}

func locals(s world.State) (n int, err error) {
	var (
		all          [][]vec
		last, sooner []vec
		first        []vec
		best         *vec
		before       world.Batch
		one          piece
	)
	for b := range rising.In(s) {
		n += before.Len() + len(sooner)
		before = b                         // want `this batch is kept in before`
		sooner = world.Column(b, Position) // want `this column is kept in sooner`
		p := world.Column(b, Position)
		all = append(all, p)             // want `this column is kept in all`
		last = world.Column(b, Position) // want `this column is kept in last`
		one = piece{at: p}               // want `this column is kept in one`
		for i := range p {
			if best == nil || p[i].Y > best.Y {
				best = &p[i] // want `this pointer into a column is kept in best`
			}
		}
	}
	_, err = world.SpawnN(s, Balloon, 3, func(b world.Batch) {
		first = world.Column(b, Position) // want `this column is kept in first`
	})
	return n + len(first) + len(last) + len(one.at) + len(all), err
}

// What is not reported.

func own(s world.State, held piece, yield func(world.Batch) bool) (float32, vec, []world.GameObject) {
	var (
		high   float32
		best   vec
		all, p []vec
		ids    []world.GameObject
		l      []float32
		used   piece
	)
	for b := range rising.In(s) {
		held.at = world.Column(b, Position)
		use(held.at)
		p, l = world.Column(b, Position), world.Column(b, Lift) // used behind, in this turn, alone
		for i := range p {
			high = max(high, p[i].Y, l[i])
			best = p[i]
			ids = append(ids, b.ID(i))
			at := &p[i]
			at.Y++
		}
		used = piece{p}
		use(used.at)
		all = append(all, p...)
		again := b
		rows := world.Column(again, Position)[1:]
		func() { use(rows) }()
		each := func() []vec { return p }
		use(each())
		if !yield(b) {
			return p[0].Y, p[1], nil
		}
		go show(p[0].Y, len(p))
	}
	use(all)
	return high, best, ids
}

func column(b world.Batch) []vec { return world.Column(b, Position) }

func spawned(s world.State) (world.State, error) {
	return world.SpawnN(s, Balloon, 3, func(b world.Batch) {
		world.Column(b, Position)[0].Y = 1
	})
}

func use([]vec) {}

func show(float32, int) {}

/* want `kept finds nothing here; delete this comment` */ //flatecs:allow kept there is nothing

// shortened is a part of itself, and shows no column.
func (g *scene) shortened(at []vec) {
	at = at[1:]
	g.at = at
}

// swapped are set to each other, and to no batch of the walk.
func swapped(s world.State, x, y world.Batch) {
	for b := range rising.In(s) {
		x = y
		y = x
		_ = b.Len() + x.Len()
	}
}

var (
	Path    = layout.NewList[vec]("path")
	walking = world.NewQuery(world.Write(Path))
)

func lists(s world.State) (longest []vec, count int, steps []vec) {
	var first *vec
	for b := range walking.In(s) {
		paths := list.Column(b, Path)
		for i := range paths.Len() {
			if path := paths.At(i); len(path) > len(longest) {
				longest = path   // want `this column is kept in longest`
				first = &path[0] // want `this pointer into a column is kept in first`
			}
			steps = paths.Cut(i, 3)[:2] // want `this column is kept in steps`
			count = paths.Len()
			steps = append(steps, paths.At(i)...)
		}
	}
	return longest, count + int(first.X), steps
}
