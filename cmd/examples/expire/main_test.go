package main

func Example() {
	main()
	// Output:
	// step 0 rockets 1 sparks 0
	// step 1 rockets 1 sparks 0
	// step 2 rockets 1 sparks 0
	// step 3 rockets 0 sparks 50
	// step 4 rockets 1 sparks 50
	// step 5 rockets 1 sparks 0
	// step 6 rockets 1 sparks 0
	// step 7 rockets 0 sparks 50
	// step 8 rockets 1 sparks 50
	// step 9 rockets 1 sparks 0
}
