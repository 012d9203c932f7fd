// Package columns shows the kinds of a saved world as Arrow record batches.
//
//	save file                     record batch of kind body
//	body objects  0 1 – 3   ──▶   object    uint64                0 1 null 3
//	body mounted  1 1 0 1   ──▶   velocity  list of 3 float32     validity 1101
//	body velocity xyzxyz…   ──▶             its values are the file's bytes, not a copy
//
// A row of the batch is a row of the kind. Rows that are on no object are null, by the bits that
// the file has for that. A field with elements of one type is a column of that type, or of lists of
// as many as a value has, whose memory is the mapped file, or a decompressed copy of that part of
// it. A list is a column of lists of as many elements as each has, and a text is a string. Ids in
// fields are uint64. Copied are lists and texts, the objects of the rows, bools, which Arrow keeps
// as bits, and fields with elements of several types, which are structs in Arrow.
//
// Batches: [Of] a kind of a file; [ErrNoRows].
package columns
