// Package kin knows what follows from references: which objects are disposed, cleared or disabled
// with others, in the relations of one world, and how deep in a tree each is. Who refers to whom is
// in lists, index.Referrers. Levels are derived from them, outside the world's bytes:
//
//	object        0   1   2   3   4   5
//	reference     .   0   0   1   1   .       . is nobody
//	level         1 2 | 3 4                   of a tree: by depth, then ascending; the others are
//	                                          roots
//	above         0 0   1 1                   per entry of level: what it refers to
//
// What a disposal does must not depend on what is derived: a copy of the world has no lists yet. So
// their references say whether others refer to an object. Those to look at are its referrers, also
// after others have gained some.
//
// Files: world (all relations of a world), dispose (what happens to the referrers of disposed
// objects), disable, copy and plant (whole trees), ring (rings among new objects), set (rings by
// one reference), lists (those of one relation), level (trees, by depth).
//
// # Decisions
//
// From 500,000 objects on, a disposal prefetches the lines that it will write; in smaller worlds
// that is slower.
package kin
