// Package unsafeutil is the one package that imports unsafe: every typed view of the world's bytes
// is made here.
//
//	[]byte  ──Slice[T]──▶  []T        checked: alignment, whole number of elements
//	[]byte  ──Records[T]─▶ []T        checked: alignment, whole number of records
//	[]T     ──Bytes──▶     []byte
//	[]T     ──Pairs, Triples, Quads──▶ [][2]T, [][3]T, [][4]T
//	Base    ──Span[T]──▶   []T        unchecked in release builds; checked under -tags ecsdebug
//
// Memory is little-endian, elements have a fixed width, and nothing here holds a pointer of its own
// to anything but the bytes it was given. All sizes and offsets are in the units that names say:
// n and lo count elements, size and align count bytes.
//
// Checked views: [Slice], [Records], [Bytes], [Pairs], [Triples], [Quads].
// Unchecked views: [BaseOf], [Base], [Span]. Elements: [Element], [SizeOf].
// Memory: [Aligned], [LittleEndian].
package unsafeutil
