package tanks

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

// build puts hulls and shells into cells.
func (f *battle) build(s world.State) (world.State, error) {
	return f.shells.Build(f.hulls.Build(s, f.workers), f.workers), nil
}

// spot records the nearest hull of another side as the target of each turret that has none, or
// whose target is too far away.
func (f *battle) spot(s world.State) world.State {
	places, cells, c := world.Open(s, pose.Global2), f.hulls.In(s), world.Record(s)
	for b := range spotting.In(s) {
		global, targets := world.Column(b, pose.Global2), world.Column(b, Target)
		sides := world.Column(b, side)
		for i := range global {
			at, seen := places.At(targets[i])
			if seen && square(minus(at.Position, global[i].Position)) < reach*reach {
				continue
			}
			if next := nearest(cells, global[i], sides[i]); next != targets[i] {
				world.Replace(c, b.ID(i), Target, next)
			}
		}
	}
	return s
}

// nearest returns the nearest hull of another side, or nobody.
func nearest(
	hulls space.View[pose.Pose2], at pose.Pose2, own uint8,
) (found world.GameObject) {
	points, sides, ids := hulls.Points(), space.Column(hulls, side), hulls.IDs()
	best := float32(reach * reach)
	r := hulls.Near(at, reach)
	for r.Next() {
		for k := r.First; k < r.End; k++ {
			far := square(minus(points[k].Position, at.Position))
			if sides[k] != own && far < best {
				found, best = ids[k], far
			}
		}
	}
	return found
}

// hit lets each hull look for shells of others that hit it. The last of them breaks it.
func (f *battle) hit(s world.State) world.State {
	const near = 9 // world units
	cells, c := f.shells.In(s), world.Record(s)
	points, from, ids := cells.Points(), space.Column(cells, side), cells.IDs()
	for b := range bearing.In(s) {
		global, sides := world.Column(b, pose.Global2), world.Column(b, side)
		strong := world.Column(b, armour)
		for i := range global {
			r := cells.Near(global[i], near)
			for r.Next() {
				for k := r.First; k < r.End && strong[i] > 0; k++ {
					off := minus(points[k].Position, global[i].Position)
					if from[k] == sides[i] || square(off) > near*near {
						continue
					}
					strong[i]--
					c.Dispose(ids[k])
					burst(c, points[k], spark)
				}
			}
			if strong[i] == 0 {
				b.Dispose(i)
				burst(c, global[i], flame)
			}
		}
	}
	return s
}

// burst records a blast that lasts so many steps.
func burst(c world.Commands, at pose.Pose2, steps uint16) {
	c.Spawn(blast, pose.Local2.Value(at), pose.Global2.Value(at), left.Value(steps))
}

// leave records that the turrets of broken hulls leave them: where they were in the world, they are
// from now on without a parent. They fly off, and burn out.
func leave(s world.State) world.State {
	hulls, c := world.Open(s, armour), world.Record(s)
	for b := range leaving.In(s) {
		global, parents := world.Column(b, pose.Global2), world.Column(b, family.ChildOf)
		for i := range global {
			if strong, _ := hulls.At(parents[i]); strong > 0 {
				continue
			}
			id := b.ID(i)
			r := world.Random(s, uint64(id))
			c.Remove(id, family.ChildOf.Kind())
			c.Remove(id, Target.Kind())
			world.Replace(c, id, pose.Local2, global[i])
			world.Put(c, id, velocity, [2]float32{r.Range(-1, 1), r.Range(-1, 1)})
			world.Put(c, id, spin, pose.Facing2([2]float32{1, r.Range(-.15, .15)}))
			world.Put(c, id, drag, .97)
			world.Put(c, id, left, burning)
		}
	}
	return s
}
