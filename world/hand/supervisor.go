package hand

import (
	"fmt"
	"os"
	"time"

	"github.com/flatecs/flatecs/world"
)

// A Supervisor is the configuration of [Supervise].
type Supervisor struct {
	Path     string        // of the program
	Args     []string      // its arguments, its name apart
	Deadline time.Duration // of each step of handing over; 0: 10 s
	Still    time.Duration // how long the old program waits for the new one to be ready; 0: 1 s
	Trial    time.Duration // after that, how long it can continue in its place; 0: not
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
	Bytes int64  // of the kept world, as a save file; 0: there is none

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

// Main runs a program whose world outlives it, and returns the exit code. As the first process it
// supervises: it starts itself again with the same arguments, passes signals on, starts the next
// program at SIGHUP, and ends as the last one did. As a supervisor's child, or on hosts without
// handing over, it calls play, and returns [Hand.Code], or 1 after an error, which it prints.
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
	if canSupervise && !h.link.supervised() {
		h.Close()
		return supervise(&o)
	}
	if err = play(h); err != nil {
		o.say("%v", err)
		return max(h.Code(), 1)
	}
	if h.Code() != 1 {
		h.link.say(leaving)
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

// Run steps the world as long as [Hand.Continue] returns true.
func (h *Hand) Run(s world.State, step func(world.State) world.State) world.State {
	if step == nil {
		panic("hand: Run without a function; give the one that steps the world")
	}
	for h.Continue(s) {
		s = step(s)
	}
	return s
}
