// Package family implements relations between objects: children refer to their parent, or an item
// to its carrier.
//
//	var Seat = layout.NewRelation("seat", layout.Relation{Disposed: layout.Clear})
//
//	state, err = world.Set(state, turret, family.ChildOf, tank)
//	for id := range family.Children(state, family.ChildOf, tank) { … }
//
// A reference is a field of a kind, and the only truth. Get and Column read it, Add and Remove add
// and remove it, and Set, recorded commands and the function passed to SpawnN write it. Writes
// check that it is nobody or a live object, and that a tree has no rings; [world.Nobody] clears it.
// The referrers of an object are derived by the first call that asks for them after a change, which
// takes a few nanoseconds per object with the relation.
//
// When an object is disposed, the relation's [layout.Policy] decides what happens to its referrers:
// they refer to nobody, they are disposed too, or the disposal is refused. Dispose, DisposeAll and
// Apply have carried this out when they return. [world.Apply] disposes objects with referrers after
// all other commands, so that a later command can still give a child to another parent. A command
// that refers to a dead object, or to an object whose creation was refused, is refused with an
// error that wraps world.ErrDead.
//
//	for b := range posing.Down(state, family.ChildOf) { // parents before their children
//		global, local := world.Column(b, Global), world.Column(b, Local)
//		parent := family.Parents(b, Global) // Global's default if there is no parent
//		for i := range global {
//			global[i] = parent[i].Mul(local[i])
//		}
//	}
//
// A tree is a value, in Go or as text. [ParseTrees] reads texts like this one; each object is
// indented below its parent, with its first values:
//
//	# A line begins with a name, or with - if no object refers to this one.
//	barrel: gun                         # the name of an object : a recipe
//		muzzle: + place + hot           # or only kinds, each after a +
//			place {X:0 Y:2}             # a field and its value; omitted parts are
//		aim muzzle                      # as in the recipe. An object: its name, or nobody
//
//	tank: hull + burning                # a recipe, and another kind or mark
//		left: like barrel               # a copy of the tree above
//			place {X:-1}                # with other values,
//			muzzle:                     # also of objects in it,
//				place {Y:3}
//		right: like barrel
//			aim left.muzzle             # whose names elsewhere are left.muzzle, …
//		target.range 500                # field range of kind target
//		wheels.angles [0 0.5 0.5 0]     # an array
//		bag [{What:7 Count:2}]          # a list: all elements, with all parts
//		title "of the \"dragon\""       # a text
//
// Values are written as tools print them. Lines directly below an object share one indentation, of
// spaces or tabs. Names with characters other than letters, digits, -, _ and . are quoted as in Go.
// Children get ChildOf implicitly.
//
// A world contains a relation if Counts name its kind. The derived lists take up to 40 bytes per
// object and relation, outside the world's bytes; unused room takes no memory.
//
// Relations: [ChildOf]; your own by [layout.NewRelation]. The referrers of an object: [Children],
// [Count]; in queries, objects with a target: [HasTarget], or without: [NoTarget]. Walks:
// [systems.Query.Down], [systems.Query.Up], with [Parents] and [UpdateParents]; in tasks, depth by
// depth, [systems.Query.AtDepth] and [Depth]; of the children of one object
// [systems.Query.ChildrenOf]. Whole trees: [Spawn] of a [Tree] with [Member], [SpawnTree] for the
// ids of its members and for other relations, in commands [systems.Commands.SpawnTree]; [Copy],
// [Dispose]. In text: [ParseTrees], [AppendTrees]. Errors: [ErrRing], [ErrReferred], [TextError].
//
// # Decisions
//
// [SpawnTree] appends the ids of all members because callers often need one, such as the turret,
// and a search among the children of each new tree would derive the lists each time. [NoTarget]
// also matches objects without the kind, so that one query finds the roots of a tree.
//
// Trees in text are not JSON, because prefabs are edited by hand and compared line by line:
// indentation gives the parent, values are written as tools print them, and references are names,
// so that a new line changes no other line. The total size of a text's trees is bounded, since
// forty lines may double a tree forty times.
package family
