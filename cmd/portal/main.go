// Command portal writes world/portal.go: a thin forward for every public name of systems, so that a
// client reaches everything through world. Run it from the root after a change of systems:
//
//	go run ./cmd/portal
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	src, err := Portal(".")
	if err == nil {
		err = os.WriteFile("world/portal.go", src, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "portal:", err)
		os.Exit(1)
	}
}
