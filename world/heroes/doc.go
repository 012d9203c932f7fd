// Package heroes is the portal of the ECS chapter of the founding document (docs/FOUNDING.md): its
// client calls everything here (row D12). Create the world's state, its game objects and their
// components; mount and set components by their rows; move, fly, update and draw; init and loop.
//
//	client ──▶ world/heroes ──▶ world, systems/heroes ──▶ systems ──▶ manager
//
// The chapter's queries are functions of package world: getAllGameObjects is
// [world.GameObjects], hasComponent [world.Has], getComponentExn [world.RowOf], getAllComponents
// [world.All]. The typed views of a kind, and the batch over all its components, belong to its
// manager in package manager (rows D8 and D13).
//
// # By name
//
// Create: [CreateState], [CreateGameObject], [CreatePosition], [CreateVelocity], [CreateFly],
// [CreateInstance]; mount by [SetComponent]. Values by row: [GetPosition], [SetPosition],
// [GetVelocity], [SetVelocity], [GetMaxVelocity], [SetMaxVelocity]. Systems: [Move], [MoveAll],
// [Fly], [FlyAll], [Update]; to a [Renderer] [RenderOneByOne], [RenderInstances]. Frames: [Init],
// [Loop]. Kinds: [Position], [Velocity], [MaxVelocity], [Instance].
package heroes
