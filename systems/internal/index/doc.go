// Package index answers which objects have something: a value, a text, or a reference to one of
// them. The truth is a column. What answers is derived from it, outside the world's bytes, by the
// first question, and follows what is written from then on. A [Guard] has the version of which it
// tells: the sum of two counters of the manager, of values written, and of changes of who has the
// kind.
//
// # Tables
//
// A [Table] knows the objects of a value, and all in the order of values:
//
//	row       0  1  2  3  4                    chains, by hashes of keys
//	object    0  1  2  3  4                    key 1: 2 objects; 1, then 3
//	team      3  1  3  1  2                    key 2: 1 object; 4
//	                                           key 3: 2 objects; 0, then 2
//	tree      leaf 0: 1 of 1, 1 of 3           after object 3 went from team 1 to none:
//	          leaf 1: 2 of 4, 3 of 0, 3 of 2   key 1: 1 object; 1
//
// A key is the value as an uint64 that orders alike. The chains answer questions about one key:
// they have the first object of each, and how many there are. Up to 8 are in a chain, by object,
// through next; of more, the first is known, and when it goes, the next one is looked for in the
// blocks behind it, or in the tree. The tree has the entries (key, object), ascending, in leaves of
// up to 128; a directory has the lowest entry that each leaf may have, and is one list, since
// leaves are few. Both are made by the first question that needs them, so that who asks for single
// values only has no tree.
//
// A question at another version has the column find the rows that may differ from its copy, and
// compare each. The entry of one that differs moves in the chains. For the tree, it is noted what
// goes and what comes; the next question to the tree sorts that and makes the changes, one leaf
// after the other.
//
//	changes since           rows that are compared
//	16 of one row, or less  those that the manager remembers
//	more, or of many rows   64 per stamp of this tick, or per word of mounted bits that differs
//	all bytes               all rows: after Restore, a delta and the like
//
// If too many differ, all is derived: the chains entry by entry, the tree by counting, byte by byte
// of the keys.
//
// The keys of texts are hashes, for questions about one text, which are compared as they are found;
// or their first eight bytes, for their order: those that begin alike are sorted when they are
// asked for. What is copied then are keys, and texts are read in the world.
//
// # Referrers
//
// [Referrers] know the objects that refer to each one by a relation:
//
//	object        0   1   2   3   4   5
//	reference     .   0   0   1   1   .       . is nobody
//
//	target        .   0   0   1   1   .       per object: the index that it refers to
//	parents       1   1   0   0   0   0       a bit per object: others refer to it
//	start         0   2                       per parent: where its referrers begin
//	end           2   4                       and where they end
//	referrers     1 2 3 4                     objects, by what they refer to, then ascending;
//	                                          behind them is room for lists that grow
//	ages          0 0 0 0                     per entry of referrers: its generation
//
// A block of 64 objects without references is passed over, so that lists cost what those who have
// the relation cost, not the world. A question at another version settles them:
//
//	passed since          target   referrers
//	references written    patched  patched
//	objects got or lost   derived  looked at one by one, as some refer no more
//	the kind
//	many of either,       derived  derived
//	or anything else
//
// Each reference that is written is noted: the object, and what it referred to before. Patching
// moves it from one list to the other one. A list that has no room goes behind all others, with
// room to grow; when there is no more, or patching would move too much, all is derived. References
// that were written otherwise raise the manager's counter and are not noted: so do Restore, Load
// and a delta. Referrers are bare if all of them refer to what they are listed for. Otherwise,
// after objects lost the kind, each is looked at again.
//
// Files: world (all tables of a world), each and texts (questions and loops), table (what is
// derived), derive (chains and tree), column (which rows differ), keys, chains (by key), waiting
// (what the tree does not have yet), tree (entries in order), pairs (sorting); referrers (what is
// derived, and noted), visit (a loop), patch, lists, targets; guard (what is valid), memory.
//
// # Decisions
//
// Entries are in one tree for all values, not in a list per value: a list of 100,000 objects of a
// team would take microseconds per object that joins, and a tree takes the same time for any
// distribution. Chains are short for the same reason. A loop asks again after each change, and goes
// on behind the entry that it yielded last: so what it yields depends on the world alone, not on
// what was asked in between. Leaves that become empty stay until all is derived: each took 64
// insertions to make.
//
// Ticks cannot tell that referrers are stale: two writes of one step have the same tick, and so has
// another branch after a rollback. Generations are gathered in the order of the list when they are
// first asked for, because reading each where it lies took a third of the loop. A new object that
// reuses an index must not inherit the old children; the bits of parents prevent it.
package index
