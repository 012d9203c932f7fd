package frame

import (
	"math"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/world/pose"
)

// A Sort of object is a set of kinds.
type Sort uint8

// The sorts.
const (
	Rock Sort = iota
	Part
	Debris
	Bullet
	Creature
	Hunter
	Drone
	SortCount
)

// pattern is the sorts of twenty slots, repeated, as in a program with mixed spawning. letters are
// the sorts in order.
const (
	pattern = "DBCDNHRDBDCNDBRPHNBC"
	letters = "RPDBCHN"
)

// SortOf returns the sort of a slot, which never changes.
func SortOf(slot uint32) Sort {
	return Sort(strings.IndexByte(letters, pattern[slot%uint32(len(pattern))]))
}

// The components. Every object has a Slot, a Sprite and a Position.
type (
	// Slot is the number by which the program identifies an object.
	Slot struct{ Number uint32 }
	// Sprite is the drawn picture.
	Sprite struct{ Frame, Speed uint16 }
	// Position is in world units.
	Position struct{ X, Y, Z float32 }
	// Velocity is in world units per second.
	Velocity struct{ X, Y, Z float32 }
	// Acceleration is in world units per second, each second.
	Acceleration struct{ X, Y, Z float32 }
	// Lifetime is the remaining life of a bullet.
	Lifetime struct{ Frames int32 }
	// Health is the health of a creature, a hunter or a drone.
	Health struct{ Points, Most int32 }
	// Body is the body of a rock or a creature.
	Body struct {
		Radius   float32
		Contacts uint32
	}
	// Burning is one of the two swapped kinds.
	Burning struct{ Heat float32 }
	// Chilled is the other one.
	Chilled struct{ Cold float32 }
	// Local is the pose of a part relative to its parent.
	Local struct{ pose.Pose2 }
	// Global is the pose of a part in the world.
	Global struct{ pose.Pose2 }
	// Frozen is the mark.
	Frozen struct{}
)

// Nobody is the target of a hunter without a target, and the parent of a part without one.
const Nobody = math.MaxUint32

// An Object is the initial state of an object.
type Object struct {
	Sort         Sort
	Slot         Slot
	Sprite       Sprite
	Position     Position
	Velocity     Velocity
	Acceleration Acceleration
	Lifetime     Lifetime
	Health       Health
	Body         Body
	Target       uint32 // slot, or Nobody
	Parent       uint32 // slot, or Nobody
	Local        Local
	Global       Global
}

// Dt is the time of a frame in seconds. It is a power of two, so rounding cannot hide mistakes.
const Dt = 1. / 64

// Accelerate is the work of the system for one object.
func (v *Velocity) Accelerate(a *Acceleration) {
	v.X += float32(a.X * Dt)
	v.Y += float32(a.Y * Dt)
	v.Z += float32(a.Z * Dt)
}

// Move is the work of the system for one object.
func (p *Position) Move(v *Velocity) {
	p.X += float32(v.X * Dt)
	p.Y += float32(v.Y * Dt)
	p.Z += float32(v.Z * Dt)
}

// Chase is the work of the system for one hunter at p with its target at t.
func (v *Velocity) Chase(p, t Position) {
	v.X = float32(v.X*.875) + float32((t.X-p.X)*.125)
	v.Y = float32(v.Y*.875) + float32((t.Y-p.Y)*.125)
	v.Z = float32(v.Z*.875) + float32((t.Z-p.Z)*.125)
}

// Damage is the work of the system for one object.
func (h *Health) Damage(points int32) {
	if h.Points -= points; h.Points <= 0 {
		h.Points = h.Most
	}
}

// Heal is the work of the system for one object.
func (h *Health) Heal() { h.Points = min(h.Points+1, h.Most) }

// Animate is the work of the system for one object.
func (s *Sprite) Animate() { s.Frame += s.Speed }

// spin is the rotation of a part per frame.
var spin = pose.Turn2(1. / 64)

// Turn is the first part of the system's work for a part: it turns the local pose. The global pose
// is then the parent's, or pose.Identity2 without a parent, composed with the local pose.
func Turn(local *pose.Pose2) { local.Rotation = local.Rotation.Times(spin) }

// Place is the last part of the system's work for a part.
func (p *Position) Place(global *pose.Pose2) { p.X, p.Y = global.X, global.Y }

// Touch reports whether two bodies touch, in the plane of the cells.
func Touch(p, q Position, r, s float32) bool {
	x, y, reach := p.X-q.X, p.Y-q.Y, r+s
	return float32(x*x)+float32(y*y) < float32(reach*reach)
}

// A Seen is the observable state of an object: values that systems changed, or derived ones.
type Seen struct {
	Slot     Slot
	Sprite   Sprite
	Position Position
	Velocity Velocity
	Health   Health
	Body     Body
	Burning  *Burning // nil: none
	Chilled  *Chilled
	Frozen   bool
}

// SumOf returns the sum of all objects that each yields. The sum does not depend on their order.
func SumOf(each func(yield func(*Seen))) (r harness.Result) {
	each(func(o *Seen) {
		r.Count++
		r.Hash += o.hash()
	})
	return r
}

func (o *Seen) hash() (h uint64) {
	f, flags, temperature := math.Float32bits, uint32(0), float32(0)
	if o.Burning != nil {
		flags, temperature = 1, o.Burning.Heat
	}
	if o.Chilled != nil {
		flags, temperature = flags|2, temperature+o.Chilled.Cold
	}
	if o.Frozen {
		flags |= 4
	}
	p, v := &o.Position, &o.Velocity
	for _, x := range [...]uint32{
		o.Slot.Number, flags, f(temperature), uint32(o.Sprite.Frame)<<16 | uint32(o.Sprite.Speed),
		f(p.X), f(p.Y), f(p.Z), f(v.X), f(v.Y), f(v.Z), uint32(o.Health.Points),
		f(o.Body.Radius), o.Body.Contacts,
	} {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}
