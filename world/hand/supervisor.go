package hand

import (
	"fmt"
	"os"
	"time"

	"github.com/flatecs/flatecs/world"
)

// A Supervisor says which program is played, and how it is replaced.
type Supervisor struct {
	Path     string        // of the program
	Args     []string      // its arguments, its name apart
	Deadline time.Duration // of each step of handing over; 0: 10 s
	Still    time.Duration // how long the old program waits for the new one to be ready; 0: 1 s
	Trial    time.Duration // how long it is kept beside the new one after that; 0: not
	Undo     int           // how many changes can be undone; each keeps a copy of the world
	Keep     time.Duration // how often the world is copied, to outlive a death; 0: not
	Revive   time.Duration // with Keep: who dies is started again if it lived longer; 0: not
	Loop     time.Duration // how much of the past a Tape has, which is played again; 0: none
	Orders   <-chan Order  // what is to be done; nil: Path is to take over, at SIGHUP
	Told     func(Event)   // called for each event, in the goroutine of Supervise; nil: os.Stderr
}

// An Order is something that a supervisor is to do.
type Order struct {
	What OrderKind
	Path string // of the program that is to take over
}

// An OrderKind says what a supervisor is to do.
type OrderKind uint8

// Kinds of orders.
const (
	Replace OrderKind = iota // start a program, which takes over
	Undo                     // go back to the program before, and the world of the change
	Again                    // have the program's Tape played over and over, or no longer
)

// An Event is something that happened to the programs of a supervisor.
type Event struct {
	What  EventKind
	Path  string // of the program
	Why   string // of what was refused, or went wrong
	Tick  uint64 // of the world to which an undone program goes back, or that is kept
	File  string // where the world that is kept was saved; "": nowhere
	Bytes int64  // of the world that is kept, as a save file; 0: there is none

	// Of a program that plays:
	Start time.Duration // from its start until it waited for the world
	Offer time.Duration // until the old program had finished its step and copied the world
	Take  time.Duration // until the new one was ready
	Still time.Duration // between the old one's last step and the new one's first
}

// An EventKind says what happened.
type EventKind uint8

// Kinds of events.
const (
	Plays   EventKind = iota // a program plays
	Refused                  // the next program was given up, and the one before plays on
	Back                     // a program died in its trial, and the one before plays on
	Kept                     // a program has passed its trial; the one before ended
	Undone                   // a program plays again, with the world of the change
	Died                     // nobody plays; the world is kept for the next program, or Undo
)

// String returns the event as a line.
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

// Main runs a program whose world outlives it, and returns the code to exit with. Started by
// anybody, this program supervises: it starts itself again with the same arguments, passes signals
// on, starts its successor at SIGHUP, and ends as the last one did. As a supervisor's child it
// calls play, and returns [Hand.Code], or 1 after an error, which it tells. Where nothing can be
// handed over, it calls play too.
//
//	func main() { os.Exit(hand.Main(hand.Options{File: "game.flat"}, play)) }
func Main(o Options, play func(h *Hand) error) (code int) {
	if play == nil {
		panic("hand: Main without a function; give the one that plays")
	}
	h, err := Join(o)
	if err != nil {
		o.say("%v", err)
		return 1
	}
	if canSupervise && !h.supervised() {
		h.Close()
		return supervise(&o)
	}
	if err = play(h); err != nil {
		o.say("%v", err)
		return max(h.Code(), 1)
	}
	if h.Code() != 1 {
		h.say(leaving)
	}
	return h.Code()
}

// supervise runs this program as its own supervisor, and returns the exit code.
func supervise(o *Options) int {
	path, err := os.Executable()
	code := 1
	if err == nil {
		code, err = Supervise(Supervisor{
			Path: path, Args: os.Args[1:], Deadline: o.Deadline, Still: o.Still, Trial: o.Trial,
			Keep: o.Keep, Revive: o.Revive,
			Told: func(e Event) { o.say("%v", e) },
		})
	}
	if err != nil {
		o.say("%v", err)
	}
	return code
}

// Run is the loop of a program: it steps the world as long as [Hand.Continue] returns true.
func (h *Hand) Run(s world.State, step func(world.State) world.State) world.State {
	if step == nil {
		panic("hand: Run without a function; give the one that steps the world")
	}
	for h.Continue(s) {
		s = step(s)
	}
	return s
}
