// Package memory puts worlds into bytes of the caller: a mapped file, shared memory, or memory of
// another program. Other programs find each column by a directory at the head. docs/FORMAT.md
// describes every byte.
//
//	0      head    magic, version, fingerprint, directory, kinds, recipes, watchers, zeros
//	h      world   the bytes of a world, as package manager draws them
//
// The fingerprint is a hash of the head: worlds with equal counts, kinds, fields and defaults have
// equal fingerprints, whatever their contents, and one layout of bytes.
//
// The bytes must be aligned to 64, as mappings are, and belong to the caller: [world.Close] and
// Snapshot.Close do not free them. Keep them mapped while the world or snapshot is in use.
//
// Trust: [Attach] and [Open] check the head, and that no counter exceeds its room; they trust the
// rest of the bytes, and other programs that map them can change them under a reader. Use them for
// memory of the same user. [Copy] checks everything, as loading a file does.
//
// Make: [SizeOf], [Make], [CreateState], [NewSnapshot]. Existing memory: [Attach], [Open], [Copy],
// [Fingerprint]. From any program: [Read], [Head], [Head.Counts], [Head.Attach], [Part]. Errors:
// [ErrFormat], [ErrVersion], [ErrOther], [ErrUsed], [ErrReadOnly], [ErrBytes].
//
// # Decisions
//
// Mapped files, shared memory and slices behave alike, because an arena does not depend on the
// source of its bytes. The head is a function of the counts alone: checking it is a comparison, and
// a foreign head is decoded and encoded again, which must give the same bytes. Writing to an
// attached world panics, because half of the calls that write return no error.
package memory
