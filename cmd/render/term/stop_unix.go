//go:build unix && !linux

package term

import (
	"os"
	"syscall"
)

// stop stops the program by a signal, and returns when the program continues: the calling thread is
// the first to get the signal.
func stop(s syscall.Signal) { _ = syscall.Kill(os.Getpid(), s) }
