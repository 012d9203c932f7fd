package term

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// stop stops the program by a signal, and returns when the program continues: a signal to this
// thread takes effect before the call returns.
func stop(s syscall.Signal) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), s)
}
