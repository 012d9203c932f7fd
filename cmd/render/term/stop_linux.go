package term

import (
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// stop stops the program by a signal, and returns when it goes on: a signal to this thread takes
// effect before the call returns.
func stop(s syscall.Signal) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), s)
}

// unstick puts the null device in a terminal's place. A write that waits begins again after a
// signal that Go hears and does nothing about, there.
func unstick(fd int) bool {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer func() { _ = null.Close() }()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil || unix.Dup3(int(null.Fd()), fd, unix.O_CLOEXEC) != nil {
		return false
	}
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = unix.Tgkill(os.Getpid(), id, syscall.SIGURG)
		}
	}
	return true
}
