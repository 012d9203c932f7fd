package hand

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// tasks are the pending tasks of Continue, one bit each. Any goroutine may add tasks.
type tasks struct {
	bits atomic.Uint32
	loop atomic.Bool // start or end the loop of the tape
}

const (
	askedEnd   = 1 << iota // a signal requested the end, or the supervisor died
	askedOffer             // the supervisor requested the world
	askedReady             // the program may not play yet
	askedAlive             // the supervisor asks whether this program plays
	askedFirst             // the first step has not begun
	askedStep              // the first step has not finished
	askedCopy              // the supervisor keeps copies of the world
)

func (t *tasks) add(what uint32) { t.bits.Or(what) }

// remove removes tasks, and returns the previous ones.
func (t *tasks) remove(what uint32) uint32 { return t.bits.And(^what) }

func (t *tasks) have(what uint32) bool { return t.bits.Load()&what != 0 }

// signals handles the signals that request the end.
type signals struct {
	caught chan os.Signal
	first  atomic.Int32 // 0: none
}

// listen adds a task at the first signal. A second signal ends the program if it arrives at least a
// second later: a terminal and a supervisor may both send the same signal.
func (c *signals) listen(t *tasks) {
	var first time.Time
	for s := range c.caught {
		number, _ := s.(syscall.Signal)
		if first.IsZero() {
			first = time.Now()
			c.first.Store(int32(number))
			t.add(askedEnd)
		} else if time.Since(first) > time.Second {
			os.Exit(128 + int(number)) //nolint:revive // a repeated signal ends the program at once
		}
	}
}
