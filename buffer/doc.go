// Package buffer is the layer of bytes: it allocates the bytes of worlds, cuts them into aligned
// regions and views them as typed columns. Its Go API may change; package world has the stable API.
//
//	0        64              64 × k
//	| region | region …      | column of field 0 … pad | column of field 1 … pad |
//	  every region starts on a multiple of 64 bytes (Align), a cache line and more than
//	  any vector register; the padding after a region is zero
//
// A [Column] holds the values of one field of every component: row r is Stride bytes from r ×
// Stride on.
//
// Memory: [New], [Memory], [MaxSize], [LittleEndian], [Copy], [OffsetIn]; for worlds: [Reserve],
// [Over], [Range]. Some freed mappings are kept for the next Range of the same size (spare.go).
// Cutting: [Carver], [Carve], [CarveRecord], [CarveRecords], [Align]. Columns: [NewColumn],
// [Column.Fill], [Column.Reset], [Column.Set], [Put], [Column.Copy], [Column.Swap], [Rows];
// unchecked [BaseOf], [Base], [Span], [At], [AtByte]. Lists as bytes: [Bytes].
package buffer
