package term

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// typed waits for input, at most for most. The reader handles errors. The file may be closed
// meanwhile.
func typed(in *os.File, most time.Duration) (ready bool) {
	conn, err := in.SyscallConn()
	if err != nil {
		return true
	}
	err = conn.Control(func(fd uintptr) {
		list := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(list, int(most.Milliseconds()))
		ready = n > 0 || err != nil && !errors.Is(err, unix.EINTR)
	})
	return ready || err != nil
}
