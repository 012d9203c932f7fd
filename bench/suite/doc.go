// Package suite is the same work done by several entity component systems.
//
// A [Definition] is a piece of work at some number of objects; a [Contender] is a library used in
// one way, which makes a [World] for it. The definitions are those of
// github.com/mlange-42/go-ecs-benchmarks, with its numbers of other objects, its setup and exact
// counts, and more below them; [Definition.As] says it of each:
//
//	definition × n × contender → Case: Run is timed, Reset is not; Check tells what came out
//
// Every contender of a definition has to come to the same [Result]: positions and velocities are
// small multiples of a half, so that sums of them are exact in any order.
//
// Peers are used as their own documentation says is fastest; the comment of each says where.
//
// Verbs: [Definitions], [Contenders], [Definition.Make].
package suite
