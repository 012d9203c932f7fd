package main

func Example() {
	main()
	// Output:
	// step 0: 3 rest, 0 hunt, 0 flee
	// step 1: 2 rest, 1 hunt, 0 flee
	// step 2: 1 rest, 2 hunt, 0 flee
	// step 3: 0 rest, 3 hunt, 0 flee
	// step 4: 0 rest, 3 hunt, 0 flee
	// step 5: 1 rest, 2 hunt, 0 flee
	// step 6: 2 rest, 1 hunt, 0 flee
	// step 7: 3 rest, 0 hunt, 0 flee
	// step 8: 0 rest, 0 hunt, 3 flee
	// step 9: 0 rest, 0 hunt, 3 flee
	// step 10: 3 rest, 0 hunt, 0 flee
	// step 11: 3 rest, 0 hunt, 0 flee
}
