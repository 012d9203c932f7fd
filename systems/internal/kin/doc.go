// Package kin knows which objects refer to which, in the relations of one world: children to their
// parents, say. The truth is the reference of each object, in a column. Lists are derived from it,
// outside the world's bytes:
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
//	level         1 2 | 3 4                   of a tree: by depth, then ascending; the others are
//	                                          roots
//	above         0 0   1 1                   per entry of level: what it refers to
//
// A block of 64 objects without references is passed over, so that lists cost what those who have
// the relation cost, not the world.
//
// The version of a relation is the sum of two counters of its manager: of values written, and of
// changes of who has the kind. Lists tell which of them are valid, and at which version. The next
// question at another version settles them:
//
//	passed since          target   referrers                 levels
//	references written    patched  patched                   derived
//	objects got or lost   derived  looked at one by one,     derived
//	the kind                       as some refer no more
//	many of either,       derived  derived                   derived
//	or anything else
//
// Each reference that is written is noted in changes: the object, and what it referred to before.
// Patching moves it from one list to the other one. A list that has no room goes behind all others,
// with room to grow; when there is no more, or patching would move too much, all is derived.
// References that were written otherwise raise the manager's counter and are not noted: so do
// Restore, Load and a delta.
//
// Referrers are bare if all of them refer to what they are listed for. Otherwise, after objects
// lost the kind, each is looked at again.
//
// What a disposal does must not depend on what is derived: a copy of the world has no lists yet. So
// their references say whether others refer to an object. Those to look at are its referrers, also
// after others have gained some.
//
// Files: lists (what is derived, and what of it is valid), target (what each object refers to),
// sort (who refers to whom, by counting), change (patches), each (a loop over the referrers of
// one), level (trees, by depth), set (one reference), dispose (what happens to the referrers of
// disposed objects), plant and copy (whole trees), world (all relations of a world).
//
// # Decisions
//
// Ticks cannot tell that lists are stale: two writes of one step have the same tick, and so has
// another branch after a rollback. Generations are gathered in the order of the list when they are
// first asked for, because reading each where it lies took a third of the loop. A new object that
// reuses an index must not inherit the old children; the bits of parents prevent it. From 500,000
// objects on, a disposal prefetches the lines that it will write; in smaller worlds that is slower.
package kin
