package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
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
	options  Options
	tasks    tasks
	signals  signals
	code     int
	report   save.Report
	closed   bool
	carried  carried  // to the next program
	received received // from the program before
	link     joined   // to the supervisor
}

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

// Join returns the Hand of a supervisor's child, or of a program without a supervisor, which plays
// too. From then on, SIGTERM, SIGINT and SIGHUP make [Hand.Continue] return false, and a second one
// ends the program.
func Join(o Options) (*Hand, error) {
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	h := &Hand{options: o, signals: signals{caught: make(chan os.Signal, 4)}}
	if err := h.join(); err != nil {
		return nil, err
	}
	if !o.Signals {
		signal.Notify(h.signals.caught, os.Interrupt, syscall.SIGTERM, hangUp)
		go h.signals.listen(&h.tasks)
	}
	return h, nil
}

// Supervised reports whether this program is a supervisor's child.
func (h *Hand) Supervised() bool { return h.mustBeOpen().link.supervised() }

// mustBeOpen returns h. It panics if h is nil or was not made by Join.
func (h *Hand) mustBeOpen() *Hand {
	if h == nil || h.signals.caught == nil {
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
	if h.mustBeOpen().link.supervised() {
		s, ok, err := h.take(c)
		if err != nil {
			return s, errors.Join(err, h.link.refuse(err))
		}
		if ok {
			return s, nil
		}
	}
	if path := h.options.File; path != "" {
		s, report, err := save.Load(path, c, h.options.Save)
		if err == nil {
			h.setReport(report)
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
	if h.mustBeOpen().tasks.bits.Load() == 0 {
		return true
	}
	return h.doTasks(s)
}

func (h *Hand) doTasks(s world.State) bool {
	for {
		switch {
		case h.closed:
			return false
		case h.tasks.have(askedReady):
			if err := h.Ready(); err != nil {
				h.options.say("hand: %v", err)
				h.end(1)
				return false
			}
		case h.tasks.have(askedEnd):
			h.save(s)
			return false
		case h.tasks.have(askedCopy):
			h.link.copyWorld(s)
		case h.tasks.have(askedFirst):
			h.tasks.remove(askedFirst)
			return true // and answer when the step is finished
		case h.tasks.have(askedStep | askedAlive):
			h.link.answer()
		case h.tasks.have(askedOffer):
			if h.link.handOver(s) {
				h.end(0)
				return false
			}
			return true
		default:
			return true
		}
	}
}

// save saves the world at the end.
func (h *Hand) save(s world.State) {
	number := h.signals.first.Load()
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
		h.link.say(leaving)
	}
}

// end closes what handing over needs.
func (h *Hand) end(code int) {
	h.code, h.closed = code, true
	h.tasks.add(askedEnd)
	h.carried.close()
}

// Code returns the exit code of the program, once Continue has returned false: 0 if the next
// program plays, 143 after SIGTERM, 130 after SIGINT, 1 if the world could not be saved.
func (h *Hand) Code() int { return h.mustBeOpen().code }

// Close tells the supervisor that the program ends by itself. A program that ends without Close, by
// os.Exit or a panic, has died: a supervisor that keeps copies of its world waits for the next one.
func (h *Hand) Close() {
	signal.Stop(h.mustBeOpen().signals.caught)
	h.end(h.code)
	h.link.say(leaving)
	h.link.close()
}

// fingerprint returns that of the counts, or 0 if such worlds travel as files alone.
func fingerprint(c world.Counts) uint64 {
	n, err := memory.Fingerprint(c)
	if err != nil {
		return 0
	}
	return n
}

// setReport keeps and prints how the world differs from what the program declares.
func (h *Hand) setReport(report save.Report) {
	h.report = report
	for _, r := range []struct {
		what  string
		names []string
	}{
		{"migrated", report.Migrated},
		{"new", report.New},
		{"dropped", report.Dropped},
		{"kept", report.Kept},
	} {
		if len(r.names) > 0 {
			h.options.say("hand: %s: %s", r.what, strings.Join(r.names, ", "))
		}
	}
}
