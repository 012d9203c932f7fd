// Package heroes has the kinds and systems of the founding chapter's heroes: they move, fly, are
// doubled and are drawn. It is built on package systems like the systems of any program; package
// world/heroes calls it.
//
//	kind      field        per row
//	position  Position     [3]float32  x, y, z in world units; 0
//	velocity  Velocity     float32     world units per step along each axis; 1
//	fly       MaxVelocity  float32     world units per step along each axis; 10
//	instance  Instance     no data     its row is its uid
//
// Their managers are in package manager, with the typed views and the batches of one kind.
//
// # By name
//
// Kinds: [Position], [Velocity], [MaxVelocity], [Instance], counted by [Counts]. For one object, by
// rows: [Move], [Fly]. For all objects with the kinds: [MoveAll], [FlyAll], [Update], by
// [MoveQuery], [FlyQuery], [UpdateQuery] in tasks. With a [Renderer]: [RenderOneByOne],
// [RenderInstances].
package heroes
