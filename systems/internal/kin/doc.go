// Package kin knows which objects refer to which, in the relations of one world: children to their
// parents, say. The truth is the reference of each object, in a column. Lists are derived from it,
// outside the world's bytes:
//
//	object        0   1   2   3   4   5
//	reference     .   0   0   1   1   .       . is nobody
//
//	target        .   0   0   1   1   .       per object: the index that it refers to
//	start         0   2   4   4   4   4       per object: where its referrers begin
//	referrers     1 2 3 4                     objects, by what they refer to, then ascending
//	ages          0 0 0 0                     per entry of referrers: its generation
//
//	level         1 2 | 3 4                   of a tree: by depth, then ascending; the others are
//	                                          roots
//	above         0 0   1 1                   per entry of level: what it refers to
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
// Files: lists (what is derived), each (a loop over the referrers of one), level (trees, by depth),
// set (one reference), dispose (what happens to the referrers of disposed objects), world (all
// relations of a world).
package kin
