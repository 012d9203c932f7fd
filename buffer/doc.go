// Package buffer is the layer of bytes: it allocates those of worlds, cuts them into aligned
// regions and views them as typed columns. Its Go API may change; that of package world is the
// promise.
//
//	0        64              64 × k
//	| region | region …      | column of field 0 … pad | column of field 1 … pad |
//	  every region starts on a multiple of 64 bytes (Align), a cache line and more than
//	  any vector register; the padding after a region is zero
//
// A [Column] holds the values of one field of every component: row r is the Stride bytes from r ×
// Stride on.
//
// Memory: [New], [Memory], [MaxSize], [LittleEndian], [Copy], [OffsetIn]; of worlds: [Reserve],
// [Over], [Range]. Of mapped ones that are freed, some are kept for the next of the size
// (spare.go). Cutting: [Carver], [Carve], [CarveRecord], [CarveRecords], [Align]. Columns:
// [NewColumn], [Column.Fill], [Column.Reset], [Column.Set], [Put], [Column.Copy], [Column.Swap],
// [Rows]; unchecked [BaseOf], [Base], [Span], [At], [AtByte]. Lists as bytes: [Bytes].
package buffer
