// Package delta encodes the difference between two worlds. A change of one object takes 33 bytes
// plus some tens; a change of everything takes a fourth to a fifth of the world's size. Use it to
// send a world continuously, or to store more frames than fit into memory.
//
//	var c delta.Coder
//	d, err := c.Append(nil, before, after)
//	state, err = c.Apply(state, d) // state was like before, and is like after
//
// A delta encodes the used part of a world, bit for bit; Apply rebuilds derived data. Recorded
// commands and Go values are not included: a Go value stays in its row, and becomes the default
// when the row is freed. Kinds, recipes and watchers are identified by number: Apply to a world
// whose counts list them in another order returns [ErrBase]. docs/FORMAT.md describes every byte.
//
// # How
//
// Each part of the world is compared in chunks of 65,536 bytes, and each chunk in lines of 64. If
// few bytes of a chunk changed, they are listed. Otherwise its changed lines are xored, which turns
// equal bits into zeros, and split into planes: the lowest bytes of all elements, then the next
// bytes, and so on. s2 compresses planes with regularities. Noise is stored uncompressed, and noise
// with zeros without the zeros. Unchanged chunks take no bytes.
//
// # Sizes
//
// In a world of 100 objects of two kinds, with free room or counted, a delta takes 33 bytes if
// nothing changed, and a few more for the tick; 79 to 114 for an object that is created, 67 to 80
// for one that is disposed, 41 to 64 for a component, a mark or a value. The first object of a slab
// brings the slab's rows with their defaults: 500 bytes, once for 64 to 1024 objects.
//
//	go test ./world/delta -run TestSizes -v
//
// # Decisions
//
// A delta is xored, split into planes and then compressed by s2: after a small move a number has
// the same sign and exponent, so its high bytes become zeros, which are contiguous in a plane. zstd
// would save a fifth more bytes and take ten times as long. Derived bytes are rebuilt instead of
// sent, because a delta from an untrusted source must be checked, and checking means rebuilding.
//
// # Index
//
// [Coder], [Coder.Append], [Coder.Apply]; [Append], [Apply]; [ErrBase], [ErrDamaged].
package delta
