package main

import (
	"os"
	"runtime/debug"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the collector does not count worlds: docs/PROFILING.md
	}
	os.Exit(mainCode())
}

func mainCode() int {
	ignoreSIGPIPE()
	return run(untilSignal(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
}
