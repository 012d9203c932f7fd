// Command compare measures this library against its peers, on the machine at hand and in one run.
//
//	go run ./bench/compare                                  # everything
//	go run ./bench/compare --quick                          # in a quarter of an hour
//	go run ./bench/compare --quick --resume                 # goes on where one was interrupted
//	go run ./bench/compare --only query2comp --peers ark
//
// Each contender works in a process of its own, so that none pays for another's heap. They take
// turns: in each round every contender works for a while, and another one begins. What is printed
// are medians of rounds, and medians of the ratios within each round, which a machine that is busy
// now and then disturbs least. Where the system tells it, time is that of the thread that works.
// All rounds are kept in the file of --json, after each table, so that interrupted runs can go on.
//
//	prepare DEFINITION N → {"count": 16, "sum": 120}   what came out after three runs
//	turn NANOSECONDS     → {"ns": 0.5}                 time of one of N objects
package main
