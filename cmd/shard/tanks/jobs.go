package tanks

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

// spot finds the target of each turret: the one that it has, while that is within reach, or else
// the nearest hull of the other side.
func (f *battle) spot(s world.State) world.State {
	view := f.hulls.In(s)
	of, numbers := world.Open(s, side), world.Open(s, serial)
	for b := range spotting.In(s) {
		global, own := world.Column(b, pose.Global2), world.Column(b, side)
		targets, spots := world.Column(b, target), world.Column(b, spot)
		for i := range global {
			n := nearest{at: global[i].Position, side: own[i], last: targets[i]}
			n.look(view, of, numbers)
			targets[i], spots[i] = n.number, n.spot
		}
	}
	return s
}

// A nearest is a search for a target.
type nearest struct {
	at     [2]float32
	side   uint8
	last   uint64 // target before
	number uint64 // of the one that is found, or 0
	spot   [2]float32
	far    float32 // squared
}

func (n *nearest) look(
	view space.View[[3]float32], of world.Reader[uint8], numbers world.Reader[uint64],
) {
	points, ids := view.Points(), view.IDs()
	n.far = reach * reach
	r := view.Near(solid(n.at), reach)
	for r.Next() {
		for k := r.First; k < r.End; k++ {
			far := square(minus(flat(points[k]), n.at))
			own, _ := of.At(ids[k])
			if own == n.side || far >= reach*reach {
				continue
			}
			number, _ := numbers.At(ids[k])
			if number == n.last {
				n.number, n.spot = number, flat(points[k])
				return
			}
			if n.number == 0 || far < n.far || far == n.far && number < n.number {
				n.number, n.spot, n.far = number, flat(points[k]), far
			}
		}
	}
}

const near = 9 // world units, at which a shell hits a hull

// others counts the objects of the other side that are near.
func others(
	view space.View[[3]float32], of world.Reader[uint8], at [3]float32, own uint8,
) (n uint8) {
	points, ids := view.Points(), view.IDs()
	r := view.Near(at, near)
	for r.Next() {
		for k := r.First; k < r.End; k++ {
			if square(minus(flat(points[k]), flat(at))) > near*near {
				continue
			}
			if theirs, _ := of.At(ids[k]); theirs != own && n < hits {
				n++
			}
		}
	}
	return n
}

// hit lets each hull look for shells of others that hit it. The last of them breaks it.
func (f *battle) hit(s world.State) world.State {
	view, of, c, tick := f.shells.In(s), world.Open(s, side), world.Record(s), world.Tick(s)
	for b := range bearing.In(s) {
		at, own := world.Column(b, world.Position), world.Column(b, side)
		strong, numbers := world.Column(b, armour), world.Column(b, serial)
		for i := range at {
			strong[i] -= min(others(view, of, at[i], own[i]), strong[i])
			if strong[i] == 0 {
				b.Dispose(i)
				burst(c, numbers[i], at[i], flame)
				f.replace(s, c, numbers[i], own[i], at[i], tick)
			}
		}
	}
	return s
}

// replace records the tank that comes after another one: at the edge of its side, as far along it
// as that was.
func (f *battle) replace(
	s world.State, c world.Commands, last uint64, of uint8, was [3]float32, tick uint64,
) {
	number := born(last, asTank, tick)
	r := world.Random(s, number)
	x := min(max(was[0], margin), f.Wide()-margin)
	tree, values := f.treeOf(number, of, [2]float32{x, edge(of, f.high(), 0)}, &r)
	c.SpawnTree(family.ChildOf, tree, values...)
}

// strike ends shells that hit a hull.
func (f *battle) strike(s world.State) world.State {
	view, of, c := f.hulls.In(s), world.Open(s, side), world.Record(s)
	for b := range striking.In(s) {
		at, own := world.Column(b, world.Position), world.Column(b, side)
		until, numbers := world.Column(b, left), world.Column(b, serial)
		for i := range at {
			if others(view, of, at[i], own[i]) > 0 {
				until[i] = 1 // it fades in this tick
				burst(c, numbers[i], at[i], spark)
			}
		}
	}
	return s
}

// burst records a blast that lasts so many ticks. An object bursts once.
func burst(c world.Commands, number uint64, at [3]float32, ticks uint16) {
	c.Spawn(blasts, pose.Local2.Value(pose.At2(at[0], at[1])), world.Position.Value(at),
		left.Value(ticks), serial.Value(born(number, asBlast, 0)))
}

// leave records that the turrets of broken hulls leave them, where they are, and fly off.
func leave(s world.State) world.State {
	hulls, c := world.Open(s, armour), world.Record(s)
	for b := range leaving.In(s) {
		global, parents := world.Column(b, pose.Global2), world.Column(b, family.ChildOf)
		numbers := world.Column(b, serial)
		for i := range global {
			if strong, _ := hulls.At(parents[i]); strong > 0 {
				continue
			}
			id := b.ID(i)
			r := world.Random(s, numbers[i])
			c.Remove(id, family.ChildOf.Kind())
			c.Remove(id, turret.Kind())
			world.Replace(c, id, pose.Local2, global[i])
			world.Put(c, id, world.Position, solid(global[i].Position))
			world.Put(c, id, velocity, [2]float32{r.Range(-1, 1), r.Range(-1, 1)})
			world.Put(c, id, spin, [2]float32(pose.Facing2([2]float32{1, r.Range(-.15, .15)})))
			world.Put(c, id, drag, .97)
			world.Put(c, id, left, burning)
		}
	}
	return s
}

// fly moves shells, and turrets that have left their hulls.
func fly(s world.State) world.State {
	for b := range flying.In(s) {
		local, v := world.Column(b, pose.Local2), world.Column(b, velocity)
		turn, slow := world.Column(b, spin), world.Column(b, drag)
		for i := range local {
			local[i].Position = plus(local[i].Position, v[i])
			local[i].Rotation = local[i].Rotation.Times(turn[i]).Unit()
			v[i] = times(v[i], slow[i])
		}
	}
	return s
}

// fade disposes what has been there long enough.
func fade(s world.State) world.State {
	for b := range fading.In(s) {
		n := world.Column(b, left)
		for i := range n {
			if n[i]--; n[i] == 0 {
				b.Dispose(i)
			}
		}
	}
	return s
}
