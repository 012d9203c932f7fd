package hand

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

const canSupervise = true

// A supervision is the state of Supervise. All of it belongs to that goroutine.
type supervision struct {
	config   Supervisor
	children children
	clock    clock
	worlds   worlds
	plays    *child // or waits while another program is on trial
	next     *child
	number   int      // of the last request for a world
	token    *os.File // the turn of the change in progress
	event    Event    // reports the change
	then     deferred // until the trial is decided
	played   bool     // some program has played
	ends     bool     // a signal requested the end
	rests    bool     // no program plays: it died, and the next one is awaited
	code     int
}

// Supervise starts a program and replaces it by others, until the last one has ended. It returns
// the last exit code, or 128 plus the number of the signal that killed the program. It passes
// SIGTERM and similar signals on to the playing program; SIGINT and SIGQUIT too, unless this
// program is in a terminal, which sends them to both. Programs of the same process group stop and
// continue with it.
func Supervise(s Supervisor) (code int, err error) {
	if s.Deadline <= 0 {
		s.Deadline = 10 * time.Second
	}
	if s.Still <= 0 {
		s.Still = time.Second
	}
	if s.Told == nil {
		s.Told = func(e Event) { fmt.Fprintln(os.Stderr, e) }
	}
	v := &supervision{
		config: s, children: newChildren(s.Args), clock: newClock(),
		worlds: worlds{undoes: s.Undo},
	}
	defer close(v.children.done)
	defer v.close()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, os.Interrupt, syscall.SIGQUIT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH)
	defer signal.Stop(signals)
	if v.next, err = v.children.start(s.Path); err != nil {
		return 1, err
	}
	v.clock.begin(starting, 0)
	for v.plays != nil || v.next != nil || v.rests {
		select {
		case a := <-v.children.arrivals:
			v.handle(a)
		case sig := <-signals:
			v.signal(sig)
		case o := <-s.Orders:
			v.execute(o)
		case <-v.clock.timer.C:
			v.endPhase()
		}
		v.runDeferred()
	}
	return v.code, nil
}

// patience limits the time until the next program is ready: it is shorter while another program
// waits, and unlimited for the first program.
func (v *supervision) patience() time.Duration {
	switch {
	case !v.played:
		return 0
	case v.plays == nil || v.plays.gone:
		return v.config.Deadline
	}
	return v.config.Still
}

// execute carries out an order.
func (v *supervision) execute(o Order) {
	switch o.What {
	case Replace:
		v.replace(o.Path)
	case Undo:
		v.undo()
	case Again:
		c := v.plays
		if v.clock.phase == onTrial {
			c = v.next
		}
		v.send(c, message{Kind: loop})
	}
}

// replace starts the next program. It returns false if one is starting already, or the start fails.
func (v *supervision) replace(path string) bool {
	if v.clock.phase == onTrial && !v.ends {
		v.afterTrial(deferred{func() { v.replace(path) }, path}, "a later one is to be started")
		return true
	}
	if v.clock.phase != alone || v.next != nil {
		why := "another one is being started"
		if v.clock.phase == ending || v.clock.phase == onTrial {
			why = askedToEnd
		}
		v.config.Told(Event{What: Refused, Path: path, Why: why})
		return false
	}
	next, err := v.children.start(path)
	if err != nil {
		v.report(Refused, path, err.Error())
		return false
	}
	v.next, v.ends = next, false
	v.clock.begin(starting, v.config.Deadline)
	return true
}

