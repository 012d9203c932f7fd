//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "app runs in a browser; flatecs serve builds it and serves it")
	os.Exit(1)
}
