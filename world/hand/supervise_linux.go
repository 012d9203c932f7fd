package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
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
	ending                // the one that plays was asked to end, and may hang
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
	played   bool     // some program has
	ends     bool     // a signal has asked for the end
	rests    bool     // nobody plays, as the one that did has died, and the next one is awaited
	kept     moment   // the world of who has died
	then     func()   // once the trial is decided; nil: nothing
	event    Event
	since    time.Time // when the phase began
	stopped  int64     // when the old program's last step ended
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
	for d.plays != nil || d.next != nil || d.rests {
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
		d.proceed()
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

// patience is how long the next program may take to be ready: less if another one waits for it, and
// for ever if it is the first one.
func (d *desk) patience() time.Duration {
	switch {
	case !d.played:
		return 0
	case d.plays == nil || d.plays.gone:
		return d.Deadline
	}
	return d.Still
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
		d.decide(func() { d.replace(path) })
		return true
	}
	if d.phase != alone || d.next != nil {
		why := "another one is being started"
		if d.phase == ending {
			why = askedToEnd
		}
		d.Told(Event{What: Refused, Path: path, Why: why})
		return false
	}
	next, err := d.start(path)
	if err != nil {
		d.tell(Refused, path, err.Error())
		return false
	}
	d.next, d.ends = next, false
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
	case a.from.note(&a.message):
		if a.from == d.plays && a.Kind == copied {
			d.kept.close() // that of a program before
		}
	case a.from == d.next && a.Kind == hello && d.phase == starting:
		d.event = Event{What: Plays, Path: a.from.path, Start: time.Since(a.from.started)}
		d.ask(a.Fingerprint)
	case a.from == d.plays && a.Kind == offer && d.phase == giving && a.Number == d.number:
		d.event.Offer = time.Since(d.since)
		d.pass(a)
	case a.from == d.next && a.Kind == ready && d.phase == taking:
		d.event.Take = time.Since(d.since)
		d.to(entering, d.patience())
		d.send(d.next, message{Kind: commit})
	case a.from == d.next && a.Kind == stepping && d.phase == entering:
		d.enter(a.message)
	case a.from == d.next && a.Kind == alive && d.phase == onTrial && a.from.stepped:
		d.keep()
	case a.from == d.plays && a.Kind == alive && d.phase == ending:
		d.to(alone, 0) // it takes its time
	case a.Kind == undo:
		d.undo()
	case a.Kind == cannot && (a.from == d.next || a.Number == d.number && d.phase == giving):
		d.abandon(a.Why)
	}
	closeAll(a.files)
}

// ask asks the program that plays for the world, or has the first one make it.
func (d *desk) ask(fingerprint uint64) {
	if d.plays == nil && !d.rests {
		d.beginAnew()
		return
	}
	token, err := newTurn()
	if err != nil {
		d.abandon(err.Error())
		return
	}
	d.token = token
	if d.plays == nil {
		d.passAlone()
		return
	}
	d.number++
	d.to(giving, d.Deadline)
	d.send(d.plays, message{
		Kind: give, Number: d.number, Fingerprint: fingerprint, files: []*os.File{token},
		Beside: d.undoing,
	})
}

func (d *desk) beginAnew() {
	d.to(taking, d.patience())
	d.send(d.next, message{Kind: fresh, Loop: int64(d.Loop), Keep: int64(d.Keep)})
}

// pass hands what the old program offers to the next one.
func (d *desk) pass(a arrival) {
	d.stopped = a.Stopped
	files, err := d.freeze(a.files)
	if err != nil {
		d.abandon(err.Error())
		return
	}
	d.hand(a.Stopped, files)
	if d.undoing {
		_ = files[1].Close()
	}
}

// hand gives the next program a world.
func (d *desk) hand(stopped int64, files []*os.File) {
	d.to(taking, d.patience())
	d.send(d.next, message{
		Kind: take, Stopped: stopped, Private: d.Undo > 0, Loop: int64(d.Loop), Keep: int64(d.Keep),
		files: append([]*os.File{d.token}, files...),
	})
}

