//go:build !js

// Command page is what a browser runs of an arena. flatecs serve arena builds it and serves it. It
// is compiled for js/wasm. Page and program meet in the object globalThis.arena that the program
// makes:
//
//	join(element, heap, url, hash)   connects, and draws on an element
//	frame(inputs, pilot)       one frame, with a bit per button
//	resize(width, height)      pixels
//	now                        what the player has; error, if there is one
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "page runs in a browser; flatecs serve arena builds it and serves it")
	os.Exit(1)
}
