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

// listen handles signals about the window's size, and requests to end or stop the program, until
// the canvas is closed. It leaves ignored signals alone: SIGHUP under nohup, and SIGTSTP in shells
// without job control.
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
				go c.end(s) // it may wait for a frame
			}
		}
	}()
}

// stopJob stops the program with its whole job, like the terminal does for Ctrl-Z. It uses SIGTTOU,
// because Go programs cannot restore the default action of SIGTSTP after catching it. For either
// signal, the system does nothing if no shell could continue the program.
func (c *Canvas) stopJob() {
	c.suspend(func() {
		if c.closed || signal.Ignored(syscall.SIGTSTP) {
			return
		}
		signal.Ignore(syscall.SIGTSTP) // it is for the other processes
		_ = syscall.Kill(0, syscall.SIGTSTP)
		signal.Notify(c.signals, syscall.SIGTSTP)
		stop(syscall.SIGTTOU)
	})
}

// die ends the program by the signal's default action.
func die(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}
