package kept

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
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

func (g *scene) fields(s world.State) world.State {
	for b := range rising.In(s) {
		p, l := world.Column(b, Position), world.Column(b, Lift)
		g.at = p                              // want `this column is kept in g.at, and is not valid beyond this turn of the walk; keep values or ids, b.ID\(i\), and look them up later with world.Get`
		g.batch = b                           // want `this batch is kept in g.batch`
		g.lifts[3] = l                        // want `this column is kept in g.lifts\[3\]`
		global = p[1:]                        // want `this column is kept in global of the package`
		g.pieces = append(g.pieces, piece{p}) // want `this column is kept in g.pieces`
	}
	return s
}

func locals(s world.State) (float32, int) {
	var (
		all    [][]vec
		last   []vec
		best   *vec
		before world.Batch
		n      int
		one    piece
	)
	for b := range rising.In(s) {
		if n > 0 {
			n += before.Len()
		}
		before = b // want `this batch is kept in before`
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
	return best.Y + last[0].Y + one.at[0].X, len(all)
}

func leaves(s world.State, c chan []vec) []vec {
	for b := range rising.In(s) {
		p := world.Column(b, Position)
		c <- p    // want `this column is sent to a goroutine`
		go use(p) // want `this column is given to a goroutine`
		go func() {
			use(p) // want `this column is given to a goroutine`
			use(p)
			_ = b.Len() // want `this batch is given to a goroutine`
		}()
		defer use(p[:1]) // want `this column is given to a deferred call`
		if len(p) > 3 {
			return p // want `this column is returned`
		}
		return world.Column(b, Position)[1:] // want `this column is returned`
	}
	return nil
}

func flat(s world.State) (floats []float32) {
	for b := range rising.In(s) {
		floats = world.Flat[float32](b, Position) // want `this column is kept in floats`
	}
	return append(floats, 1)
}

func earlier(s world.State) (n int) {
	var before []vec
	for b := range rising.In(s) {
		n += len(before)
		before = world.Column(b, Position) // want `this column is kept in before`
	}
	return n
}

func filled(s world.State) (world.State, error) {
	var first []vec
	s, err := world.SpawnN(s, Balloon, 3, func(b world.Batch) {
		first = world.Column(b, Position) // want `this column is kept in first`
	})
	use(first)
	return s, err
}

func results(s world.State) (at []vec) {
	for b := range rising.In(s) {
		at = world.Column(b, Position) // want `this column is kept in at`
	}
	return
}

func parameters(s world.State, list [][]vec, byName map[string]piece, g *scene) {
	for b := range rising.In(s) {
		p := world.Column(b, Position)
		list[0] = p                // want `this column is kept in list\[0\]`
		byName["first"] = piece{p} // want `this column is kept in byName\["first"\]`
		_, g.at = 3, p             // want `this column is kept in g.at`
	}
}

// What is not reported.

func own(s world.State, held piece) {
	for b := range rising.In(s) {
		held.at = world.Column(b, Position)
		use(held.at)
	}
}

func fine(s world.State) (float32, vec, []world.GameObject) {
	var (
		high float32
		best vec
		all  []vec
		ids  []world.GameObject
		p    []vec
		l    []float32
		held piece
	)
	for b := range rising.In(s) {
		p, l = world.Column(b, Position), world.Column(b, Lift) // used behind, in this turn, alone
		for i := range p {
			high = max(high, p[i].Y, l[i])
			best = p[i]
			ids = append(ids, b.ID(i))
			at := &p[i]
			at.Y++
		}
		held = piece{p}
		use(held.at)
		all = append(all, p...)
		again := b
		rows := world.Column(again, Position)[1:]
		func() { use(rows) }()
		each := func() []vec { return p }
		use(each())
		if high > 3 {
			return p[0].Y, p[1], nil
		}
		go show(p[0].Y, len(p))
	}
	use(all)
	return high, best, ids
}

func handedOn(s world.State, yield func(world.Batch) bool) {
	for b := range rising.In(s) {
		if !yield(b) {
			return
		}
	}
}

func column(b world.Batch) []vec { return world.Column(b, Position) }

func spawned(s world.State) (world.State, error) {
	return world.SpawnN(s, Balloon, 3, func(b world.Batch) {
		p := world.Column(b, Position)
		p[0].Y = 1
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
