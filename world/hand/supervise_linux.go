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

// An arrival is what a child says, or its end.
type arrival struct {
	from *child
	message
	ended bool
}

// A phase is how far handing over has come.
type phase uint8

const (
	alone    phase = iota // one program plays, or none yet
	starting              // the next one is to say hello
	giving                // the one that plays is to offer the world
	taking                // the next one is to be ready
	entering              // the next one is to say that it plays
	onTrial               // it plays, and the one before waits, or it is asked whether it does
)

// A desk is a supervisor at work. All of it belongs to the goroutine of Supervise.
type desk struct {
	Supervisor
	plays    *child // or waits, while another one is on trial
	next     *child
	phase    phase
	most     time.Duration // that the phase may take; 0: for ever
	probed   bool          // the one on trial was asked whether it plays
	number   int
	arrivals chan arrival
	done     chan struct{} // closed when nobody hears arrivals any more
	timer    *time.Timer
	token    *os.File
	past     []moment // that changes can be undone to, the last one last
	moment   moment   // of the change under way
	undoing  bool     // the last of past is being gone back to
	event    Event
	since    time.Time // when the phase began
	stopped  int64     // when the old program's last step ended
	code     int
}

// Supervise starts a program and replaces it by others, until the last one has ended. It returns
// that one's exit code, 128 and the signal's number if it was killed. SIGTERM and the like are
// passed on to the program that plays; SIGINT and SIGQUIT too, unless this program is in a
// terminal, which sends them to both. Programs of the same process group stop and go on with it.
func Supervise(s Supervisor) (code int, err error) {
	if s.Deadline <= 0 {
		s.Deadline = 10 * time.Second
	}
	if s.Told == nil {
		s.Told = func(e Event) { fmt.Fprintln(os.Stderr, e) }
	}
	d := &desk{
		Supervisor: s, arrivals: make(chan arrival), done: make(chan struct{}),
		timer: time.NewTimer(time.Hour),
	}
	defer close(d.done)
	defer d.forget()
	d.timer.Stop()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, os.Interrupt, syscall.SIGQUIT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH)
	defer signal.Stop(signals)
	if d.next, err = d.start(s.Path); err != nil {
		return 1, err
	}
	d.to(starting, 0)
	for d.plays != nil || d.next != nil {
		select {
		case a := <-d.arrivals:
			d.hear(a)
		case sig := <-signals:
			d.signal(sig)
		case o := <-s.Orders:
			d.obey(o)
		case <-d.timer.C:
			d.late()
		}
	}
	return d.code, nil
}

// to begins a phase, which may take so long; 0: for ever.
func (d *desk) to(p phase, most time.Duration) {
	d.phase, d.most, d.probed, d.since = p, most, false, time.Now()
	d.timer.Stop()
	if most > 0 {
		d.timer.Reset(most)
	}
}

// deadline is how long the phases of a replacement may take; the first program may take for ever.
func (d *desk) deadline() time.Duration {
	if d.plays == nil {
		return 0
	}
	return d.Deadline
}

// obey does what was ordered.
func (d *desk) obey(o Order) {
	switch o.What {
	case Replace:
		d.replace(o.Path)
	case Undo:
		d.undo()
	case Again:
		c := d.plays
		if d.phase == onTrial {
			c = d.next
		}
		d.send(c, message{Kind: loop})
	}
}

// replace starts the next program, unless one is being started. It returns false if it does not.
func (d *desk) replace(path string) bool {
	if d.phase == onTrial {
		d.keep()
	}
	if d.phase != alone || d.plays == nil {
		d.Told(Event{What: Refused, Path: path, Why: "another one is being started"})
		return false
	}
	next, err := d.start(path)
	if err != nil {
		d.Told(Event{What: Refused, Path: path, Why: err.Error()})
		return false
	}
	d.next = next
	d.to(starting, d.Deadline)
	return true
}

// hear deals with what a child says.
func (d *desk) hear(a arrival) {
	if a.ended {
		d.ended(a.from)
		return
	}
	switch {
	case a.from == d.next && a.Kind == hello && d.phase == starting:
		d.event = Event{What: Plays, Path: a.from.path, Start: time.Since(a.from.started)}
		d.ask(a.Fingerprint)
	case a.from == d.plays && a.Kind == offer && d.phase == giving && a.Number == d.number:
		d.event.Offer = time.Since(d.since)
		d.pass(a)
	case a.from == d.next && a.Kind == ready && d.phase == taking:
		d.event.Take = time.Since(d.since)
		d.to(entering, d.deadline())
		d.send(d.next, message{Kind: commit})
	case a.from == d.next && a.Kind == stepping && d.phase == entering:
		d.enter(a.message)
	case a.from == d.next && a.Kind == alive && d.phase == onTrial:
		d.keep()
	case a.Kind == undo:
		d.undo()
	case a.Kind == cannot && (a.from == d.next || a.Number == d.number && d.phase == giving):
		d.abandon(a.Why)
	}
	closeAll(a.files)
}

// ask asks the program that plays for the world, or has the first one make it.
func (d *desk) ask(fingerprint uint64) {
	if d.plays == nil {
		d.to(taking, 0)
		d.send(d.next, message{Kind: fresh, Loop: int64(d.Loop)})
		return
	}
	token, err := mapping.Memory("flatecs turn", pageSize)
	if err != nil {
		d.abandon(err.Error())
		return
	}
	d.token = token
	d.number++
	d.to(giving, d.Deadline)
	d.send(d.plays, message{
		Kind: give, Number: d.number, Fingerprint: fingerprint, files: []*os.File{token},
		Beside: d.undoing,
	})
}

