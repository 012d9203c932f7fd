package tanks

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
)

// spot records a new target for each turret without a target, or with a target that is too far
// away: the nearest hull of another side.
func (f *battle) spot(s world.State) world.State {
	places, c := world.ReaderOf(s, heroes.Position), world.Record(s)
	for b := range spotting.In(s) {
		global, targets := world.Column(b, pose.Global2), world.Column(b, Target)
		sides := world.Column(b, side)
		for i := range global {
			at, seen := places.Get(targets[i])
			if seen && square(minus(flat(at), global[i].Position())) < reach*reach {
				continue
			}
			if next := f.nearest(s, global[i].Position(), sides[i]); next != targets[i] {
				world.Put(c, b.ID(i), Target, next)
			}
		}
	}
	return s
}

// nearest returns the nearest hull of another side, or nobody.
func (f *battle) nearest(s world.State, at [2]float32, own uint8) (found world.GameObject) {
	cells, sides := f.hulls.In(s), world.ReaderOf(s, side)
	points, ids := cells.Points(), cells.IDs()
	best := float32(reach * reach)
	for k := range cells.Near(solid(at), reach) {
		far := square(minus(flat(points[k]), at))
		if of, _ := sides.Get(ids[k]); of != own && far < best {
			found, best = ids[k], far
		}
	}
	return found
}

// hit finds hits of other sides' shells on each hull. The last hit breaks the hull.
func (f *battle) hit(s world.State) world.State {
	const near = 9 // world units
	cells, c, from := f.shells.In(s), world.Record(s), world.ReaderOf(s, side)
	points, ids := cells.Points(), cells.IDs()
	for b := range bearing.In(s) {
		at, sides := world.Column(b, heroes.Position), world.Column(b, side)
		strong := world.Column(b, armour)
		for i := range at {
			for k := range cells.Near(at[i], near) {
				if of, _ := from.Get(ids[k]); of == sides[i] {
					continue
				}
				strong[i]--
				c.Dispose(ids[k])
				addBlast(c, points[k], spark)
				if strong[i] == 0 {
					break
				}
			}
			if strong[i] == 0 {
				b.Dispose(i)
				addBlast(c, at[i], flame)
			}
		}
	}
	return s
}

// addBlast records a blast that lasts steps steps.
func addBlast(c world.Commands, at [3]float32, steps float32) {
	c.Spawn(blast, pose.Local2.Value(pose.At2(at[0], at[1])), left.Value(steps))
}

// leave records that the turrets of broken hulls detach: they keep their world positions, without a
// parent. They fly off, and burn out.
func leave(s world.State) world.State {
	hulls, c := world.ReaderOf(s, armour), world.Record(s)
	for b := range leaving.In(s) {
		global, parents := world.Column(b, pose.Global2), world.Column(b, family.ChildOf)
		for i := range global {
			if strong, _ := hulls.Get(parents[i]); strong > 0 {
				continue
			}
			id := b.ID(i)
			r := world.Random(s, uint64(id))
			c.Remove(id, family.ChildOf.Kind())
			c.Remove(id, Target.Kind())
			world.Put(c, id, pose.Local2, global[i])
			world.Put(c, id, velocity, [2]float32{r.Range(-1, 1), r.Range(-1, 1)})
			world.Put(c, id, spin, pose.Facing2([2]float32{1, r.Range(-.15, .15)}))
			world.Put(c, id, drag, .97)
			world.Put(c, id, left, burning)
		}
	}
	return s
}
