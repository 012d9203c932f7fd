//go:build unix

package term

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Signals that end a program. It may want to end in its own way by the first ones; of the others Go
// ends it with a report.
var (
	asks = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	ends = []os.Signal{
		syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS,
		syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGSYS,
	}
)

const stackFault = syscall.Signal(16) // of Linux

// listen follows the signals that say that the window has changed, or that the program should end
// or stop, until the canvas is closed. It ignores what is ignored: asks under nohup, and SIGTSTP in
// shells without job control.
func (c *Canvas) listen() {
	all := slices.Concat(asks, ends, []os.Signal{syscall.SIGTSTP})
	all = slices.DeleteFunc(all, signal.Ignored)
	if runtime.GOOS == "linux" {
		all = append(all, stackFault)
	}
	caught := make(chan os.Signal, 8)
	signal.Notify(caught, append(all, syscall.SIGWINCH, syscall.SIGCONT)...)
	var changed atomic.Bool
	c.resized = func() bool { return changed.Swap(false) }
	c.signals = caught
	go func() {
		for s := range caught {
			switch {
			case s == syscall.SIGTSTP:
				c.suspend(func() { stop(syscall.SIGSTOP) })
			case s == syscall.SIGCONT:
				c.goOn()
				changed.Store(true)
			case s == syscall.SIGWINCH:
				changed.Store(true)
			case slices.Contains(asks, s):
				go c.end(s) // which may wait for a frame
			default:
				c.Restore()
				die(s)
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

// patience is how long a terminal may take nothing before it is given up.
const patience = time.Second

// GiveUp is for programs that come to their end: it looks after terminals that are stdout or stderr
// and do not read, those of Ctrl-S, of a dead connection, of a window that hangs. When one has read
// nothing for a second, what is written to it goes nowhere from then on, also what a goroutine is
// just waiting to write. Where a system gives no way to do so, it calls exit. It does not return.
func GiveUp(exit func()) {
	for ; ; time.Sleep(patience) {
		for _, file := range []*os.File{os.Stdout, os.Stderr} {
			fd := int(file.Fd())
			if term.IsTerminal(fd) && !reads(fd) && !unstick(fd) {
				exit()
			}
		}
	}
}

// reads reports whether a terminal takes something within the time that it is given.
func reads(fd int) bool {
	for end := time.Now().Add(patience); ; {
		list := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		n, err := unix.Poll(list, int(max(time.Until(end), 0).Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n != 0
		}
	}
}
