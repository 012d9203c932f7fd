// Package index finds the objects with a value, with a text, or with a reference to an object. The
// truth is a column. The index is derived from it, outside the world's bytes, at the first query,
// and later queries update it. A [Guard] has the version for which the index is valid: the sum of
// two counters of the manager, of writes to values, and of changes of which objects have the kind.
//
// # Tables
//
// A [Table] finds the objects with a value, and all objects in the order of values:
//
//	row       0  1  2  3  4                    chains, by hashes of keys
//	object    0  1  2  3  4                    key 1: 2 objects; 1, then 3
//	team      3  1  3  1  2                    key 2: 1 object; 4
//	                                           key 3: 2 objects; 0, then 2
//	tree      leaf 0: 1 of 1, 1 of 3           after object 3 went from team 1 to none:
//	          leaf 1: 2 of 4, 3 of 0, 3 of 2   key 1: 1 object; 1
//
// A key is the value as a uint64 with the same order. The chains answer queries for one key: they
// have the first object of each key, and the number of its objects. Up to 8 objects of a key are in
// a chain, by object, through next. For more objects only the first is known; when it leaves, the
// next one is searched for in the blocks behind it, or in the tree. The tree has the entries (key,
// object), ascending, in leaves of up to 128 entries; a directory has the lowest entry that each
// leaf may have, and is one list, since leaves are few. The first query that needs chains or tree
// derives them, so a program that only asks for single values has no tree.
//
// A query at another version makes the column find the rows that may differ from its copy, and
// compare each. The entry of a row that differs moves in the chains. For the tree, removed and
// added entries are recorded; the next query of the tree sorts them and makes the changes, leaf by
// leaf.
//
//	changes since           rows that are compared
//	16 of one row, or less  the rows that the manager remembers
//	more, or of many rows   64 per stamp of this tick, or per word of mounted bits that differs
//	all bytes               all rows: after Restore, a delta and the like
//
// If too many rows differ, everything is derived again: the chains entry by entry, the tree by a
// radix sort of the keys.
//
// The keys of texts are hashes, for queries of one text, which compare the texts they find; or
// their first eight bytes, for their order: texts with equal prefixes are sorted by each query. The
// column then copies keys only, and texts are read in the world.
//
// # Referrers
//
// [Referrers] list the objects that refer to each object by a relation:
//
//	object        0   1   2   3   4   5
//	reference     .   0   0   1   1   .       . is nobody
//
//	target        .   0   0   1   1   .       per object: the index that it refers to
//	parents       1   1   0   0   0   0       a bit per object: others refer to it
//	start         0   2                       per parent: where its referrers begin
//	end           2   4                       and where they end
//	referrers     1 2 3 4                     objects, by target, then ascending; behind them is
//	                                          room for lists that grow
//	ages          0 0 0 0                     per entry of referrers: its generation
//
// A block of 64 objects without references is skipped, so that the cost of lists depends on the
// objects with the relation, not on the world. A query at another version updates them:
//
//	changes since             target   referrers
//	references written        patched  patched
//	objects got or lost       derived  checked one by one, because some refer no more
//	the kind
//	many of either,           derived  derived
//	or anything else
//
// Each write of a reference is recorded: the object, and its old target. Patching moves the object
// from one list to the other. A list without room moves behind all others, with room to grow; if
// there is no more room, or patching would move too much, everything is derived again. Other writes
// of references, by Restore, Load or a delta, raise the manager's counter and are not recorded.
// Referrers are bare if all of them refer to the target of their list. Otherwise, after objects
// lost the kind, each is checked again.
//
// Files: world (all tables of a world), each and texts (queries and loops), table (derived parts),
// derive (chains and tree), column (changed rows), keys, chains (by key), waiting (changes for the
// tree), tree (entries in order), pairs (sorting); referrers (derived parts and recorded changes),
// visit (a loop), patch, lists, targets; guard (validity), memory.
//
// # Decisions
//
// Entries are in one tree for all values, not in a list per value: adding an object to a list of
// 100,000 objects of a team would take microseconds, and a tree takes the same time for any
// distribution. Chains are short for the same reason. A loop queries again after each change, and
// continues behind the entry that it yielded last: so its results depend on the world alone, not on
// queries in between. Leaves that become empty stay until everything is derived: each took 64
// insertions to create.
//
// Ticks cannot tell that referrers are stale: two writes of one step have the same tick, and so has
// another branch after a rollback. Generations are copied in the order of the list at first use,
// because reading each where it is stored took a third of the loop. A new object that reuses an
// index must not inherit the old children; the bits of parents prevent it.
package index
