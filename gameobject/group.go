package gameobject

import "math"

// A Group is derived from 64 neighbouring blocks of 64 indexes, a bit each.
type Group struct {
	Some uint64 // some object is alive
	Full uint64 // all 64 are
}

// raise notes that the objects x of a block are alive.
func (r *Registry) raise(b uint32, x uint64) {
	alive := &r.Views.Alive[b]
	was := *alive
	if *alive |= x; was == 0 || *alive == math.MaxUint64 {
		r.Groups[b>>6].noteRaised(b, *alive)
	}
}

// noteRaised records the live objects of a block that was empty before, or is full now.
//
//go:noinline
func (g *Group) noteRaised(b uint32, alive uint64) {
	bit := uint64(1) << (b & 63)
	if g.Some |= bit; alive == math.MaxUint64 {
		g.Full |= bit
	}
}

// noteLowered records the live objects of a block that may be empty now, or was full before.
//
//go:noinline
func (g *Group) noteLowered(b uint32, alive uint64) {
	bit := uint64(1) << (b & 63)
	if g.Full &^= bit; alive == 0 {
		g.Some &^= bit
	}
}
