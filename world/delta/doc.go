// Package delta encodes the difference between two worlds: a few bytes for a frame with few
// changes, and a fourth to a fifth of the world's size if everything moved. Use it to send a world
// continuously, or to store more frames than fit into memory.
//
//	var c delta.Coder
//	d, err := c.Append(nil, before, after)
//	state, err = c.Apply(state, d) // state was like before, and is like after
//
// A delta encodes the used truth of a world, bit for bit. Apply rebuilds what is derived. Recorded
// commands and the Go values of [layout.Values] kinds are not included: a Go value stays with its
// row, and becomes the default when the row is not in use any more.
//
// # How
//
// Each part of the world is compared in chunks of 65,536 bytes, and each chunk in lines of 64.
// Changed lines are xored, which turns equal bits into zeros, and split into planes: the lowest
// bytes of all elements, then the next bytes, and so on. s2 compresses planes with regularities;
// noise is stored as it is, and noise with zeros without the zeros. Unchanged chunks take no bytes.
//
//	at  bytes  what
//	 0      8  "fldelta" and the version, 1
//	 8      8  xxh3 of all that follows
//	16      8  hash of the base
//	24      8  hash of the result
//	32      8  number of parts whose used bytes become more or fewer
//	40         for each: number of the part (2), bytes used from now on (8)
//	           for each chunk that changed:
//	        2    number of the part
//	        2    lines that changed, less 1
//	        4    number of the chunk
//	        4    bytes that follow
//	             a bit per line of the chunk, in words of 8, unless all have changed
//	        2    two bits per plane of the lines that changed, xored; 4 bytes where there are more
//	             than 8; then each plane
//	             0: is in the s2 block at the end, which holds such planes one after the other
//	             1: as it is
//	             2: a bit per byte that is not zero, then those bytes
//
// If a column has elements of several sizes, those of each size have planes of their own, the
// smallest size first, each padded with zeros to a multiple of 8 bytes.
//
// Numbers are little-endian; parts have the numbers and the order of [tool.Parts]. A line beyond
// the used bytes is padded with zeros, and so is a part of the world that was shorter. The hash of
// a world is the xxh3 of, for each part of the truth, the number of its used bytes and the xxh3 of
// each chunk of them.
//
// # Index
//
// [Coder], [Coder.Append], [Coder.Apply]; [Append], [Apply]; [ErrBase], [ErrDamaged].
package delta
