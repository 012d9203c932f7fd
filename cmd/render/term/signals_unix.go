//go:build unix

package term

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// listen follows the signals that say that the window has changed or that the program should end.
func (c *Canvas) listen() {
	var changed atomic.Bool
	c.resized = func() bool { return changed.Swap(false) }
	c.on(func(os.Signal) { changed.Store(true) }, syscall.SIGWINCH, syscall.SIGCONT)
	ends := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	for _, s := range ends {
		if !signal.Ignored(s) { // as nohup wants it
			c.on(c.end, s)
		}
	}
}

// die ends the program as if nobody had caught the signal.
func die(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}

// on calls do for every signal of some kinds, until the canvas is closed.
func (c *Canvas) on(do func(os.Signal), signals ...os.Signal) {
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
}
