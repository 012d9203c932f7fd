// Command vet finds mistakes in programs that use flatecs. In a module of yours:
//
//	go get -tool github.com/flatecs/flatecs/cmd/vet
//	go tool github.com/flatecs/flatecs/cmd/vet ./...
//	go tool github.com/flatecs/flatecs/cmd/vet -fix ./...
//	go tool github.com/flatecs/flatecs/cmd/vet fused ./...
//
// The first runs go vet with these checks in place of its own, and so does go vet with -vettool:
//
//	dropped        a State that is returned and dropped
//	usedup         a State that is used after it was used up, or closed
//	deterministic  what makes a system differ from one run or machine to the next
//	readonly       a write to a column that the query only reads
//	kept           a batch or a column that is kept beyond its walk
//	rowwise        with -rowwise alone: a query that could be RowWise, which is faster
//	allow          an allowance, as below, without a check or a reason
//
// Flags choose among them: -dropped runs that one alone, -kept=false leaves that out. -fix mends
// what can be mended without thought, which are products: float32(x*y) + z. It reports nothing; run
// it again without. To read what a check finds and what it does not, with an
// example:
//
//	go tool github.com/flatecs/flatecs/cmd/vet help dropped
//
// They report what is certain where the program is simple, and are silent where it is not. What is
// meant to be is allowed by a comment that names the check and the reason, on that line, on the
// line above, or in the comment of a function for all of it:
//
//	//flatecs:allow deterministic the page shows how long a frame took
//
// An allowance that nothing needs any more is reported.
//
// vet fused compiles the packages for other machines, and lists where a product and a sum became
// one instruction, which rounds once; -fix converts those products. vet fused -h has its flags.
//
// Each check is an [golang.org/x/tools/go/analysis.Analyzer] of the package checks, for other
// drivers. The module is one of its own, so that its dependencies do not become those of flatecs.
package main
