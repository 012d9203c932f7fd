package frame

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/flatecs/flatecs/world/pose"
)

// A Hit is one damage.
type Hit struct {
	Slot   uint32
	Points int32
}

// A Hang is a part that gets another parent.
type Hang struct{ Slot, Parent uint32 }

// A Script is what happens from outside, the same for every library. Its lists are those of the
// frame that is to be played.
type Script struct {
	Objects int
	Frame   uint32
	Hits    []Hit
	Freeze  []uint32 // slots that get the mark
	Thaw    []uint32 // slots that lose it
	Swaps   []uint32 // slots that exchange Burning and Chilled
	Hangs   []Hang
	Side    float32 // of the square that bodies are in, in world units

	random    random
	vital     []uint32 // slots with Health
	freezable []uint32 // slots that move and are never disposed, in random order
	swappable []uint32 // slots with Burning or Chilled, in random order
	leaves    []uint32 // slots of parts that are nobody's parent, in random order
	turn      []uint32 // those that get another parent
}

// Reach is more than the distance of two bodies that touch, in world units.
const Reach = 2.5

// life is how many frames a bullet lives at most, and half as many on average. One object in five
// is a bullet, so that one object in 250 is replaced in a frame.
const life = 99

// NewScript returns that of so many objects, 100 at least, before its first frame.
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
	// Of m bodies on an area a, m²πReach²/2a pairs are in reach: a fifth as many as objects, of
	// which a quarter are bodies.
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

// hangs is how many parts get another parent in a frame: one in a hundred.
func (s *Script) hangs() int { return max(1, s.Objects/2_000) }

// Parts make up machines: a trunk, three limbs that hang on it, and leaves that hang on a limb of
// their machine, or later of one before it. So parents have lower slots than their children.
const (
	parts = 20 // of a machine
	limbs = 4  // with the trunk
)

// partOf numbers the parts; slotOf is the other way.
func partOf(slot uint32) uint32   { return slot / uint32(len(pattern)) }
func slotOf(number uint32) uint32 { return number*uint32(len(pattern)) + partSlot }

// partSlot is the first part.
var partSlot = uint32(strings.IndexByte(pattern, 'P'))

// limb numbers the parts of a machine: 0 is the trunk.
func limb(slot uint32) uint32 { return partOf(slot) % parts }

// parentOf is where a part hangs at first.
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

// Object returns what is spawned into a slot in this frame.
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
		if s.Frame == 0 { // what is left of a life that began before
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

// hang sets where a new part is.
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

// random is a source of numbers that takes no memory.
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
