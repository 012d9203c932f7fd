// Package unsafeutil is the one package that imports unsafe: every typed view of the world's bytes
// is made here.
//
//	[]byte  ──Slice[T]──▶  []T        checked: alignment, whole number of elements
//	[]byte  ──Records[T]─▶ []T        checked: alignment, whole number of records
//	[]T     ──Bytes──▶     []byte
//	[]T     ──Flat[E]──▶   []E        of what T is made of, as the caller knows
//	Base    ──Span, At──▶  []T, *T    unchecked in release builds; checked under -tags ecsdebug
//
// Memory is little-endian, elements have a fixed width, and nothing here holds a pointer of its own
// to anything but the bytes it was given. All sizes and offsets are in the units that names say:
// n and lo count values, size and align count bytes.
//
// Checked views: [Slice], [Records], [Bytes], [BytesOf], [ElementOf].
// Unchecked views: [BaseOf], [Base], [Span], [At], [AtByte], [Flat]. Elements: [Element], [SizeOf].
// Memory: [Aligned], [LittleEndian]; the operating system's: [Address], [Foreign].
package unsafeutil
