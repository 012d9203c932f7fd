package main

func Example() {
	main()
	// Output:
	// object 0 is at [60 30]
	// object 1 is at [0 0]
	// 1 of 2 objects move
}
