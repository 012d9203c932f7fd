// Package pack encodes objects with all their components as bytes, and creates objects from such
// bytes: in the same world, in another one, or in another program. It is for prefabs, undo, copy
// and paste, late joiners, and objects that move between the worlds of several machines.
//
//	var p pack.Packer
//	b, err := p.Pack(nil, state, ids...)
//	other, copies, err := p.Unpack(nil, other, b) // copies[i] is a copy of ids[i]
//
// docs/FORMAT.md describes every byte. A reference to an object of the pack is stored as its place,
// a reference to another object as the object's global id, or as its id if it has none;
// [Packer.Find] maps these ids. For an undo, or a paste into the same world, set Find to [SameID]:
// then references lead to the same objects, if these are still alive. [Packer.Lost] counts the
// references of the last Unpack that have no target.
//
//	undo := pack.Packer{Find: pack.SameID}
//
// Packs may come from untrusted sources: Unpack checks everything, bounds memory by the size of the
// pack, and changes nothing if it returns an error.
//
// # Global ids
//
// The id of an object is valid in one world. Its global id, a component of kind [Global], is the
// same in every world. Counts.Globals is the number of objects with a global id:
//
//	state, global, err := pack.NewGlobal(state, id)
//	id, ok := pack.ByGlobal(state, global)
//
// [SetGlobal] sets a number that the program chooses. [NextGlobal] derives numbers of new objects
// from their parents, so that the numbers do not depend on the world. [DigestObjects] compares sets
// of objects regardless of ids and rows.
//
// # Decisions
//
// A pack has columns per group of objects with equal kinds, which take 5 ns per object; single
// objects would take 200 to 600 ns for look-ups. Each pack contains the names of its kinds, since
// numbers of kinds are valid in one world only. The index of global ids is derived and never
// cleaned: a slot is valid only if its row is in use and contains the number, so disposing costs
// nothing. There is no counter of global ids per world, because two worlds would give out the same
// number; numbers are derived from parents, or hashed from an id and the world's seed.
//
// Unpack cannot detect whether a pack comes from the same world: the bytes of a world are equal to
// the bytes of a twin with equal inputs, and twins that remembered packs would unpack in different
// ways. So the caller sets Find.
//
// # Files
//
// From the top down:
//
//	packer.go     what a program calls
//	write.go      Pack                     digest.go      DigestObjects
//	selection.go  objects and kinds        build.go       Unpack: creates objects
//	check.go      Unpack: validation       trees.go       rings
//	schema.go     kinds of a pack read     references.go  to objects outside
//	lists.go      lists, and their room    globals.go     global ids
//	read.go       bytes of a pack          kinds.go       the dictionary of kinds
//	format.go     the header               errors.go      errors
//
// # Index
//
// Pack: [Packer], [Packer.Pack], [Packer.Unpack], [Packer.DigestObjects]; [Pack], [Unpack],
// [DigestObjects]. References to other objects: [Packer.Find], [SameID], [Packer.Lost]. Global ids:
// [Global], [NewGlobal], [SetGlobal], [GlobalOf], [Globals], [ByGlobal], [NextGlobal]. Errors:
// [ErrNotPack], [ErrNewer], [ErrDamaged], [ErrSchema], [ErrCodec], [ErrTwice], [ErrGlobal],
// [ErrTaken].
package pack
