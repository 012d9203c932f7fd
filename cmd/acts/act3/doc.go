// Package act3 is the third act of the heroes' story, told with the library: the data of each kind
// of component lie in one buffer, a component is a row in it, a game object is an id, and behaviour
// is in systems.
//
//	position   │x y z│x y z│x y z│x y z│ …   row 0 is normal hero 1's, row 2 super hero 1's
//	velocity   │v    │v    │v    │v    │ …
//	fly        │max  │max  │ …
//	instance   no data; its row is its uid
//
// [NewScene] builds the scene and [Shown] says what to print of the world.
package act3