// send ignores errors: a child that cannot be told anything ends, which is heard of.
func (d *desk) send(c *child, m message) {
	if c != nil && !c.gone {
		_ = c.wire.send(m)
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
	ends := s == syscall.SIGTERM || s == syscall.SIGHUP || s == os.Interrupt
	switch {
	case s == syscall.SIGHUP && !inTerminal && d.Orders == nil:
		d.replace(d.Path)
		return
	case ends && d.plays == nil && d.rests:
		d.leave(s)
		return
	}
	d.ends = d.ends || ends
	switch {
	case inTerminal && (s == os.Interrupt || s == syscall.SIGQUIT || s == syscall.SIGWINCH):
		d.hurry() // the terminal has sent it to all of this group
		return
	case ends && d.phase == onTrial:
		d.decide(func() { d.signal(s) })
		return
	case ends && d.next != nil && d.plays != nil && d.phase != entering:
		d.abandon(askedToEnd)
	}
	for _, c := range []*child{d.plays, d.next} {
		if c != nil && !c.gone {
			_ = c.command.Process.Signal(s)
		}
	}
	d.hurry()
}

// A child is a program that a supervisor has started.
type child struct {
	path    string
	command *exec.Cmd
	wire    wire
	crash   *os.File // what the runtime says of its panic
	started time.Time
	stepped bool   // it has finished a step
	leaves  bool   // it has said that it ends as it wants to
	copy    moment // the last copy of its world
	gone    bool
}

// start starts a program, and a goroutine that listens to it.
func (d *desk) start(path string) (*child, error) {
	w, theirs, err := pair()
	if err != nil {
		return nil, err
	}
	crash, err := mapping.Scratch("flatecs crash")
	if err != nil {
		return nil, errors.Join(err, theirs.Close(), w.Close())
	}
	c := &child{path: path, wire: w, crash: crash, started: time.Now()}
	c.command = exec.Command(path, d.Args...) //nolint:gosec,noctx // what the caller wants
	c.command.Stdin, c.command.Stdout, c.command.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.command.ExtraFiles = []*os.File{theirs, crash} // childFile, crashFile
	_, err = w.Write([]byte(greeting))
	if err == nil {
		err = c.command.Start()
	}
	if err = errors.Join(err, theirs.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("hand: %w", err), w.Close(), crash.Close())
	}
	go c.listen(d)
	return c, nil
}

// listen passes on what a child says, and in the end that it is gone.
func (c *child) listen(d *desk) {
	for {
		m, err := c.wire.receive()
		if err != nil {
			break
		}
		d.arrive(arrival{from: c, message: m})
	}
	_ = c.command.Wait() // the state says how it ended
	d.arrive(arrival{from: c, ended: true})
}

// note keeps what a child says of itself at any time. It returns false if that is something else.
func (c *child) note(m *message) bool {
	switch m.Kind {
	case stepped:
		c.stepped = true
	case leaving:
		c.leaves = true
	case copied:
		if len(m.files) != 2 {
			break
		}
		list, err := readManifest(m.files[1])
		if err != nil {
			break
		}
		c.copy.close()
		c.copy = moment{path: c.path, world: m.files[0], manifest: list}
		m.files = m.files[1:]
	default:
		return false
	}
	return true
}

// close lets go of what a child that has ended has had.
func (c *child) close() {
	c.gone = true
	_ = c.wire.Close()
	_ = c.crash.Close()
}

// end returns how a child has ended, and the first lines of its panic.
func (c *child) end() string {
	const most = 8 // lines
	text, _ := io.ReadAll(io.NewSectionReader(c.crash, 0, 4<<10))
	lines := strings.SplitAfterN(string(text), "\n", most+1)
	said := strings.TrimSpace(strings.Join(lines[:min(len(lines), most)], ""))
	if said == "" {
		return c.command.ProcessState.String()
	}
	return c.command.ProcessState.String() + "\n" + said
}

// arrive passes an arrival to the goroutine of Supervise, if it is still there.
func (d *desk) arrive(a arrival) {
	select {
	case d.arrivals <- a:
	case <-d.done:
		closeAll(a.files)
	}
}

// codeOf returns the exit code of a child that has ended, as shells tell it.
func codeOf(c *child) int {
	if status, ok := c.command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.command.ProcessState.ExitCode()
}
