// Package act1 is the first act of the heroes' story: one module per kind of hero.
//
//	World ── NormalHeroes []*NormalHero ──> NormalHero{ID, Position, Velocity}
//	     └── SuperHeroes  []*SuperHero ───> SuperHero{ID, Position, Velocity, MaxFlyVelocity}
//
// Each kind holds its own data and repeats Move and Update. It is written as one would write it in
// Go, structs behind pointers, and is a baseline for the third act.
//
// Its methods write out the three axes, since a loop over them takes Go three times as long.
//
// Build: [NewWorld], [World.CreateNormalHero], [World.CreateSuperHero], [NewScene]. Behave:
// [NormalHero.Move], [SuperHero.Move], [SuperHero.Fly], [World.MoveAll], [World.Update]. Show:
// [World.RenderOneByOne], [World.RenderInstances], [World.Shown].
package act1
