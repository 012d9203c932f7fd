// Package peers is the same work done by several entity component systems, and by programs without
// any.
//
// A case is some work at some number of objects; a contender is a library used in one way, which
// makes a [World] for it. Most cases are those of github.com/mlange-42/go-ecs-benchmarks, with its
// numbers of other objects, its setup and exact counts. This library has room for just what is
// there, and, as in the README, for 1,048,576 objects without counts, with plain loops:
//
//	case × n × contender → work: Run is timed, Reset is not; Check tells what came out
//
//	cases.go     who does what                    work.go    how, on any World
//	flatecs.go   this library                     sparse.go  worlds of many kinds
//	ark.go, uot.go, plain.go   the others         memory.go  bytes per object, copies
//	acts.go      the three acts of the heroes
//
// All have to come to the same [Result]: positions and velocities are small multiples of a half, so
// that sums of them are exact in any order. Peers are used as their own documentation says is
// fastest; the comment of each says where.
//
// Verbs: [Subject].
package peers
