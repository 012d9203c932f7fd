// Package game is a frame of a game, written once for each of several libraries.
//
// A [Scene] has objects of six sorts, put together from twelve kinds of components; an object has a
// slot, the number under which the program knows it, and each slot keeps its sort. A [Script] says
// what happens from outside: who is damaged, frozen, swapped. A frame is eleven systems, in order:
//
//	damage      a fifth as many damages as objects, by random id, in the script's order
//	freeze      a mark is toggled on one object in a hundred: half get it, half lose it
//	swap        two objects in a hundred exchange one kind for another, and carry its value over
//	age         lifetimes go down; whose is over is disposed, one object in 250
//	spawn       as many are spawned, into the slots that are free
//	chase       hunters turn to the object that they hold a reference to, or pick another
//	accelerate  velocity += acceleration × dt
//	move        position += velocity × dt, but for the frozen
//	heal        health rises to its maximum
//	animate     a counter goes on, on every object
//	collide     bodies go into a grid; in each cell every pair is tested, a fifth as many pairs as
//	            objects; those that touch count it
//
// Every library comes to the same [Sum] after each frame: no system depends on the order in which
// objects are walked, and every product is rounded. Further systems, such as a tree of transforms,
// go to the end of [Systems]; a library without it cannot be built.
//
// Verbs: [NewScript], [Script.Next], [Libraries], [SumOf].
package game
