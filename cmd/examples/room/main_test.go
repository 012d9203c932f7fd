package main

func Example() {
	main()
	// Output:
	// player 0 is at [30 0]
	// player 1 is at [0 60]
}
