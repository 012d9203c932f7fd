package hand

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// A Hand is a program's side of handing over. It belongs to the goroutine that steps the world,
// except for [Hand.Listen] and listeners.
type Hand struct {
	options  Options
	tasks    tasks
	signals  signals
	code     int
	report   save.Report
	closed   bool
	carried  carried  // to the next program
	received received // from the previous program
	link     joined   // to the supervisor
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

// mustBeOpen returns h. It panics if h is nil or was not returned by Join.
func (h *Hand) mustBeOpen() *Hand {
	if h == nil || h.signals.caught == nil {
		panic("hand: this Hand is nil, or was not made; get one by Join or Main")
	}
	return h
}

// World returns the world to play: the previous program's world, if this program replaces it;
// otherwise the world in [Options.File], if the file exists; otherwise the result of fresh, or of
// world.CreateState if fresh is nil. A world with another fingerprint is migrated; see
// [Hand.Report]. After an error, end the program: the previous one continues.
func (h *Hand) World(c world.Counts, fresh func() (world.State, error)) (world.State, error) {
	if h.mustBeOpen().link.supervised() {
		s, ok, err := h.take(c)
		if err != nil {
			return s, errors.Join(err, h.link.refuse(0, err))
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
			return true // and answer after the step
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
		number = int32(syscall.SIGTERM) // the supervisor has died
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

// end closes everything that belongs to handing over.
func (h *Hand) end(code int) {
	h.code, h.closed = code, true
	h.tasks.add(askedEnd)
	for _, l := range h.carried.listeners {
		_ = l.Close()
	}
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

// OnOffer registers f, which Continue calls when it hands the world over: f stops the readers of
// connections, and adds what travels to the [Offer]. If the next program refuses, f is called again
// for the one after it.
func (h *Hand) OnOffer(f func(*Offer) error) { h.mustBeOpen().carried.offered = f }

// Keep adds the bytes that state appends to the world under a name: when it is handed over, after
// [Hand.OnOffer]'s function, and in each copy that a supervisor keeps. The next program gets world
// and bytes of the same step: see [Hand.Bytes] and [Hand.Lost]. Continue calls the function,
// between two steps.
//
//	h.Keep("server", server.AppendState)
func (h *Hand) Keep(name string, state func(dst []byte) []byte) {
	if h.mustBeOpen(); state == nil {
		panic(fmt.Sprintf("hand: Keep of %q with a nil function; pass one that appends", name))
	}
	h.carried.keeps = append(h.carried.keeps, kept{name, state})
}

// Lost returns for how long the previous program may have played after this program's world was
// copied. The steps of that time are lost, because that program died or was undone. It is 0 if the
// world was handed over.
func (h *Hand) Lost() time.Duration { return h.mustBeOpen().received.lost }

// Conns returns the connections that the previous program handed over, in its order, once. Read
// from them after [Hand.Ready]: bytes read by a program that is given up are lost.
func (h *Hand) Conns() ([]Conn, error) { return h.mustBeOpen().received.conns() }

// File returns a file that the previous program handed over, or nil.
func (h *Hand) File(name string) *os.File { return h.mustBeOpen().received.Files["file "+name] }

// Bytes returns the bytes of a name that the previous program handed over, or that were kept with
// the world of a program that died, or nil.
func (h *Hand) Bytes(name string) []byte { return h.mustBeOpen().received.Bytes[name] }

// Listen returns the listener of an address that the previous program handed over, or opens it. It
// travels to the next program, together with connections that were not accepted yet. Accept waits
// while the world is offered, and in the next program until [Hand.Ready]. Note each connection
// before the next call of Accept, so that [Hand.OnOffer]'s function finds it. The network is tcp,
// tcp4, tcp6 or unix.
func (h *Hand) Listen(network, address string) (net.Listener, error) {
	h.mustBeOpen().carried.mutex.Lock()
	defer h.carried.mutex.Unlock()
	l, err := openListener(network, address, h.received.Files)
	if err != nil {
		return nil, err
	}
	l.paused = h.received.taken && h.tasks.have(askedReady)
	h.carried.listeners = append(h.carried.listeners, l)
	return l, nil
}

// fingerprint returns the fingerprint of the counts, or 0 if such worlds travel only as files. It
// includes which relations are trees: an earlier world may have rings, for which a file is checked.
func fingerprint(c world.Counts) uint64 {
	n, err := memory.Fingerprint(c)
	if err != nil {
		return 0
	}
	for _, k := range c.Complete().Kinds {
		if r := k.Kind.Spec().Relation; r != nil && r.Tree {
			n = xxh3.HashStringSeed(k.Kind.String(), n)
		}
	}
	return n
}

// setReport stores and prints the differences from the program's declarations.
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
