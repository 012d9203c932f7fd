package tanks

import (
	"math"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

// How far hulls and turrets turn in a tick.
var (
	hullTurn   = pose.Facing2([2]float32{1, .025})
	turretTurn = pose.Facing2([2]float32{1, .05})
)

// towards turns r by a step, to the side where a way leads that is given relative to r. It returns
// whether r points there already, and then stays.
func towards(r *pose.Rotation2, step pose.Rotation2, way [2]float32) bool {
	slope := step[1] / step[0]
	switch {
	case way[0] > 0 && max(way[1], -way[1]) <= float32(slope*way[0]):
		return true
	case way[1] > 0:
		*r = r.Times(step).Unit()
	default:
		*r = r.Times(step.Inverse()).Unit()
	}
	return false
}

// drive drives each hull to its goal, around those that are near, and then to another one.
func (f *battle) drive(s world.State) world.State {
	const there = 25
	view := f.hulls.In(s)
	for b := range driving.In(s) {
		local, to := world.Column(b, pose.Local2), world.Column(b, goal)
		numbers := world.Column(b, serial)
		for i := range local {
			p := &local[i]
			way := minus(to[i], p.Position)
			if square(way) < there*there {
				r := world.Random(s, numbers[i])
				to[i] = f.anywhere(&r)
			}
			way = plus(times(way, 1/max(length(way), 1)), apart(view, p.Position))
			way = p.Rotation.Inverse().Of(way)
			towards(&p.Rotation, hullTurn, way)
			p.Position = p.Point([2]float32{float32(speed * min(max(way[0], 0), 1)), 0})
		}
	}
	return s
}

// apart returns a way that leads away from the hulls that are near. It is a sum of integers, which
// does not depend on their order.
func apart(view space.View[[3]float32], at [2]float32) [2]float32 {
	const near, unit = 45, 1 << 16
	var sum [2]int64
	points, r := view.Points(), view.Near(solid(at), near)
	for r.Next() {
		for _, other := range points[r.First:r.End] {
			off := minus(at, flat(other))
			if far := length(off); far > 0 && far < near {
				off = times(off, 2*(near-far)/float32(near*far))
				sum[0] += int64(off[0] * unit)
				sum[1] += int64(off[1] * unit)
			}
		}
	}
	return [2]float32{float32(sum[0]) / unit, float32(sum[1]) / unit}
}

// aim turns each turret to its target, or ahead if it has none.
func aim(s world.State) world.State {
	for b := range aiming.In(s) {
		local, on := world.Column(b, pose.Local2), world.Column(b, aimed)
		global, targets := world.Column(b, pose.Global2), world.Column(b, target)
		spots := world.Column(b, spot)
		for i := range local {
			way, r := local[i].Rotation.Inverse().Of([2]float32{1, 0}), &local[i].Rotation
			if targets[i] != 0 {
				way = global[i].Local(spots[i])
			}
			on[i] = 0
			if towards(r, turretTurn, way) && targets[i] != 0 {
				on[i] = 1
			}
		}
	}
	return s
}

// fire has each gun that is loaded fire, if its turret is aimed; it kicks back, and returns.
func fire(s world.State) world.State {
	aims, tick := world.Open(s, aimed), world.Tick(s)
	for b := range firing.In(s) {
		local, wait := world.Column(b, pose.Local2), world.Column(b, loading)
		global, turrets := world.Column(b, pose.Global2), world.Column(b, family.ChildOf)
		own, numbers := world.Column(b, side), world.Column(b, serial)
		for i := range local {
			local[i].Position[0] = min(local[i].Position[0]+kick/20, gunAhead)
			if wait[i] > 0 {
				wait[i]--
			} else if on, _ := aims.At(turrets[i]); on != 0 {
				r := world.Random(s, numbers[i])
				wait[i] = uint8(reload - r.IntN(reload/4))
				local[i].Position[0] -= kick
				shoot(b, &r, global[i], own[i], born(numbers[i], asShell, tick))
			}
		}
	}
	return s
}

// shoot records a shell that leaves a gun, not quite straight.
func shoot(b world.Batch, r *world.Stream, from pose.Pose2, of uint8, number uint64) {
	from.Position = from.Point([2]float32{muzzle, 0})
	from.Rotation = from.Rotation.Times(pose.Facing2([2]float32{1, r.Range(-.06, .06)}))
	b.Spawn(shells, pose.Local2.Value(from), world.Position.Value(solid(from.Position)),
		side.Value(of), serial.Value(number),
		velocity.Value(from.Rotation.Of([2]float32{bullet, 0})))
}

func plus(v, w [2]float32) [2]float32 { return [2]float32{v[0] + w[0], v[1] + w[1]} }

func minus(v, w [2]float32) [2]float32 { return [2]float32{v[0] - w[0], v[1] - w[1]} }

func times(v [2]float32, k float32) [2]float32 {
	return [2]float32{float32(v[0] * k), float32(v[1] * k)}
}

// solid returns a place on the field as a position in space, and flat the other way.
func solid(v [2]float32) [3]float32 { return [3]float32{v[0], v[1]} }

func flat(p [3]float32) [2]float32 { return [2]float32{p[0], p[1]} }

// square returns the square of the length of v.
func square(v [2]float32) float32 { return float32(v[0]*v[0]) + float32(v[1]*v[1]) }

func length(v [2]float32) float32 { return float32(math.Sqrt(float64(square(v)))) }
