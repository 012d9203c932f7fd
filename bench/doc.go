// Command bench compares this library with others, and writes the results as CSV files;
// docs/PERFORMANCE.md shows a part of them.
//
//	go run ./bench                                       every subject; takes ten minutes
//	go run ./bench peers frame --quick                   two of them, in short turns
//	go run ./bench peers --only query2comp --sizes 16,1000 --out /tmp/results
//	go run ./bench --list                                subjects, cases and contenders
//	go run ./bench page                                  tables and chart of the page
//	go test ./bench -run Once -once 'frame/frame/Ark/100000/500' -cpuprofile cpu.pprof
//
// Run it from the root of the tree, on an idle machine. It writes a file after each case, so an
// interrupt loses only the current case, and --only measures single cases again.
//
//	harness     contenders in processes of their own, in turns; CSV files
//	peers       libraries, on the same small tasks; bytes per object, copies
//	frame       a frame of a game
//	results     SUBJECT.csv; overview.svg, bars of some of them
//
// To add a case, put a [harness.Case] into the list of a subject: its contenders, its sizes, and
// the work of each contender as a function to Run. This library takes part with exact counts, and
// as the README shows it. All contenders must reach the same Result, which Check returns. To add a
// subject, write a package with a function Subject, name it in main.go, and add it to
// docs/PERFORMANCE.md. To add a contender, name it in Who and create its work.
package main
