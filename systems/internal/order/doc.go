// Package order knows the objects of one world by the value of a field: those of a value, and all
// in the order of values. The truth is the column. Lists are derived from it, outside the world's
// bytes, by the first question about the field:
//
//	row       0  1  2  3  4                    slots: a table by hashes of keys
//	object    0  1  2  3  4                    key 1: first 3, count 1
//	team      3  1  3  1  2                    key 2: first 4, count 1
//	                                           key 3: first 0, count 2
//	tree      leaf 0: 1 of 1, 1 of 3           after object 3 went from team 1 to none:
//	          leaf 1: 2 of 4, 3 of 0, 3 of 2   key 1: first 1, count 1
//
// A key is the value as an uint64 that orders alike. The tree has the entries (key, object),
// ascending, in leaves of up to 128; a directory has the lowest entry that each leaf may have, and
// is one list, since leaves are few. The table has the first object of each key, and how many there
// are, so that a question for one takes no search; it is made by the first such question.
//
// copied, owners and mounted are the column as the tree has it. A question at another version of
// the kind (see manager.Manager.Written) finds the rows that may differ, compares each, and moves
// its entry:
//
//	changes since           rows that are compared
//	16 of one row, or less  those that the manager remembers
//	more, or of many rows   64 per stamp of this tick, or per word of mounted bits that differs
//	all bytes               all rows: after Restore, a delta and the like
//
// If too many differ, all is derived: sorted by counting, byte by byte of the keys.
//
// Files: lists (what is derived, and of which version), follow (patches), derive (all from the
// column), tree (entries in order), slots (the table), each (loops), world (all lists of a world).
//
// # Decisions
//
// Entries are in one tree for all values, not in a list per value: a list of 100,000 objects of a
// team would take microseconds per object that joins, and a tree takes the same time for any
// distribution. A loop asks again after each change, and goes on behind the entry that it yielded
// last: so what it yields depends on the world alone, not on what was asked in between.
package order
