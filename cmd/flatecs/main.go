package main

import "os"

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ignoreSIGPIPE()
	return run(untilAsked(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
}
