package pose

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// The components of poses. Programs write local poses, and read global poses, which [Update2] and
// [Update3] derive.
var (
	Local2  = layout.NewComponent("local pose 2", Identity2)  // relative to the parent
	Global2 = layout.NewComponent("global pose 2", Identity2) // relative to the world
	Local3  = layout.NewComponent("local pose 3", Identity3)  // relative to the parent
	Global3 = layout.NewComponent("global pose 3", Identity3) // relative to the world
)

// The queries of [Update2] and [Update3]. List them in Counts, so that the first update does not
// allocate.
var (
	Placing2 = world.NewQuery(world.Write(Global2), world.Read(Local2))
	Placing3 = world.NewQuery(world.Write(Global3), world.Read(Local3))
)

// Update2 derives [Global2] from [Local2] for all objects that have both, parents first: the global
// pose is the local pose relative to the global pose of the parent by [family.ChildOf], or relative
// to the world if there is no parent, or the parent has no Global2.
func Update2(s world.State) world.State {
	for b := range Placing2.Down(s, family.ChildOf) {
		global, local := world.Column(b, Global2), world.Column(b, Local2)
		parents := family.Parents(b, Global2)
		for i := range global {
			global[i] = parents[i].Compose(local[i])
		}
	}
	return s
}

// Update3 is [Update2] in space.
func Update3(s world.State) world.State {
	for b := range Placing3.Down(s, family.ChildOf) {
		global, local := world.Column(b, Global3), world.Column(b, Local3)
		parents := family.Parents(b, Global3)
		for i := range global {
			compose3(&global[i], &parents[i], &local[i])
		}
	}
	return s
}

// Reparent2 gives an object another parent by [family.ChildOf], or nobody, and changes its [Local2]
// so that its global pose stays as the last [Update2] derived it. It returns the errors of Get and
// Set; then nothing has changed.
func Reparent2(s world.State, id, parent world.GameObject) (world.State, error) {
	return reparent(s, id, parent, Local2, Global2, Identity2)
}

// Reparent3 is [Reparent2] in space.
func Reparent3(s world.State, id, parent world.GameObject) (world.State, error) {
	return reparent(s, id, parent, Local3, Global3, Identity3)
}

func reparent[P interface{ Relative(global P) P }](
	s world.State, id, parent world.GameObject,
	local, global layout.Field[P], above P,
) (world.State, error) {
	here, err := world.Get(s, id, global)
	if err == nil {
		_, err = world.Get(s, id, local)
	}
	if err != nil {
		return s, err
	}
	if at, err := world.Get(s, parent, global); err == nil {
		above = at
	}
	if s, err = world.Set(s, id, family.ChildOf, parent); err != nil {
		return s, err
	}
	return world.Set(s, id, local, above.Relative(here))
}
