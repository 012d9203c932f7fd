// Command vet finds mistakes in programs that use flatecs. The go command runs it in a module of
// yours:
//
//	go get -tool github.com/flatecs/flatecs/cmd/vet
//	go vet -vettool=$(go tool -n github.com/flatecs/flatecs/cmd/vet) ./...
//
// In place of go vet's own checks it has these:
//
//	dropped        a State that is returned and dropped
//	usedup         a State that is used after it was used up, or closed
//	deterministic  what makes a system differ from one run or machine to the next
//	readonly       a write to a column that the query only reads
//	kept           a batch or a column that is kept beyond its walk
//	allow          an allowance, as below, without a check or a reason
//
// Flags choose among them: -dropped runs that one alone, -kept=false leaves that out, -fix mends
// what can be mended without thought. To read what a check finds and what it does not, with an
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
// Each check is an [golang.org/x/tools/go/analysis.Analyzer] of the package checks, for other
// drivers. The module is one of its own, so that its dependencies do not become those of flatecs.
package main
