// Package delta encodes the difference between two worlds: 33 bytes and some tens for a change of
// one object, and a fourth to a fifth of the world's size if everything moved. Use it to send a
// world continuously, or to store more frames than fit into memory.
//
//	var c delta.Coder
//	d, err := c.Append(nil, before, after)
//	state, err = c.Apply(state, d) // state was like before, and is like after
//
// A delta encodes the used truth of a world, bit for bit. Apply rebuilds what is derived. Recorded
// commands and the Go values of [layout.Values] kinds are not included: a Go value stays with its
// row, and becomes the default when the row is not in use any more. Kinds, recipes and watchers are
// found by their numbers: a world whose counts list them in another order is refused by [ErrBase].
//
// # How
//
// Each part of the world is compared in chunks of 65,536 bytes, and each chunk in lines of 64. If
// few bytes of a chunk changed, they are listed. Otherwise its changed lines are xored, which turns
// equal bits into zeros, and split into planes: the lowest bytes of all elements, then the next
// bytes, and so on. s2 compresses planes with regularities; noise is stored as it is, and noise
// with zeros without the zeros. Unchanged chunks take no bytes.
//
//	at  bytes  what
//	 0      8  "fldelta" and the version, 3
//	 8      8  xxh3 of all that follows
//	16      8  hash of the base
//	24      8  hash of the result
//	32      n  how many highs become others: of the objects, and of the rows of each kind
//	           for each of them:
//	        n    how many highs, in the order of the kinds, lie between it and the one before
//	        z    by how many it becomes more
//	           then a record for each chunk that changed:
//	        n    twice how many parts it is behind the part of the record before; plus 1 if the
//	             record lists bytes, each as
//	        n      twice the unchanged bytes since the one before, or since the end of the chunk
//	               of the record before, in the same part; plus 1 for the record's last byte
//	        1      the byte of before, xored with that of after
//	             if it does not:
//	        n    how many chunks lie between it and the record before, in the same part
//	        n    lines that changed, less 1
//	        3    bytes that follow
//	             a bit per line of the chunk, in words of 8, unless all have changed
//	        2    two bits per plane of the lines that changed, xored; 4 bytes where there are more
//	             than 8; then each plane
//	             0: is in the s2 block at the end, which holds such planes one after the other
//	             1: as it is
//	             2: a bit per byte that is not zero, then those bytes
//
// n is a number in as few bytes as it needs, as of AppendUvarint of encoding/binary; z may be
// negative, as of AppendVarint. Others are little-endian. A high is how many indexes of objects, or
// rows of a kind, were ever used; the used bytes of all parts follow from these. Parts have the
// numbers and the order of [tool.Parts], and the first record is behind part 0 as if that were the
// one before.
//
// If a column has elements of several sizes, those of each size have planes of their own, the
// smallest size first, each padded with zeros to a multiple of 8 bytes.
//
// A line beyond the used bytes is padded with zeros, and so is a part of the world that was
// shorter. The hash of a world is the xxh3 of, for each part of the truth, the number of its used
// bytes and the xxh3 of each chunk of them, seeded with a hash of the names of its kinds, fields,
// watchers and recipes: a world whose bytes mean something else is another base.
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
// A delta is xored, split into planes and then compressed by s2: what moved a little has the same
// sign and exponent as before, so the high bytes of each number become runs of zeros, once they lie
// side by side. zstd would save a fifth more bytes and take ten times as long. Derived bytes are
// rebuilt instead of sent, because a delta from outside must be checked, and checking means
// rebuilding.
//
// # Index
//
// [Coder], [Coder.Append], [Coder.Apply]; [Append], [Apply]; [ErrBase], [ErrDamaged].
package delta
