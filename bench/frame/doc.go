// Command frame measures a frame of a game, written once per library as its documentation advises:
// package game says what a frame is.
//
//	go run ./frame                          # in bench: everything, interleaved
//	go run ./frame --quick                  # in a minute
//	go run ./frame --only "flatecs loops" --only Ark
//	go run ./frame once "flatecs loops" 500 --cpuprofile cpu.pprof
//
// Each library works in a process of its own. They take turns: in each round every library plays a
// few frames, and another one begins; all must come to the same sum after each turn. Times are
// those of the processor, all threads together, which other programs disturb least; those of a
// clock on the wall stand beside them, with ratios of their own: those of the contender with two
// workers, which takes processor time also while it waits (see patience in package game). Figures
// are medians of rounds, and medians of the ratios within each round.
//
//	start OBJECTS → {"Sum": …}                 the sum of the world as it begins
//	play FRAMES   → {"Spent": […], "Frames": […]} what each system took, and each frame
//	end           → {"Resident": …}            memory that the system keeps for the process
package main
