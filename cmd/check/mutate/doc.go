// Package mutate changes a package in small ways, one at a time, and runs its tests on each: a
// mutant that they let through is a line that no test sees.
//
//	drop     a statement: an assignment, a call, x++, defer, go
//	negate   a condition of if, or of a case without a tag
//	swap     && and ||, == and !=, < and <=, > and >=, + and -, & and |, << and >>, &^ for &
//	number   n for n + 1, and for n - 1 where it is not 0
//	flip     true and false
//
// No file of the tree is touched: the go command reads the changed file by its flag -overlay. Tests
// that run longer than a limit count as having seen the mutant, since most of those go on for ever.
//
// Mutants of a file: [Find], [Mutant], [Mutant.Apply]. Of a package: [Package], [Sample], [Run],
// [Options], [Outcome]: [Survived], [Killed], [TimedOut], [Unbuilt].
package mutate
