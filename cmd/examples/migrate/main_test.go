package main

func Example() {
	main()
	// Output:
	// refused without migrations: true
	// migrated: [boat.speed → boat.speed boat.course → boat.heading load → cargo]
	// new: [boat.crew] dropped: [boat.paint]
	// boat 0: speed 0, heading 0, crew 2, cargo: false
	// boat 1: speed 10, heading 0.5, crew 2, cargo: false
	// boat 2: speed 20, heading 1, crew 2, cargo: true
}
