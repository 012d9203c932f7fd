package main

func Example() {
	main()
	// Output:
	// no trade: the bag has too few
	// hero [{2 2} {1 1}]
	// merchant [{2 3} {0 10}]
	// hero [{0 4} {2 2}]
	// merchant [{1 1} {2 3} {0 6}]
}
