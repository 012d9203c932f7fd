// Package act2 is the second act of the heroes' story: game objects made of component objects.
//
//	World ── GameObjects ──> GameObject ── Position ──> PositionComponent{GameObject, Position}
//	                                    ── Velocity ──> VelocityComponent{GameObject, Velocity}
//	                                    ── Fly ───────> FlyComponent{GameObject, MaxVelocity}
//	                                    ── Instance ──> InstanceComponent{GameObject}
//
// Each component holds its own data and a pointer back to its game object, through which it finds
// the other components it needs; a nil component is one the game object does not have. It is
// written as one would write it in Go and is a baseline for the third act.
//
// Its methods write out the three axes, since a loop over them takes Go three times as long.
//
// Build: [NewWorld], [World.CreateNormalHero], [World.CreateSuperHero], [NewScene]. Behave:
// [PositionComponent.Move], [FlyComponent.Fly], [World.MoveAll], [World.Update]. Show:
// [World.RenderOneByOne], [World.RenderInstances], [World.Shown].
package act2
