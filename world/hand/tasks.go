package hand

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// tasks are what Continue has to do, a bit each. Any goroutine may add some.
type tasks struct {
	bits atomic.Uint32
	loop atomic.Bool // the tape is to begin or to end its loop
}

const (
	askedEnd   = 1 << iota // a signal asked for the end, or the supervisor is gone
	askedOffer             // the supervisor asked for the world
	askedReady             // the program was not yet allowed to play
	askedAlive             // the supervisor asks whether this program plays
	askedFirst             // the first step is not begun
	askedStep              // and not finished
	askedCopy              // the supervisor keeps copies of the world
)

func (t *tasks) add(what uint32) { t.bits.Or(what) }

// remove removes tasks, and returns those that there were.
func (t *tasks) remove(what uint32) uint32 { return t.bits.And(^what) }

func (t *tasks) have(what uint32) bool { return t.bits.Load()&what != 0 }

// signals are those that ask for the end.
type signals struct {
	caught chan os.Signal
	first  atomic.Int32 // 0: none
}

// listen adds a task at the first signal, and ends the program at the second, a second later or
// more: a terminal and a supervisor may send the same one.
func (c *signals) listen(t *tasks) {
	var first time.Time
	for s := range c.caught {
		number, _ := s.(syscall.Signal)
		if first.IsZero() {
			first = time.Now()
			c.first.Store(int32(number))
			t.add(askedEnd)
		} else if time.Since(first) > time.Second {
			os.Exit(128 + int(number)) //nolint:revive // whoever asks twice insists
		}
	}
}
