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
//	usedup         a State that is used after it was invalidated, or closed
//	deterministic  code that makes a system differ between runs or machines
//	readonly       a write to a column that the query only reads
//	kept           a batch or a column that is kept beyond its walk
//	rowwise        only with -rowwise: a query that could be RowWise, which is faster
//	allow          an allowance, as below, without a check or a reason
//
// Flags select checks: -dropped runs only that check, -kept=false omits that check. -fix makes the
// fixes that need no decision: it rounds products, float32(x*y) + z. It reports nothing; run it
// again without -fix. To read what a check finds, and what it does not, with an example:
//
//	go tool github.com/flatecs/flatecs/cmd/vet help dropped
//
// The checks report certain mistakes in simple code, and are silent about complicated code. To
// allow a finding, write a comment that names the check and the reason, on that line, on the line
// above, or in the comment of a function for the whole function:
//
//	//flatecs:allow deterministic the page shows how long a frame took
//
// An allowance that is not needed any more is reported.
//
// vet fused compiles the packages for other machines, and lists where a product and a sum became
// one instruction, which rounds once; -fix converts those products. vet fused -h has its flags.
//
// Each check is an [golang.org/x/tools/go/analysis.Analyzer] of the package checks, for other
// drivers. It is a separate module, so that flatecs does not get its dependencies.
package main
