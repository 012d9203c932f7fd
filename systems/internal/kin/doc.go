// Package kin implements the relations of one world: which objects are disposed, cleared or
// disabled together with others, and the depth of each object in a tree. Lists of referrers are in
// index.Referrers. Levels are derived from them, outside the world's bytes:
//
//	object        0   1   2   3   4   5
//	reference     .   0   0   1   1   .       . is nobody
//	level         1 2 | 3 4                   of a tree: by depth, then ascending; the others are
//	                                          roots
//	above         0 0   1 1                   per entry of level: its target
//
// A disposal must not depend on derived data, because a copy of the world has no lists yet. So the
// references themselves decide whether an object has referrers. A disposal looks at all objects
// listed as referrers, also after references have changed.
//
// Files: world (all relations of a world), dispose (the effects on referrers of disposed objects),
// disable, copy and plant (whole trees), ring (rings among new objects), set (rings by one
// reference), lists (the lists of one relation), level (trees, by depth).
//
// # Decisions
//
// In worlds of 500,000 or more objects, a disposal prefetches the lines that it will write; in
// smaller worlds prefetching is slower.
package kin
