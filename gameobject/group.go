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
		r.rose(b)
	}
}

// rose updates the group of a block that was empty before, or is full now.
//
//go:noinline
func (r *Registry) rose(b uint32) {
	g, bit := &r.Groups[b>>6], uint64(1)<<(b&63)
	if g.Some |= bit; r.Views.Alive[b] == math.MaxUint64 {
		g.Full |= bit
	}
}

// fell updates the group of a block that may be empty now, or was full before.
//
//go:noinline
func (r *Registry) fell(b uint32) {
	g, bit := &r.Groups[b>>6], uint64(1)<<(b&63)
	if g.Full &^= bit; r.Views.Alive[b] == 0 {
		g.Some &^= bit
	}
}
