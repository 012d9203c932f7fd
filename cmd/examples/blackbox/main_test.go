package main

func Example() {
	main()
	// Output:
	// the game crashed: runtime error: index out of range [7] with length 3
	// game 1.0 wrote: panic at frame 123
	// frame 0 gold [0] input 0
	// frame 60 gold [3] input 0
	// frame 123 gold [3] input 7
	// its replay crashes, too: true
}
