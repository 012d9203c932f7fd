//go:build unix

package term

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// patience is how long a terminal may take nothing before it is given up.
const patience = time.Second

// GiveUp is for programs that come to their end: it looks after terminals that are stdout or stderr
// and do not read, those of Ctrl-S, of a dead connection, of a window that hangs. When one has read
// nothing for a second, what is written to it goes nowhere from then on, also what a goroutine is
// just waiting to write. Where a system gives no way to do so, it calls exit. It does not return.
func GiveUp(exit func()) {
	for {
		for _, file := range []*os.File{os.Stdout, os.Stderr} {
			fd := int(file.Fd())
			if term.IsTerminal(fd) && !reads(fd) && !unstick(fd) {
				exit()
			}
		}
		time.Sleep(patience)
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
