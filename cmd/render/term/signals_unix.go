//go:build unix

package term

import (
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
)

// asks are the signals that ask a program to end.
var asks = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// listen follows the signals that say that the window has changed, or that the program should end
// or stop, until the canvas is closed. It ignores what is ignored: SIGHUP under nohup, and SIGTSTP
// in shells without job control.
func (c *Canvas) listen() {
	all := slices.DeleteFunc(append(slices.Clone(asks), syscall.SIGTSTP), signal.Ignored)
	caught := make(chan os.Signal, 8)
	signal.Notify(caught, append(all, syscall.SIGWINCH, syscall.SIGCONT)...)
	var changed atomic.Bool
	c.resized = func() bool { return changed.Swap(false) }
	c.signals = caught
	go func() {
		for s := range caught {
			switch s {
			case syscall.SIGTSTP:
				c.suspend(func() { stop(syscall.SIGSTOP) })
			case syscall.SIGCONT:
				c.goOn()
				changed.Store(true)
			case syscall.SIGWINCH:
				changed.Store(true)
			default:
				go c.end(s) // which may wait for a frame
			}
		}
	}()
}

// stopJob stops the program with all of its job, as Ctrl-Z does where the terminal handles it. The
// system leaves that out where nobody could let the program go on, by SIGTTOU as it would by
// SIGTSTP, whose own effect no Go program gets back once it was caught.
func (c *Canvas) stopJob() {
	c.suspend(func() {
		if c.closed || signal.Ignored(syscall.SIGTSTP) {
			return
		}
		signal.Ignore(syscall.SIGTSTP) // it is for the others
		_ = syscall.Kill(0, syscall.SIGTSTP)
		signal.Notify(c.signals, syscall.SIGTSTP)
		stop(syscall.SIGTTOU)
	})
}

// die ends the program as if nobody had caught the signal.
func die(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}