// handle handles a message of a child.
func (v *supervision) handle(a arrival) {
	if a.ended {
		v.handleEnd(a.from)
		return
	}
	switch {
	case a.from.update(&a.message):
		if a.from == v.plays && a.Kind == copied {
			v.worlds.kept.close() // of an earlier program
		}
	case a.from == v.next && a.Kind == hello && v.clock.phase == starting:
		v.event = Event{What: Plays, Path: a.from.path, Start: time.Since(a.from.started)}
		v.requestWorld(a.Fingerprint)
	case a.from == v.plays && a.Kind == offer && v.clock.phase == giving && a.Number == v.number:
		v.event.Offer = time.Since(v.clock.since)
		v.passOffer(a)
	case a.from == v.next && a.Kind == ready && v.clock.phase == taking:
		v.event.Take = time.Since(v.clock.since)
		v.clock.begin(entering, v.patience())
		v.send(v.next, message{Kind: commit})
	case a.from == v.next && a.Kind == stepping && v.clock.phase == entering:
		v.beginTrial(a.message)
	case a.from == v.next && a.Kind == alive && v.clock.phase == onTrial && a.from.stepped:
		v.promote()
	case a.from == v.plays && a.Kind == alive && v.clock.phase == ending:
		v.clock.begin(alone, 0) // without a limit
	case a.Kind == undo:
		v.undo()
	case a.Kind == cannot && (a.from == v.next || a.Number == v.number && v.clock.phase == giving):
		v.abandon(a.Why)
	}
	closeAll(a.files)
}

// requestWorld asks the playing program for its world, or tells the first program to create one.
func (v *supervision) requestWorld(fingerprint uint64) {
	if v.plays == nil && !v.rests {
		v.startFresh()
		return
	}
	token, err := newTurn()
	if err != nil {
		v.abandon(err.Error())
		return
	}
	v.token = token
	if v.plays == nil {
		v.giveKept()
		return
	}
	v.number++
	v.clock.begin(giving, v.config.Deadline)
	v.send(v.plays, message{
		Kind: give, Number: v.number, Fingerprint: fingerprint, files: []*os.File{token},
		Beside: v.worlds.undoing,
	})
}

func (v *supervision) startFresh() {
	v.clock.begin(taking, v.patience())
	v.send(v.next, message{Kind: fresh, Loop: int64(v.config.Loop), Keep: int64(v.config.Keep)})
}

// passOffer passes the old program's offer to the next program.
func (v *supervision) passOffer(a arrival) {
	files, err := v.worlds.recordChange(v.plays.path, a.files)
	if err != nil {
		v.abandon(err.Error())
		return
	}
	v.giveWorld(a.Stopped, files)
	if v.worlds.undoing {
		_ = files[1].Close()
	}
}

// giveWorld gives the next program a world.
func (v *supervision) giveWorld(stopped int64, files []*os.File) {
	v.clock.begin(taking, v.patience())
	v.send(v.next, message{
		Kind: take, Stopped: stopped, Private: v.config.Undo > 0,
		Loop: int64(v.config.Loop), Keep: int64(v.config.Keep),
		files: append([]*os.File{v.token}, files...),
	})
}

// send ignores errors: if a child cannot receive, it is ending, and its end arrives separately.
func (v *supervision) send(c *child, m message) {
	if c != nil && !c.gone {
		_ = c.wire.send(m)
	}
}

func (v *supervision) closeToken() {
	if v.token != nil {
		_ = v.token.Close()
	}
	v.token = nil
}

// signal passes a signal on, or starts the next program.
func (v *supervision) signal(s os.Signal) {
	inTerminal := mapping.Terminal(os.Stdin)
	ends := s == syscall.SIGTERM || s == syscall.SIGHUP || s == os.Interrupt
	switch {
	case s == syscall.SIGHUP && !inTerminal && v.config.Orders == nil:
		v.replace(v.config.Path)
		return
	case ends && v.plays == nil && v.rests:
		v.endResting(s)
		return
	}
	v.ends = v.ends || ends
	switch {
	case inTerminal && (s == os.Interrupt || s == syscall.SIGQUIT || s == syscall.SIGWINCH):
		v.limitEnding() // the terminal sent it to the whole process group
		return
	case ends && v.clock.phase == onTrial:
		v.afterTrial(deferred{call: func() { v.signal(s) }}, askedToEnd)
		return
	case ends && v.next != nil && v.plays != nil && v.clock.phase != entering:
		v.abandon(askedToEnd)
	}
	for _, c := range []*child{v.plays, v.next} {
		if c != nil && !c.gone {
			_ = c.command.Process.Signal(s)
		}
	}
	v.limitEnding()
}
