package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// Errors of this package. They are wrapped; test for them with errors.Is.
var (
	ErrRefused = errors.New("it was refused")          // cannot travel, or was not taken
	ErrGone    = errors.New("the supervisor is gone")  // the program must end too
	errOver    = errors.New("the old program goes on") // the new one came too late
	errCut     = errors.New("a function of the program panicked while the world was offered")
)

// Options are the options of [Main] and [Join].
type Options struct {
	File     string        // where the world is loaded from, and saved at the end; "": nowhere
	Save     save.Options  // of File, and of worlds that travel to other fingerprints
	Deadline time.Duration // of each step of handing over; 0: 10 s
	Still    time.Duration // how long the old program waits for the new one to be ready; 0: 1 s
	Trial    time.Duration // after that, how long it can continue in its place; 0: not
	Keep     time.Duration // time between copies of the world that outlive a death; 0: none
	Revive   time.Duration // with Keep: a program that dies later than this is restarted; 0: none
	Out      io.Writer     // receives a line per event; nil: os.Stderr
	Signals  bool          // the program itself handles signals, and saves
}

func (o *Options) say(format string, args ...any) {
	out := o.Out
	if out == nil {
		out = os.Stderr
	}
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}

// A Hand is a program's end of handing over. It belongs to the goroutine that steps the world,
// except for [Hand.Listen] and listeners.
type Hand struct {
	options Options
	asked   atomic.Uint32 // a bit per thing that Continue has to do
	signal  atomic.Int32  // that asked for the end
	caught  chan os.Signal
	code    int
	report  save.Report
	offered func(*Offer) error
	keeps   []kept // that travel with every copy of the world
	closed  bool

	mutex     sync.Mutex
	listeners []*listener
	cargo     cargo // what the program before has offered

	taken bool          // the world is that of the program before
	lost  time.Duration // that the program before may have played on
	past  time.Duration // that a Tape is to have; 0: none
	tape  *Tape
	again atomic.Bool // the supervisor asks for the tape

	joined // to the supervisor
}

// What Continue has to do.
const (
	askedEnd   = 1 << iota // a signal asked for the end, or the supervisor is gone
	askedOffer             // the supervisor asked for the world
	askedReady             // the program was not yet allowed to play
	askedAlive             // the supervisor asks whether this program plays
	askedFirst             // the first step is not begun
	askedStep              // and not finished
	askedCopy              // the supervisor keeps copies of the world
)

// Join returns the Hand of a supervisor's child, or of a program without a supervisor, which plays
// too. From then on, SIGTERM, SIGINT and SIGHUP make [Hand.Continue] return false, and a second one
// ends the program.
func Join(o Options) (*Hand, error) {
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	h := &Hand{options: o, caught: make(chan os.Signal, 4)}
	if err := h.join(); err != nil {
		return nil, err
	}
	if !o.Signals {
		signal.Notify(h.caught, os.Interrupt, syscall.SIGTERM, hangUp)
		go h.listen()
	}
	return h, nil
}

// listen notes the first signal, and ends the program at the second, a second later or more: a
// terminal and a supervisor may send the same one.
func (h *Hand) listen() {
	var first time.Time
	for s := range h.caught {
		number, _ := s.(syscall.Signal)
		if first.IsZero() {
			first = time.Now()
			h.signal.Store(int32(number))
			h.ask(askedEnd)
		} else if time.Since(first) > time.Second {
			os.Exit(128 + int(number)) //nolint:revive // whoever asks twice insists
		}
	}
}

// Supervised reports whether this program is a supervisor's child.
func (h *Hand) Supervised() bool { return h.mustBeOpen().supervised() }

func (h *Hand) ask(what uint32) { h.asked.Or(what) }

// mustBeOpen returns h. It panics if h is nil or was not made by Join.
func (h *Hand) mustBeOpen() *Hand {
	if h == nil || h.caught == nil {
		panic("hand: this Hand is nil, or was not made; get one by Join or Main")
	}
	return h
}

