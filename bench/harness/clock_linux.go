package harness

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime is what this thread has worked, so that programs beside it do not count, nor what the
// collector does on other threads. Lock the goroutine to its thread.
func ThreadTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime is what all threads of this process have worked.
func ProcessTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(id, &t) // which knows both
	return time.Duration(t.Nano())
}
