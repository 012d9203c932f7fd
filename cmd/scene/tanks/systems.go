package tanks

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
)

const (
	hits     = 3   // until a hull breaks
	reach    = 160 // range of turrets, world units
	speed    = .5  // of tanks, world units per step
	bullet   = 4   // speed of shells, world units per step
	flight   = 50  // steps of a shell
	reload   = 80  // most steps between the shots of a gun
	kick     = 4.0 // of a gun when it fires, world units
	spark    = 12  // steps of the blast of a hit
	flame    = 40  // steps of the blast of a hull that breaks
	burning  = 200 // steps of a detached turret
	gunAhead = 7   // distance from the middle of a turret to the middle of a gun, world units
	muzzle   = 6   // distance from the middle of a gun, world units
)

// The rotation of hulls and turrets per step.
var (
	hullTurn   = pose.Facing2([2]float32{1, .025})
	turretTurn = pose.Facing2([2]float32{1, .05})
)

// towards turns r by a step towards a direction, which is relative to r. It returns true, and does
// not turn, if r already points there.
func towards(r *pose.Rotation2, step pose.Rotation2, way [2]float32) bool {
	slope := step.Sin / step.Cos
	switch {
	case way[0] > 0 && abs(way[1]) <= float32(slope*way[0]):
		return true
	case way[1] > 0:
		*r = r.Times(step)
	default:
		*r = r.Times(step.Inverse())
	}
	return false
}

// drive drives each hull to its goal, around near hulls, and then to a new goal.
func (f *battle) drive(s world.State) world.State {
	const near, there = 45, 25
	cells := f.hulls.In(s)
	points := cells.Points()
	for b := range driving.In(s) {
		local, to := world.Column(b, pose.Local2), world.Column(b, goal)
		for i := range local {
			p := &local[i]
			way := minus(to[i], p.Position())
			if square(way) < there*there {
				r := world.Random(s, uint64(b.ID(i)))
				to[i] = f.randomPlace(&r)
			}
			if far := length(way); far > 0 {
				way = times(way, 1/far)
			}
			for k := range cells.Near(solid(p.Position()), near) {
				off := minus(p.Position(), flat(points[k]))
				if far := length(off); far > 0 {
					way = plus(way, times(off, 2*(near-far)/(near*far)))
				}
			}
			way = p.Rotation.Inverse().Of(way)
			towards(&p.Rotation, hullTurn, way)
			forward := float32(speed * min(max(way[0], 0), 1))
			*p = p.Compose(pose.At2(forward, 0))
		}
	}
	return s
}

// aim turns each turret to its target, or straight ahead without a target.
func aim(s world.State) world.State {
	places := world.ReaderOf(s, heroes.Position)
	for b := range aiming.In(s) {
		local, on := world.Column(b, pose.Local2), world.Column(b, aimed)
		global, targets := world.Column(b, pose.Global2), world.Column(b, Target)
		for i := range local {
			way, r := local[i].Rotation.Inverse().Of([2]float32{1, 0}), &local[i].Rotation
			at, seen := places.Get(targets[i])
			if seen {
				way = global[i].Local(flat(at))
			}
			on[i] = 0
			if towards(r, turretTurn, way) && seen {
				on[i] = 1
			}
		}
	}
	return s
}

// fire fires each loaded gun whose turret is aimed; the gun recoils, and returns.
func fire(s world.State) world.State {
	aims := world.ReaderOf(s, aimed)
	for b := range firing.In(s) {
		local, wait := world.Column(b, pose.Local2), world.Column(b, loading)
		global, turrets := world.Column(b, pose.Global2), world.Column(b, family.ChildOf)
		sides := world.Column(b, side)
		for i := range local {
			local[i].X = min(local[i].X+kick/20, gunAhead)
			if wait[i] > 0 {
				wait[i]--
			} else if on, _ := aims.Get(turrets[i]); on != 0 {
				r := world.Random(s, uint64(b.ID(i)))
				wait[i] = uint8(reload - r.IntN(reload/4))
				local[i].X -= kick
				shoot(b, &r, global[i], sides[i])
			}
		}
	}
	return s
}

// shoot records a shell of a gun, with a small random deviation.
func shoot(b world.Batch, r *world.Stream, from pose.Pose2, of uint8) {
	from = from.Compose(pose.At2(muzzle, 0))
	from.Rotation = from.Rotation.Times(pose.Facing2([2]float32{1, r.Range(-.06, .06)}))
	b.Spawn(shell, pose.Local2.Value(from), side.Value(of),
		velocity.Value(from.Rotation.Of([2]float32{bullet, 0})))
}

// fly moves shells and detached turrets.
func fly(s world.State) world.State {
	for b := range flying.In(s) {
		local, v := world.Column(b, pose.Local2), world.Column(b, velocity)
		turn, slow := world.Column(b, spin), world.Column(b, drag)
		for i := range local {
			local[i].X += v[i][0]
			local[i].Y += v[i][1]
			local[i].Rotation = local[i].Rotation.Times(turn[i])
			v[i] = times(v[i], slow[i])
		}
	}
	return s
}

// fade disposes objects whose time is over.
func fade(s world.State) world.State {
	for b := range fading.In(s) {
		n := world.Column(b, left)
		for i := range n {
			if n[i]--; n[i] <= 0 {
				b.Dispose(i)
			}
		}
	}
	return s
}

// place computes the world positions of all objects: children follow their parents.
func place(s world.State) (world.State, error) {
	s = pose.Update2(s)
	for b := range placing.In(s) {
		p := world.Column(b, heroes.Position)
		for i, at := range world.Column(b, pose.Global2) {
			p[i] = solid(at.Position())
		}
	}
	return s, nil
}
