// Package pack makes bytes of objects, with all that they have, and objects of such bytes: in the
// same world, in another one, or in another program. It is for prefabs, undo, copy and paste, late
// joiners, and objects that move between the worlds of several machines.
//
//	var p pack.Packer
//	b, err := p.Pack(nil, state, ids...)
//	other, copies, err := p.Unpack(nil, other, b) // copies[i] is of ids[i]
//
// A pack, with objects grouped by the kinds that they have:
//
//	header   magic, hash, size, numbers of objects, groups and kinds
//	kind     name; of each field name, size and type
//	…
//	group    objects, kinds that they have, kinds that they keep suspended
//	         their places among the ids that were packed
//	         a column per field: the values of all objects of the group; or their lists
//	…
//	others   ids of objects that are not in the pack, if references lead to such
//
// docs/FORMAT.md describes every byte. A reference to an object of the same pack is its place; one
// to another object is that object's global id. Others have none: the pack ends in their ids, for
// [Packer.Find]. An undo, or a paste where the copy was made, sets it to [SameID]: what the objects
// refer to and is still alive, they refer to again. [Packer.Lost] tells how many references of the
// last Unpack found no target.
//
//	undo := pack.Packer{Find: pack.SameID}
//
// Packs may come from outside: everything is checked, memory is bounded by what was sent, and if
// anything is wrong or does not fit, the world is as it was.
//
// # Global ids
//
// The id of an object is of one world. Its global id, a component of kind [Global], is the same in
// every world, for as many objects as Counts.Globals says:
//
//	state, global, err := pack.NewGlobal(state, id)
//	id, ok := pack.ByGlobal(state, global)
//
// [SetGlobal] gives an object a number that the program chooses.
// [NextGlobal] numbers new objects by their parents, so that the numbers do not depend on
// the world in which that happens. [DigestObjects] compares sets of objects whatever their ids and
// rows.
//
// # Decisions
//
// A pack has columns per group of equal kinds, because objects one by one take 200 to 600 ns each
// for look-ups, and 5 ns by columns; names of kinds stand in each pack, since kinds have numbers of
// one world only. The index of global ids is derived and never cleaned: a slot is believed only if
// its row is in use and has that number, so disposing costs nothing. Global ids are not counted for
// the whole world, as two worlds would give out the same; births are numbered by parents, or hashed
// from an id and the world's seed.
//
// Unpack cannot find out whether a pack is of the same world: nothing in a world's bytes tells it
// from a twin with equal inputs, and a memory of packs would make twins unpack in different ways.
// So the caller sets Find.
//
// # Index
//
// Pack: [Packer], [Packer.Pack], [Packer.Unpack], [Packer.DigestObjects]; [Pack], [Unpack],
// [DigestObjects]. References that leave a pack: [Packer.Find], [SameID], [Packer.Lost]. Global
// ids: [Global], [NewGlobal], [SetGlobal], [GlobalOf], [Globals], [ByGlobal], [NextGlobal]. Errors:
// [ErrNotPack], [ErrNewer], [ErrDamaged], [ErrSchema], [ErrCodec], [ErrTwice], [ErrGlobal],
// [ErrTaken].
package pack
