// Package peers is the same work done by several entity component systems, and by programs without
// any.
//
// A case is some work at some number of objects; a contender is a library used in one way, which
// makes a [World] for it. The cases are those of github.com/mlange-42/go-ecs-benchmarks, with its
// numbers of other objects, its setup and exact counts, and more below them; How of each says it:
//
//	case × n × contender → work: Run is timed, Reset is not; Check tells what came out
//
//	cases.go       who does what          changes.go, walks.go   how, on any World
//	flatecs.go     this library           sparse.go              worlds of many kinds
//	ark.go         …and each peer         trees.go               positions of parents and children
//	structs.go     no library             acts.go                the three acts of the heroes
//
// All have to come to the same [Result]: positions and velocities are small multiples of a half, so
// that sums of them are exact in any order.
//
// Peers are used as their own documentation says is fastest; the comment of each says where.
//
// Verbs: [Subject], [New], [RoomFor], [SpawnAll], [SparseResident].
package peers
