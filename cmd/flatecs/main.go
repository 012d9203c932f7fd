package main

import "os"

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ignoreSIGPIPE()
	return run(untilAsked(), os.Args[1:], streams{out: os.Stdout, err: os.Stderr})
}
