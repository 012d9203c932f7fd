// Package act1 is the first act of the heroes' story: one module per kind of hero.
//
//	World ── NormalHeroes []*NormalHero ──> NormalHero{ID, Position, Velocity}
//	     └── SuperHeroes  []*SuperHero ───> SuperHero{ID, Position, Velocity, MaxFlyVelocity}
//
// Each kind holds its own data and repeats Move and Update. It is written in ordinary Go, with
// structs behind pointers, as a baseline for the third act.
//
// Its methods write out the three axes, because a loop over them takes three times as long in Go.
//
// Build: [NewWorld], [World.CreateNormalHero], [World.CreateSuperHero], [NewScene]. Behave:
// [NormalHero.Move], [SuperHero.Move], [SuperHero.Fly], [World.MoveAll], [World.Update]. Show:
// [World.RenderOneByOne], [World.RenderInstances], [World.Shown].
package act1
