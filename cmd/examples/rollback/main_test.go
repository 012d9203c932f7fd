package main

func Example() {
	main()
	// Output:
	// player 0 sees [[30 0] [10 0]] and took some steps again: true
	// player 1 sees [[30 0] [10 0]] and took some steps again: true
}
