package main

func Example() {
	main()
	// Output:
	// migrated: [boat.speed → boat.velocity]
	// boat 0 goes [0 0] and has cargo: false
	// boat 1 goes [10 0] and has cargo: false
	// boat 2 goes [20 0] and has cargo: false
}
