// Package memory puts worlds into bytes that are handed in: a mapped file, shared memory, what
// another program left. Other programs find each column by a directory at the head.
//
//	0      head    magic, version, fingerprint, directory, kinds, recipes, watchers, zeros
//	h      world   the bytes of a world, as package manager draws them
//
// h is a multiple of 4096. docs/FORMAT.md has every byte. The fingerprint is a hash of the head:
// worlds of equal counts, kinds, fields and defaults have the same, whatever they hold, and the
// same bytes mean the same in each of them.
//
// The bytes begin on a multiple of 64, as mappings do, and stay the caller's: [world.Close] and
// Snapshot.Close leave them. Keep them mapped while the world or snapshot is in use.
//
// Trust: [Attach] and [Open] check the head, and that no counter exceeds its room; the rest of the
// bytes is trusted, and other programs that map them can change them under a reader. That is for
// memory of the same user. [Copy] believes nothing, as loading a file does.
//
// Make: [SizeOf], [Make], [CreateState], [NewSnapshot]. What is there: [Attach], [Open], [Copy],
// [Fingerprint]. Of any program: [Read], [Head], [Head.Counts], [Head.Attach], [Part]. Errors:
// [ErrFormat], [ErrVersion], [ErrOther], [ErrUsed], [ErrReadOnly], [ErrBytes].
//
// # Decisions
//
// An arena takes its bytes from the caller and never knows the difference, so mapped files, shared
// memory and slices behave alike. The head is a function of the counts alone: checking it is a
// comparison, and what was read of a foreign one is encoded again and must be the same bytes.
// Writing to an attached world panics, because half of the calls that write return no error.
package memory
