package main

import (
	"context"
	"os"
	"os/signal"
)

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ignoreSIGPIPE()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return run(ctx, os.Args[1:], streams{out: os.Stdout, err: os.Stderr})
}
