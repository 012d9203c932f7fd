package frame

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/flatecs/flatecs/world/pose"
)

// A Hit is a damage.
type Hit struct {
	Slot   uint32
	Points int32
}

// A Hang changes the parent of a part.
type Hang struct{ Slot, Parent uint32 }

// A Script is the external events, equal for every library. Its lists are for the next frame.
type Script struct {
	Objects int
	Frame   uint32
	Hits    []Hit
	Freeze  []uint32 // slots that become frozen
	Thaw    []uint32 // slots that become unfrozen
	Swaps   []uint32 // slots that exchange Burning and Chilled
	Hangs   []Hang
	Side    float32 // of the square that contains the bodies, in world units

	random    random
	vital     []uint32 // slots with Health
	freezable []uint32 // slots of moving objects that are never disposed, in random order
	swappable []uint32 // slots with Burning or Chilled, in random order
	leaves    []uint32 // slots of parts without children, in random order
	turn      []uint32 // those whose parent changes
}

// Reach is larger than the distance of touching bodies, in world units.
const Reach = 2.5

// life is the longest life of a bullet in frames; the mean is half of it. One object in five is a
// bullet, so one object in 250 is replaced per frame.
const life = 99

// NewScript returns a script for a number of objects, at least 100, before its first frame.
func NewScript(objects int) *Script {
	s := &Script{Objects: objects, random: seeded(uint32(objects), 0)}
	bodies := 0
	for slot := range uint32(objects) {
		switch SortOf(slot) {
		case Rock:
			bodies++
		case Part:
			if limb(slot) >= limbs {
				s.leaves = append(s.leaves, slot)
			}
		case Debris:
			s.freezable = append(s.freezable, slot)
		case Creature:
			bodies++
			s.freezable = append(s.freezable, slot)
			fallthrough
		case Drone:
			s.swappable = append(s.swappable, slot)
			fallthrough
		case Hunter:
			s.vital = append(s.vital, slot)
		}
	}
	s.random.shuffle(s.freezable)
	s.random.shuffle(s.swappable)
	s.random.shuffle(s.leaves)
	// Of m bodies on an area a, m²πReach²/2a pairs are in reach: a fifth of the number of objects,
	// of which a quarter are bodies.
	s.Side = float32(math.Sqrt(float64(bodies)*math.Pi/1.6) * Reach)
	return s
}

// Next prepares the lists of the next frame.
func (s *Script) Next() {
	s.Hits = s.Hits[:0]
	for range s.Objects / 5 {
		slot := s.vital[s.random.below(len(s.vital))]
		s.Hits = append(s.Hits, Hit{slot, int32(1 + s.random.below(8))})
	}
	half := s.Objects / 200
	s.Freeze = part(s.Freeze[:0], s.freezable, int(s.Frame)*half, half)
	s.Thaw = s.Thaw[:0]
	if s.Frame >= 2 {
		s.Thaw = part(s.Thaw, s.freezable, int(s.Frame-2)*half, half)
	}
	s.Swaps = part(s.Swaps[:0], s.swappable, int(s.Frame)*(s.Objects/50), s.Objects/50)
	s.Hangs = s.Hangs[:0]
	s.turn = part(s.turn[:0], s.leaves, int(s.Frame)*s.hangs(), s.hangs())
	for _, slot := range s.turn {
		machine := s.random.below(int(partOf(slot)/parts) + 1)
		limb := 1 + s.random.below(limbs-1)
		s.Hangs = append(s.Hangs, Hang{slot, slotOf(uint32(machine*parts + limb))})
	}
	s.Frame++
}

// hangs returns the number of parts whose parent changes per frame: one in a hundred.
func (s *Script) hangs() int { return max(1, s.Objects/2_000) }

// Parts form machines: a trunk, three limbs on it, and leaves on a limb of their machine, or later
// of an earlier one. So parents have lower slots than their children.
const (
	parts = 20 // per machine
	limbs = 4  // including the trunk
)

// partOf returns the number of a part; slotOf is its inverse.
func partOf(slot uint32) uint32   { return slot / uint32(len(pattern)) }
func slotOf(number uint32) uint32 { return number*uint32(len(pattern)) + partSlot }

// partSlot is the slot of the first part.
var partSlot = uint32(strings.IndexByte(pattern, 'P'))

// limb returns the number of a part within its machine: 0 is the trunk.
func limb(slot uint32) uint32 { return partOf(slot) % parts }

// parentOf returns the first parent of a part.
func parentOf(slot uint32) uint32 {
	switch k := limb(slot); {
	case k == 0:
		return Nobody
	case k < limbs:
		return slotOf(partOf(slot) - k)
	default:
		return slotOf(partOf(slot) - k + 1 + k%(limbs-1))
	}
}

// part appends n elements of a ring.
func part(dst, ring []uint32, from, n int) []uint32 {
	for i := range n {
		dst = append(dst, ring[(from+i)%len(ring)])
	}
	return dst
}

// Object returns the object that is spawned into a slot in this frame.
func (s *Script) Object(slot uint32) (o Object) {
	r := seeded(slot, s.Frame)
	size := s.Side
	o.Sort, o.Slot.Number, o.Target, o.Parent = SortOf(slot), slot, Nobody, Nobody
	o.Sprite = Sprite{0, uint16(1 + r.below(4))}
	o.Position = Position{r.float() * size, r.float() * size, r.float() * size}
	if o.Sort >= Debris {
		o.Velocity = Velocity{r.float() - .5, r.float() - .5, r.float() - .5}
	}
	switch o.Sort {
	case Part:
		o.hang(&r)
	case Debris, Creature, Drone:
		o.Acceleration = Acceleration{r.float() - .5, r.float() - .5, r.float() - .5}
	case Bullet:
		o.Lifetime.Frames = int32(1 + r.below(life))
		if s.Frame == 0 { // the rest of a life that began earlier
			o.Lifetime.Frames = min(o.Lifetime.Frames, int32(1+r.below(life)))
		}
	case Hunter:
		o.Target = s.Pick(slot)
	}
	if o.Sort >= Creature {
		o.Health = Health{100, 100}
	}
	if o.Sort == Rock || o.Sort == Creature {
		o.Body.Radius = .2 + r.float()
	}
	return o
}

// hang sets the pose of a new part.
func (o *Object) hang(r *random) {
	o.Parent = parentOf(o.Slot.Number)
	o.Local.Pose2, o.Global.Pose2 = pose.At2(o.Position.X, o.Position.Y), pose.Identity2
	if o.Parent != Nobody {
		o.Local.X, o.Local.Y = r.float()*8-4, r.float()*8-4
	}
}

// Pick returns the slot of the next target of the hunter in a slot.
func (s *Script) Pick(slot uint32) uint32 {
	r := seeded(slot, ^s.Frame)
	return uint32(r.below(s.Objects))
}

// A random is a source of random numbers that does not allocate.
type random struct{ rand.PCG }

func seeded(a, b uint32) (r random) {
	r.Seed(uint64(a), uint64(b))
	return r
}

func (r *random) below(n int) int { return int(r.Uint64() >> 32 * uint64(n) >> 32) }
func (r *random) float() float32  { return float32(r.Uint64()>>40) / (1 << 24) }

func (r *random) shuffle(list []uint32) {
	rand.New(r).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}
