package term

import (
	"os"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// endsHere are signals that only Linux has, and not on every processor.
var endsHere = func() []os.Signal {
	if strings.HasPrefix(runtime.GOARCH, "mips") {
		return nil
	}
	return []os.Signal{syscall.Signal(16)} // SIGSTKFLT
}()

// stop stops the program by a signal, and returns when it goes on: a signal to this thread takes
// effect before the call returns.
func stop(s syscall.Signal) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), s)
}
