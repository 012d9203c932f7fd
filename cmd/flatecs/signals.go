package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/cmd/render/term"
)

// errInterrupted is the error of what was asked to end before its end.
var errInterrupted = errors.New("interrupted")

// An interruption is the errInterrupted of a signal.
type interruption struct{ os.Signal }

func (i interruption) Error() string        { return "interrupted: " + i.String() }
func (i interruption) Is(target error) bool { return target == errInterrupted }

// code returns the exit code that shells give a program that the signal has ended.
func (i interruption) code() int {
	for _, s := range []struct {
		os.Signal
		code int
	}{{syscall.SIGTERM, 143}, {hangUp, 129}} {
		if s.Signal == i.Signal {
			return s.code
		}
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

// insisting is how much later a second signal must be to end the program at once: people press a
// key twice, and what sends signals may send several.
const insisting = time.Second

// An ending ends the program when a signal asks for it: at once, or by a context, if what runs has
// something to bring to an end.
type ending struct {
	cancel context.CancelCauseFunc
	exit   func(code int)

	mu      sync.Mutex
	orderly bool
	asked   time.Time // for the first time
}

type endingKey struct{}

// untilAsked returns a context that ends when a signal asks the program to end.
func untilAsked() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &ending{cancel: cancel, exit: func(code int) {
		if isTerminal(os.Stderr) {
			_, _ = fmt.Fprintln(os.Stderr) // below a line that shows progress
		}
		os.Exit(code) //nolint:revive // a signal may end the program wherever it is
	}}
	asks := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(hangUp) { // as nohup wants it
		asks = append(asks, hangUp)
	}
	caught := make(chan os.Signal, 8)
	signal.Notify(caught, asks...)
	go func() {
		var once sync.Once
		for s := range caught {
			once.Do(func() {
				go term.GiveUp(func() {
					os.Exit(interruption{s}.code()) //nolint:revive // writing would wait, too
				})
			})
			e.ask(s, time.Now())
		}
	}()
	return context.WithValue(ctx, endingKey{}, e)
}

func (e *ending) ask(s os.Signal, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := e.asked.IsZero()
	if !e.orderly || !first && now.Sub(e.asked) >= insisting {
		e.exit(interruption{s}.code())
	}
	if first {
		e.asked = now
		e.cancel(interruption{s})
	}
}

// orderly has the program end when its context has ended and all is written that is to be.
func orderly(ctx context.Context) {
	if e, ok := ctx.Value(endingKey{}).(*ending); ok {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.orderly = true
	}
}
