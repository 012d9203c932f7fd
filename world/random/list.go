package random

import "github.com/flatecs/flatecs/world"

// Version is the version of the algorithms that turn seeds into streams, streams into numbers, and
// numbers into orders and choices. It increases when any of them changes. Recordings and results of
// two versions differ.
const Version = 2

// Shuffle puts dst into a random order, each order equally likely: Fisher and Yates, from the end
// down, with one draw per element except the first.
func Shuffle[T any](dst []T, r *world.Stream) {
	for i := len(dst) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		dst[i], dst[j] = dst[j], dst[i]
	}
}

// Choice returns an element of from, each equally likely, with one draw. It panics if from is
// empty.
func Choice[T any](r *world.Stream, from []T) T {
	if len(from) == 0 {
		panic("random: Choice from an empty list; ask for its length first")
	}
	return from[r.IntN(len(from))]
}

// Sample fills dst with different elements of from, in the order of from; each choice of len(dst)
// elements is equally likely. It draws once for each element of from until dst is full (D. E.
// Knuth, The Art of Computer Programming 2, algorithm S). It returns the filled part of dst: all of
// it, unless from is shorter. dst and from must not overlap.
func Sample[T any](dst []T, r *world.Stream, from []T) []T {
	if len(dst) >= len(from) {
		return dst[:copy(dst, from)]
	}
	chosen := 0
	for i := 0; chosen < len(dst); i++ {
		if r.IntN(len(from)-i) < len(dst)-chosen {
			dst[chosen] = from[i]
			chosen++
		}
	}
	return dst
}
