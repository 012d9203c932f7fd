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
//	referrers     1 2 3 4                     objects, by what they refer to, then ascending
//	ages          0 0 0 0                     per entry of referrers: its generation
//
//	level         1 2 | 3 4                   of a tree: by depth, then ascending; the others are
//	                                          roots
//	above         0 0   1 1                   per entry of level: what it refers to
//
// A block of 64 objects of which none refers to anybody is passed over, so that lists cost what
// those who have the relation cost, not the world.
//
// The lists are made anew when they are asked for after a change. What they need to be valid are
// two counters of the manager: of values written, and of changes of who has the kind. After
// references were only taken away, referrers are a superset, and each is looked at again; otherwise
// they are bare, and need no look.
//
// What a disposal does must not depend on what is derived: a copy of the world has no lists yet. So
// their references say whether others refer to an object. Those to look at are its referrers, also
// after others have gained some.
//
// Files: lists (what is derived, and for how long), sort (who refers to whom, by counting), each (a
// loop over the referrers of one), level (trees, by depth), set (one reference), dispose (what
// happens to the referrers of disposed objects), plant and copy (whole trees), world (all relations
// of a world).
//
// # Decisions
//
// Ticks cannot tell that lists are stale: two writes of one step have the same tick, and so has
// another branch after a rollback. Generations are gathered in the order of the list when they are
// first asked for, because reading each where it lies took a third of the loop. A new object that
// reuses an index must not inherit the old children; the bits of parents prevent it. From 500,000
// objects on, a disposal prefetches the lines that it will write; in smaller worlds that is slower.
package kin
