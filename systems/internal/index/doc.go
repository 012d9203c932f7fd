// Package index knows the objects of one world by the value of a field: those of a value, and all
// in the order of values. The truth is the column. A table is derived from it, outside the world's
// bytes, by the first question about the field:
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
// A guard has the version of which they tell: the sum of two counters of the manager, of values
// written, and of changes of who has the kind. A question at another version has the column find
// the rows that may differ from its copy, and compare each. The entry of one that differs moves in
// the chains. For the tree, it is noted what goes and what comes; the next question to the tree
// sorts that and makes the changes, one leaf after the other.
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
// Files: world (all tables of a world), each and texts (questions and loops), table (what is
// derived, and its memory), derive (chains and tree from the column), guard (what is valid), column
// (which rows differ), keys (of values and texts), chains (by key), waiting (what the tree does not
// have yet), tree (entries in order), pairs (sorting).
//
// # Decisions
//
// Entries are in one tree for all values, not in a list per value: a list of 100,000 objects of a
// team would take microseconds per object that joins, and a tree takes the same time for any
// distribution. Chains are short for the same reason. A loop asks again after each change, and goes
// on behind the entry that it yielded last: so what it yields depends on the world alone, not on
// what was asked in between. Leaves that become empty stay until all is derived: each took 64
// insertions to make.
package index
