// Package family has objects that refer to other objects: children to their parent, or an item to
// its carrier.
//
//	var Seat = layout.NewRelation("seat", layout.Relation{Disposed: layout.Clear})
//
//	state, err = world.Set(state, turret, family.ChildOf, tank)
//	for id := range family.Children(state, family.ChildOf, tank) { … }
//
// The reference of an object is the only truth. It is a field of a kind: read by Get, Column and
// the like, given with Add, taken away with Remove, and written by Set, by recorded commands, and
// by the function of SpawnN through its Column; they check that it is nobody or a live object, and
// that a tree has no rings. To set a reference to [world.Nobody] clears it. Who refers to an object
// is derived from that when it is asked for after a change, which takes a few nanoseconds per
// object that has the relation.
//
// When an object is disposed, a relation's [layout.Policy] says what happens to those that refer to
// it: they refer to nobody, they are disposed too, or they forbid it. That has happened when
// Dispose, DisposeAll and Apply return. In [world.Apply], objects to which others refer
// are disposed after all other commands, so that a child may still be given to another parent by a
// later command. A command that refers to an object which is dead by then, disposed by a command
// before it, or refused, is refused with an error that wraps world.ErrDead.
//
//	for b := range posing.Down(state, family.ChildOf) { // parents before their children
//		global, local := world.Column(b, Global), world.Column(b, Local)
//		parent := family.Parents(b, Global) // Global's default where there is none
//		for i := range global {
//			global[i] = parent[i].Mul(local[i])
//		}
//	}
//
// A tree is a value, in Go or as text. [ParseTrees] reads texts like this one; each object stands
// below its parent, with its first values:
//
//	# A line begins with a name, or - where nobody refers to the object.
//	barrel: gun                         # the name of an object : a recipe
//		muzzle: + place + hot           # or kinds alone; each after a +
//			place {X:0 Y:2}             # a field, and its value; parts that are left out
//		aim muzzle                      # are as in the recipe. An object: its name, or nobody
//
//	tank: hull + burning                # a recipe, and a further kind or mark
//		left: like barrel               # all of a tree above
//			place {X:-1}                # with other values,
//			muzzle:                     # and so the objects in it,
//				place {Y:3}
//		right: like barrel
//			aim left.muzzle             # which are called by both names elsewhere
//		target.range 500                # field range of kind target, which has several
//		wheels.angles [0 0.5 0.5 0]     # an array
//		bag [{What:7 Count:2}]          # a list: all its elements, with all their parts
//		title "of the \"dragon\""       # a text
//
// Values are written as tools print them. What lies right below an object is indented alike, by
// spaces or tabs. Names with other signs than letters, digits, -, _ and . are in quotes, as in Go.
// Children get ChildOf without a word.
//
// A world has a relation if its kind is in Counts. The lists that are derived take up to 40 bytes
// per object of a world and relation, beside the world's bytes; room costs nothing until it is
// used.
//
// Relations: [ChildOf]; of your own by [layout.NewRelation]. The referrers of an object:
// [Children], [Count]; in queries, objects with a target: [HasTarget], or without: [NoTarget].
// Walks: [systems.Query.Down], [systems.Query.Up], in which [Parents] and [UpdateParents]; in tasks
// on some of the objects one depth after the other by [systems.Query.AtDepth] and [Depth]; of the
// children of one object [systems.Query.ChildrenOf]. Whole trees: [Spawn] of a [Tree] with
// [Member], [SpawnTree] for the ids of its members and for other relations, in commands
// [systems.Commands.SpawnTree]; [Copy], [Dispose]. In text: [ParseTrees], [AppendTrees]. Errors:
// [ErrRing], [ErrReferred], [TextError].
//
// # Decisions
//
// [SpawnTree] appends the ids of all members because callers often need one, such as the turret,
// and looking for it among the children of each new tree would derive the lists again each time.
// [NoTarget] also matches objects without the kind, so that the roots of a tree are one query.
//
// Trees in text are not JSON, because prefabs are edited by hand and compared line by line: parents
// are where the indentation says, values are written as tools print them, and references are by
// name, so that a new line changes no other. What a text may ask for is bounded in sum, since forty
// lines may double a tree forty times.
package family
