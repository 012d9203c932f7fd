package term

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// typed waits until there is something to read, or so long. What goes wrong is for the reader.
func typed(in *os.File, most time.Duration) bool {
	ready := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, int(most.Milliseconds()))
	return n > 0 || err != nil && !errors.Is(err, unix.EINTR)
}
