package hand

import (
	"fmt"
	"time"
)

// A Supervisor is the configuration of [Supervise].
type Supervisor struct {
	Path     string        // of the program
	Args     []string      // its arguments, without its name
	Deadline time.Duration // for each step of handing over; 0: 10 s
	Still    time.Duration // how long the old program waits for the new one to be ready; 0: 1 s
	Trial    time.Duration // then, how long it can continue instead of the new one; 0: none
	Undo     int           // number of changes that can be undone; each keeps a copy of the world
	Keep     time.Duration // time between copies of the world that outlive a death; 0: none
	Revive   time.Duration // with Keep: a program that dies later than this is restarted; 0: none
	Loop     time.Duration // length of a Tape; 0: no tape
	Orders   <-chan Order  // nil: start Path at SIGHUP
	Told     func(Event)   // called for each event, in the goroutine of Supervise; nil: os.Stderr
}

// An Order is a request to a supervisor.
type Order struct {
	What OrderKind
	Path string // of the program to start
}

// An OrderKind is the kind of an [Order].
type OrderKind uint8

// Kinds of orders.
const (
	Replace OrderKind = iota // start a program, which replaces the current one
	Undo                     // return to the previous program, and to the world of the change
	Again                    // start or stop the loop of the program's Tape
)

// An Event reports a change of a supervisor's programs.
type Event struct {
	What  EventKind
	Path  string // of the program
	Why   string // of a refusal or failure
	Tick  uint64 // of the world of an undo, or of the kept world
	File  string // of the kept world; "": not saved
	Bytes int64  // of the kept world, as a save file; 0: none kept

	// Times of Plays:
	Start time.Duration // from its start until it waited for the world
	Offer time.Duration // until the old program had finished its step and copied the world
	Take  time.Duration // until the new one was ready
	Still time.Duration // between the old one's last step and the new one's first
}

// An EventKind is the kind of an [Event].
type EventKind uint8

// Kinds of events.
const (
	Plays   EventKind = iota // a program plays
	Refused                  // the next program was given up; the previous one continues
	Back                     // a program died in its trial; the previous one continues
	Kept                     // a program passed its trial; the previous one ended
	Undone                   // a program plays again, with the world of the change
	Died                     // no program plays; the world is kept for the next one, or Undo
)

// String describes the event in one line.
func (e Event) String() string {
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	switch e.What {
	case Refused:
		return fmt.Sprintf("hand: %s is not taken, and the program before plays on: %s", e.Path,
			e.Why)
	case Back:
		return fmt.Sprintf("hand: %s has died, and the program before plays on where it was: %s",
			e.Path, e.Why)
	case Kept:
		return fmt.Sprintf("hand: %s has passed its trial", e.Path)
	case Undone:
		return fmt.Sprintf("hand: undone: %s plays again, at tick %d", e.Path, e.Tick)
	case Died:
		return e.died()
	case Plays:
	}
	if e.Still == 0 {
		return fmt.Sprintf("hand: %s plays; started in %v", e.Path, round(e.Start))
	}
	return fmt.Sprintf("hand: %s plays; started in %v, offered in %v, taken in %v; "+
		"the world stood still for %v", e.Path, round(e.Start), round(e.Offer), round(e.Take),
		round(e.Still))
}

func (e Event) died() string {
	said := fmt.Sprintf("hand: nobody plays, as %s has failed: %s\nhand: ", e.Path, e.Why)
	switch {
	case e.Bytes == 0:
		return said + "no world is kept; the next version begins anew, or undo"
	case e.File != "":
		said += fmt.Sprintf("saved %s at tick %d; ", e.File, e.Tick)
	}
	return said + fmt.Sprintf("the next version goes on at tick %d, or undo", e.Tick)
}
