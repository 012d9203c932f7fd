// Package world is the portal: a client calls everything through it, and imports package layout
// besides to declare fields and kinds of its own.
//
//	client ──▶ world ──▶ systems ──▶ manager, gameobject ──▶ buffer, layout
//
//	state, err := world.CreateState(world.Counts{Positions: 1_000, Velocities: 1_000})
//	state, hero, err := world.CreateGameObject(state)
//	state, position, err := world.AddPosition(state, hero) // create and mount
//	state, velocity, err := world.AddVelocity(state, hero)
//	state = world.Move(state, position, velocity) // this hero
//	state = world.MoveAll(state)                  // every object that has both
//
// It owns no bytes. The types are those of the layers below, by alias, and the functions of
// portal.go are forwards of package systems, written by
//
//	go run ./cmd/portal
//
// after a change there; read package systems for the rules of states, ids, rows and walks. A
// system of your own may import package systems itself.
//
// Run frames: [Init], [Frame], [Loop]. World: [CreateState], [Clone], [Close], [Size], [Bytes].
// Objects: [CreateGameObject], [DisposeGameObject], [Alive], [GameObjects]. Components:
// [Create], [Mount], [Add], [Remove], [Dispose], [Has], [RowOf], [ObjectOf], [All]; for the
// built-in kinds as [AddPosition]. Fields: [Values], [Value], [Open], [Lanes], [View]. Queries:
// [NewQuery] of [Read], [Write], [Optional], [With], [Without], [Any], [Only], [Changed],
// [RowWise]; [Column]. Ticks: [Tick], [Advance]. Behaviour: [Move], [MoveAll], [Fly], [FlyAll],
// [Update], [RenderOneByOne], [RenderInstances].
package world
