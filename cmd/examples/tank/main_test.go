package main

func Example() {
	main()
	// Output:
	// turret at {5 2} objects 6
	// turret at {10 2} objects 7
	// turret at {15 2} objects 7
	// without the tank 3 <nil>
}
