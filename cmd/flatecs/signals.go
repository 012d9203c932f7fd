package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// errInterrupted is the error of an interrupted command.
var errInterrupted = errors.New("interrupted")

// An interruption is the errInterrupted of a signal.
type interruption struct{ os.Signal }

func (i interruption) Error() string        { return "interrupted: " + i.String() }
func (i interruption) Is(target error) bool { return target == errInterrupted }

// code returns the exit code that shells use for a program that the signal ended.
func (i interruption) code() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 130
}

// interrupted returns the error of a context that has ended.
func interrupted(ctx context.Context) error {
	if i, ok := errors.AsType[interruption](context.Cause(ctx)); ok {
		return i
	}
	return errInterrupted
}

// insisting is the least time until a second signal ends the program immediately: users press keys
// twice, and tools may send several signals.
const insisting = time.Second

type orderlyKey struct{}

// untilSignal returns a context that ends when a signal asks the program to end, if the command
// called orderly. Otherwise, and for a second signal, the program exits immediately.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	asks := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(hangUp) { // nohup ignores it
		asks = append(asks, hangUp)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, asks...)
	var waits atomic.Bool
	go func() {
		s := <-caught
		if waits.Load() {
			cancel(interruption{s})
			time.Sleep(insisting)
			for len(caught) > 0 {
				<-caught
			}
			s = <-caught
		}
		os.Exit(interruption{s}.code()) //nolint:revive // at any point of the program
	}()
	return context.WithValue(ctx, orderlyKey{}, &waits)
}

// orderly makes the program end after its context has ended and its output is written.
func orderly(ctx context.Context) {
	if waits, ok := ctx.Value(orderlyKey{}).(*atomic.Bool); ok {
		waits.Store(true)
	}
}
