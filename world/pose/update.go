package pose

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// The components of poses. Programs write local ones, and read global ones, which [Update2] and
// [Update3] derive.
var (
	Local2  = layout.NewComponent("local pose 2", Identity2)  // relative to the parent
	Global2 = layout.NewComponent("global pose 2", Identity2) // relative to the world
	Local3  = layout.NewComponent("local pose 3", Identity3)  // relative to the parent
	Global3 = layout.NewComponent("global pose 3", Identity3) // relative to the world
)

// The queries of [Update2] and [Update3], for Counts: the first update allocates nothing then.
var (
	Placing2 = world.NewQuery(world.Write(Global2), world.Read(Local2))
	Placing3 = world.NewQuery(world.Write(Global3), world.Read(Local3))
)

// Update2 derives [Global2] from [Local2] for all objects that have both, parents first: that of an
// object is its local pose relative to the global pose of its parent in a tree. An object hangs in
// the world itself if it has no parent, or its parent has no Global2. It panics if the relation is
// no tree.
func Update2(s world.State, tree layout.Field[world.GameObject]) world.State {
	for b := range Placing2.Down(s, tree) {
		global, local := world.Column(b, Global2), world.Column(b, Local2)
		parents := systems.Parents(b, Global2)
		for i := range global {
			global[i] = parents[i].Compose(local[i])
		}
	}
	return s
}

// Update3 is [Update2] in space.
func Update3(s world.State, tree layout.Field[world.GameObject]) world.State {
	for b := range Placing3.Down(s, tree) {
		global, local := world.Column(b, Global3), world.Column(b, Local3)
		parents := systems.Parents(b, Global3)
		for i := range global {
			global[i] = parents[i].Compose(local[i])
		}
	}
	return s
}

// Reparent2 gives an object another parent, or nobody, and changes its [Local2] so that it stays
// where [Update2] has put it and its parent last. Its scale and rotation stay as well.
func Reparent2(
	s world.State, tree layout.Field[world.GameObject], id, parent world.GameObject,
) (world.State, error) {
	return reparent(s, tree, id, parent, Local2, Global2, Identity2)
}

// Reparent3 is [Reparent2] in space.
func Reparent3(
	s world.State, tree layout.Field[world.GameObject], id, parent world.GameObject,
) (world.State, error) {
	return reparent(s, tree, id, parent, Local3, Global3, Identity3)
}

func reparent[P interface{ Relative(global P) P }](
	s world.State, tree layout.Field[world.GameObject], id, parent world.GameObject,
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
	if s, err = world.Set(s, id, tree, parent); err != nil {
		return s, err
	}
	return world.Set(s, id, local, above.Relative(here))
}
