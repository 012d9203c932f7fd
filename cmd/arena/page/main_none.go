//go:build !js

// Command page is the browser program of an arena, compiled for js/wasm. flatecs serve arena builds
// it and serves it. Page and program communicate through the object globalThis.arena that the
// program creates:
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
