package main

func Example() {
	main()
	// Output: 8 of 8 see their tank as the server has it
}
