//go:build unix

package term

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Signals that end a program. It may want to end in its own way by the first ones; of the others Go
// ends it with a report.
var (
	asks = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	ends = append([]os.Signal{
		syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS,
		syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGSYS,
	}, endsHere...)
)

// listen follows the signals that say that the window has changed, or that the program should end
// or stop.
func (c *Canvas) listen() {
	var changed atomic.Bool
	c.resized = func() bool { return changed.Swap(false) }
	c.on(func(os.Signal) { changed.Store(true) }, syscall.SIGWINCH)
	c.on(func(os.Signal) { c.goOn(); changed.Store(true) }, syscall.SIGCONT)
	if !signal.Ignored(syscall.SIGTSTP) { // as shells without job control want it
		halt := func() { stop(syscall.SIGSTOP) }
		c.stops = c.on(func(os.Signal) { c.suspend(halt) }, syscall.SIGTSTP)
	}
	for _, s := range asks {
		if !signal.Ignored(s) { // as nohup wants it
			c.on(c.end, s)
		}
	}
	c.on(func(s os.Signal) { c.Restore(); die(s) }, ends...)
}

// stopJob stops the program with all of its job, as Ctrl-Z does where the terminal handles it. The
// system leaves that out where nobody could let the program go on, by SIGTTOU as it would by
// SIGTSTP, whose own effect no Go program gets back once it was caught.
func (c *Canvas) stopJob() {
	c.suspend(func() {
		if c.closed || c.stops == nil {
			return
		}
		signal.Ignore(syscall.SIGTSTP) // it is for the others
		_ = syscall.Kill(0, syscall.SIGTSTP)
		signal.Notify(c.stops, syscall.SIGTSTP)
		stop(syscall.SIGTTOU)
	})
}

// die ends the program as if nobody had caught the signal.
func die(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}

// on calls do for every signal of some kinds that it gets, until the canvas is closed.
func (c *Canvas) on(do func(os.Signal), signals ...os.Signal) chan<- os.Signal {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals...)
	go func() {
		for s := range caught {
			do(s)
		}
	}()
	c.stop = append(c.stop, func() {
		signal.Stop(caught)
		close(caught)
	})
	return caught
}
