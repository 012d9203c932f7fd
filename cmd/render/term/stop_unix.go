//go:build unix && !linux

package term

import (
	"os"
	"syscall"
)

// stop stops the program by a signal, and returns when it goes on: the calling thread is the first
// to get it.
func stop(s syscall.Signal) { _ = syscall.Kill(os.Getpid(), s) }