// World returns the world to play: the previous program's, if this one replaces it; otherwise that
// of [Options.File], if the file exists; otherwise the result of fresh, or of world.CreateState if
// fresh is nil. A world with another fingerprint is migrated; see [Hand.Report]. With an error, end
// the program: the previous one continues.
func (h *Hand) World(
	c world.Counts, fresh func() (world.State, error),
) (world.State, error) {
	if h.mustBeOpen().supervised() {
		s, ok, err := h.take(c)
		if err != nil {
			return s, errors.Join(err, h.refuse(err))
		}
		if ok {
			return s, nil
		}
	}
	if path := h.options.File; path != "" {
		s, report, err := save.Load(path, c, h.options.Save)
		if err == nil {
			h.report = report
			h.tellReport()
		}
		if !errors.Is(err, os.ErrNotExist) {
			return s, err
		}
	}
	if fresh == nil {
		return world.CreateState(c)
	}
	return fresh()
}

// Report describes how the world differed from this program's declarations. It is zero for worlds
// with the same fingerprint, and for new worlds.
func (h *Hand) Report() save.Report { return h.mustBeOpen().report }

// Continue reports whether the program must play the next step. Call it between steps. If the
// supervisor asks, it hands the world over; after a refusal it returns true, and only time has
// passed. It returns false when the next program plays, after Close, or when a signal asks for the
// end: then it has saved the world to [Options.File], and the program should end with [Hand.Code].
// An idle call costs one load.
//
//	for h.Continue(state) {
//		state = step(state)
//	}
func (h *Hand) Continue(s world.State) bool {
	if h.mustBeOpen().asked.Load() == 0 {
		return true
	}
	return h.attend(s)
}

func (h *Hand) attend(s world.State) bool {
	for {
		asked := h.asked.Load()
		switch {
		case h.closed:
			return false
		case asked&askedReady != 0:
			if err := h.Ready(); err != nil {
				h.options.say("hand: %v", err)
				h.end(1)
				return false
			}
		case asked&askedEnd != 0:
			h.drain(s)
			return false
		case asked&askedCopy != 0:
			h.copyWorld(s)
		case asked&askedFirst != 0:
			h.asked.And(^uint32(askedFirst))
			return true // and answer when the step is finished
		case asked&(askedStep|askedAlive) != 0:
			h.playsOn()
		case asked&askedOffer != 0:
			if h.handOver(s) {
				h.end(0)
				return false
			}
			return true
		default:
			return true
		}
	}
}

// drain saves the world at the end.
func (h *Hand) drain(s world.State) {
	number := h.signal.Load()
	if number == 0 {
		number = int32(syscall.SIGTERM) // the supervisor is gone
	}
	code := 128 + int(number)
	switch path := h.options.File; {
	case h.options.Signals:
	case path == "":
		h.options.say("hand: ended at tick %d", world.Tick(s))
	default:
		if err := save.Save(path, s, h.options.Save); err != nil {
			h.options.say("hand: the world is not saved: %v", err)
			code = 1
			break
		}
		h.options.say("hand: saved %s at tick %d", path, world.Tick(s))
	}
	h.end(code)
	if code != 1 {
		h.say(leaving)
	}
}

// end closes what handing over needs.
func (h *Hand) end(code int) {
	h.code, h.closed = code, true
	h.ask(askedEnd)
	for _, l := range h.listeners {
		_ = l.Close()
	}
}

// Code returns the exit code of the program, once Continue has returned false: 0 if the next
// program plays, 143 after SIGTERM, 130 after SIGINT, 1 if the world could not be saved.
func (h *Hand) Code() int { return h.mustBeOpen().code }

// Close tells the supervisor that the program ends by itself. A program that ends without Close, by
// os.Exit or a panic, has died: a supervisor that keeps copies of its world waits for the next one.
func (h *Hand) Close() {
	signal.Stop(h.mustBeOpen().caught)
	h.end(h.code)
	h.say(leaving)
	h.leave()
}

// fingerprint returns that of the counts, or 0 if such worlds travel as files alone.
func fingerprint(c world.Counts) uint64 {
	n, err := memory.Fingerprint(c)
	if err != nil {
		return 0
	}
	return n
}

// tellReport tells how the world differs from what the program declares.
func (h *Hand) tellReport() {
	for _, r := range []struct {
		what  string
		names []string
	}{
		{"migrated", h.report.Migrated},
		{"new", h.report.New},
		{"dropped", h.report.Dropped},
		{"kept", h.report.Kept},
	} {
		if len(r.names) > 0 {
			h.options.say("hand: %s: %s", r.what, strings.Join(r.names, ", "))
		}
	}
}
