// Command bench measures this library beside others, and writes what it finds as CSV files, of
// which docs/PERFORMANCE.md shows a part.
//
//	go run ./bench                                       every subject; takes ten minutes
//	go run ./bench peers frame --quick                   two of them, in short turns
//	go run ./bench peers --only query2comp --sizes 16,1000 --out /tmp/results
//	go run ./bench --list                                subjects, cases and contenders
//	go run ./bench page                                  tables and chart of the page
//	go test ./bench -run Once -once 'frame/frame/Ark/100000/500' -cpuprofile cpu.pprof
//
// Run it from the root of the tree, on a machine that does nothing else. A file is written after
// each case, so that nothing is lost by an interrupt, and --only measures single cases again.
//
//	harness     contenders in processes of their own, which take turns; CSV files
//	peers       libraries, on the same small tasks; bytes per object, copies
//	frame       a frame of a game
//	results     SUBJECT.csv; overview.svg, bars of some of them
//
// To add a case, put a [harness.Case] into the list of a subject: who takes part, at which sizes,
// and the work of each as a function to Run. This library takes part with exact counts and as the
// README shows it. Everybody has to come to the same Result; Check says to what. To add a subject,
// write a package with a function Subject, name it in main.go, and give it a place in
// docs/PERFORMANCE.md. To add a contender, name it in Who and make its work.
package main
