// Package frame is a frame of a game, written once for each of several libraries.
//
// A game has objects of seven sorts, made from fifteen kinds of components. An object has a slot,
// the number by which the program identifies it; the sort of a slot never changes. A [Script]
// contains the external events: damages, freezes, swaps and changes of parents. A frame is thirteen
// systems, in order:
//
//	damage      a fifth as many damages as objects, by random id, in the script's order
//	freeze      a mark is toggled on one object in a hundred: half get it, half lose it
//	swap        two objects in a hundred exchange one kind for another, and carry its value over
//	age         lifetimes go down; expired objects are disposed, one object in 250
//	spawn       as many are spawned, into the slots that are free
//	chase       hunters, one object in ten, turn to their target's id, or pick another
//	accelerate  velocity += acceleration × dt
//	move        position += velocity × dt, except for frozen objects
//	heal        health rises to its maximum
//	animate     a counter goes on, on every object
//	hang        one part in a hundred gets another parent
//	assemble    parts turn, and are placed by their parents, which are placed before; one object
//	            in 20 is a part, of a tree of three levels
//	collide     bodies that touch another one count it; a fifth as many pairs as objects are so
//	            near that they are tested, from cells that hold bodies by where they are
//
// In flatecs, cells are world/space and trees world/pose. The others have [Cells], written by hand,
// and parts refer to their parent in a component, or by an index: parents were created before their
// children, and no part is ever removed, so one pass in the order of creation places them all.
// Ark's relations take longer.
//
// Every library reaches the same [SumOf] after each frame: no system depends on the order in which
// objects are walked, and every product is rounded.
//
// Verbs: [Subject], [NewScript], [Script.Next], [SumOf], [Cells].
package frame