// pass hands what the old program offers to the next one.
func (d *desk) pass(a arrival) {
	d.stopped = a.Stopped
	files, err := d.freeze(a.files)
	if err != nil {
		d.abandon(err.Error())
		return
	}
	d.to(taking, d.Deadline)
	d.send(d.next, message{
		Kind: take, Stopped: a.Stopped, Private: d.Undo > 0, Loop: int64(d.Loop),
		files: append([]*os.File{d.token}, files...),
	})
	if d.undoing {
		_ = files[1].Close()
	}
}

// send ignores errors: a child that cannot be told anything ends, which is heard of.
func (d *desk) send(c *child, m message) {
	if c != nil && !c.gone {
		_ = c.wire.send(m)
	}
}

// enter is called when the next program plays.
func (d *desk) enter(m message) {
	if m.Stopped != 0 {
		d.event.Still = time.Duration(m.Plays - m.Stopped)
	}
	if d.undoing {
		last := &d.past[len(d.past)-1]
		d.event.What, d.event.Tick = Undone, last.manifest.Tick
	}
	d.Told(d.event)
	d.dropToken()
	if d.plays == nil || d.plays.gone || d.Trial <= 0 {
		d.keep()
		return
	}
	d.to(onTrial, d.Trial)
}

// keep ends the program before: the next one is the one that plays.
func (d *desk) keep() {
	d.remember()
	if d.plays != nil {
		if d.phase == onTrial {
			d.Told(Event{What: Kept, Path: d.next.path})
		}
		d.send(d.plays, message{Kind: over})
	}
	d.plays, d.next = d.next, nil
	d.to(alone, 0)
}

// late is called when a phase has taken too long, or a trial is over.
func (d *desk) late() {
	const stopped = 500 * time.Millisecond
	if time.Since(d.since) > d.most+stopped { // the whole job was, and goes on
		d.to(d.phase, d.most)
		return
	}
	switch d.phase {
	case onTrial:
		d.probe()
	case starting:
		d.abandon(fmt.Sprintf("it did not ask for the world in %v", d.Deadline))
	case giving:
		if d.undoing {
			d.undoAlone()
			return
		}
		d.abandon(fmt.Sprintf("the program that plays did not offer the world in %v; call "+
			"Continue between its steps", d.Deadline))
	case taking, entering:
		d.abandon(fmt.Sprintf("it was not ready in %v", d.Deadline))
	case alone:
	}
}

// probe asks the program on trial whether it plays, and gives it up if it has not answered.
func (d *desk) probe() {
	if d.probed {
		d.abandon(fmt.Sprintf("it did not play on for %v; call Continue between its steps",
			d.Deadline))
		return
	}
	d.to(onTrial, d.Deadline)
	d.probed = true
	d.send(d.next, message{Kind: alive})
}

// abandon gives the next program up: it is ended first, and then the one before goes on.
func (d *desk) abandon(why string) {
	what, next := Refused, d.next
	if d.phase == onTrial {
		what = Back
	}
	asked := d.phase >= giving
	d.next = nil
	d.to(alone, 0)
	d.dropToken()
	d.moment.close()
	d.moment, d.undoing = moment{}, false
	if next != nil {
		_ = next.command.Process.Kill()
		for !next.gone { // so that the two never play at once
			if a := <-d.arrivals; a.ended {
				d.endedBeside(a.from)
			} else {
				closeAll(a.files)
			}
		}
		d.Told(Event{What: what, Path: next.path, Why: why})
	}
	if asked {
		d.send(d.plays, message{Kind: resume})
	}
	if d.plays != nil && d.plays.gone {
		d.plays = nil
	}
}

// endedBeside notes the code of the program that plays, if that is the one that has ended.
func (d *desk) endedBeside(c *child) {
	c.close()
	if c == d.plays || d.plays == nil {
		d.code = codeOf(c)
	}
}

// ended is called when a child has ended.
func (d *desk) ended(c *child) {
	why, code := c.end(), codeOf(c)
	c.close()
	switch {
	case c == d.plays && (d.phase == taking || d.phase == entering):
		d.code = code // the next one has the world already
		return
	case c == d.plays && d.phase == onTrial:
		d.keep()
		return
	case c == d.plays:
		d.code, d.plays = code, nil
		d.abandon("the program that played has ended")
	case c == d.next && d.phase == onTrial && code == 0:
		d.code = 0 // it has ended as it wanted, and not died
		d.keep()
		d.plays = nil
	case c == d.next && d.plays != nil && !d.plays.gone:
		d.abandon(why)
	case c == d.next:
		d.code, d.next, d.plays = code, nil, nil
	}
}

func (d *desk) dropToken() {
	if d.token != nil {
		_ = d.token.Close()
	}
	d.token = nil
}

// signal passes a signal on, or starts the next program.
func (d *desk) signal(s os.Signal) {
	inTerminal := mapping.Terminal(os.Stdin)
	switch {
	case s == syscall.SIGHUP && !inTerminal && d.Orders == nil:
		d.replace(d.Path)
		return
	case inTerminal && (s == os.Interrupt || s == syscall.SIGQUIT || s == syscall.SIGWINCH):
		return // the terminal has sent it to all of this group
	}
	ends := s == syscall.SIGTERM || s == syscall.SIGHUP || s == os.Interrupt
	switch {
	case ends && d.phase == onTrial:
		d.keep()
	case ends && d.next != nil && d.plays != nil && d.phase != entering:
		d.abandon("the supervisor was asked to end")
	}
	for _, c := range []*child{d.plays, d.next} {
		if c != nil && !c.gone {
			_ = c.command.Process.Signal(s)
		}
	}
}
