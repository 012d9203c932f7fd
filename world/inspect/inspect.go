package inspect

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/why"
)

// Options are the options of an inspector. Only Clock is required.
type Options struct {
	Title string // of the page; default "flatecs"

	// Clock returns the time since a fixed moment. It is called from several goroutines;
	// stage.Clock(time.Now) returns one.
	Clock func() time.Duration

	Schedule *schedule.Schedule // shown with the times of its jobs; it needs a Clock of its own
	Pipeline string             // of Schedule

	Rate   int // most frames published per second, while a page is open; 0: 10
	Window int // frames whose times are recorded; 0: 600

	Sources Sources // of metrics that only the program knows

	Model    Model     // drawn while a page is open, such as a *lab.Panel; nil: none
	Controls []Control // of numbers of resources, where Edit lets them be set

	// Client appends a description of what a client may see, such as AppendSees of a replica.Conn,
	// or nothing if there is no such client. [Inspector.Publish] calls it for the client that a
	// page asks for. nil: no clients.
	Client func(dst []byte, number int) []byte

	// Edit lets users of the page set values, add and remove components, and spawn and dispose
	// objects. The program calls [Inspector.Edit], or its pipeline includes [Inspector.Job], which
	// calls it.
	Edit bool

	// Past is the recorded past. The program calls [Inspector.Turn] and [Inspector.Input] before
	// each step. nil: none.
	Past Past

	// Paused makes a program with a Past begin paused, until the page resumes it.
	Paused bool

	// Step is the program's step, to compute another future beside the world's, with the input that
	// [Inspector.Input] would return. nil: no other future.
	Step func(s world.State, input []byte) world.State

	// Why returns the job that wrote a value, such as the method Wrote of a [why.Past]. nil:
	// unknown.
	Why func(id world.GameObject, f layout.AnyField, before uint64) (why.Write, error)

	// Hosts are additional host names that requests may use.
	Hosts []string

	// Remote allows other machines: [Inspector.Listen] accepts any address, and requests may use
	// any numeric one. Everyone who can reach it can see the whole world.
	Remote bool
}

const (
	usualRate   = 10
	usualWindow = 600
	maxWindow   = 1 << 16

	lookFor   = 3 * time.Second        // a page counts as open this long after a request
	share     = 100                    // at most this part of the time is spent copying
	longest   = 5 * time.Second        // longest time until a frame is published nevertheless
	stillFrom = 300 * time.Millisecond // without a frame the world counts as paused
)

// ErrClock is the error of Options without a Clock.
var ErrClock = errors.New("it has no clock")

// An Inspector shows one world. [Inspector.Publish] belongs to the goroutine of the world's State;
// handlers run on any goroutine.
type Inspector struct {
	options  Options
	every    time.Duration // shortest time between published frames
	frames   frames
	times    times
	refusals refusals
	drawing  *drawing
	looked   atomic.Int64 // time of the last request, plus 1; 0: never
	called   atomic.Int64 // time of the last Publish
	next     time.Duration
	number   uint64 // of the last published frame
	skipped  atomic.Uint64
	copied   atomic.Int64 // duration of the last copy in nanoseconds
	client   atomic.Int64 // number of the client that a page asked for last, plus 1; 0: none
	streams  atomic.Int32
	columns  chan struct{} // an element per request that is being answered
	profiles atomic.Bool   // a profile is being taken
	closed   bool

	asks  asks
	token string // that edits come with

	course  course
	moments moments

	published bool // Publish was called: the sources may be asked
}

// New returns an inspector that shows the current world. It takes memory for three copies of the
// world's used bytes. The error wraps [ErrClock], [ErrControl], [systems.ErrMemory] or
// [world.ErrWalking].
func New(s world.State, o Options) (*Inspector, error) {
	if o.Clock == nil {
		return nil, fmt.Errorf("inspect: %w; set Options.Clock to world.Clock(time.Now)", ErrClock)
	}
	if o.Title == "" {
		o.Title = "flatecs"
	}
	if o.Rate <= 0 {
		o.Rate = usualRate
	}
	if o.Window <= 0 || o.Window > maxWindow {
		o.Window = usualWindow
	}
	o.Controls = slices.Clone(o.Controls)
	for _, c := range o.Controls {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	i := &Inspector{
		token: rand.Text(), drawing: newDrawing(o.Model),
		options: o, every: time.Second / time.Duration(o.Rate),
		columns: make(chan struct{}, maxColumns),
	}
	i.times.rings = rings{frames: make(ring, o.Window), work: make(ring, o.Window)}
	i.asks.more = make(chan struct{}, 1)
	i.course.shown = true
	i.course.paused = o.Paused && o.Past != nil
	if err := i.renew(s); err != nil {
		return nil, err
	}
	i.called.Store(int64(o.Clock() - stillFrom)) // no frame has ended
	i.say(s)
	return i, nil
}

// made returns i. It panics when i is nil, or was not made.
func (i *Inspector) made() *Inspector {
	if i == nil || i.options.Clock == nil {
		panic("inspect: this Inspector is nil, or was not made; make one by New")
	}
	return i
}

// renew makes slots for a world, and publishes it.
func (i *Inspector) renew(s world.State) error {
	all := make([]*frame, 3)
	for n := range all {
		all[n] = &frame{}
		if err := all[n].take(s); err != nil { // each, so that its memory is committed
			(&slots{all: all[:n+1]}).renew(nil)
			return err
		}
	}
	i.frames.renew(all)
	i.put(all[0], s)
	return nil
}

// Close waits for running requests, and releases the memory of the copies. Closing twice is
// allowed. Do not call Publish afterwards.
func (i *Inspector) Close() {
	i.made()
	i.closed = true
	i.frames.close()
	i.moments.renew(nil)
	i.course.end("")
}

// put makes what was copied the frame that readers see.
func (i *Inspector) put(f *frame, s world.State) {
	i.number++
	f.number, f.tick, f.at = i.number, world.Tick(s), i.options.Clock()
	if i.published {
		f.given = i.options.Sources.ask()
		if i.options.Client != nil {
			i.askClient(f)
		}
	}
	i.frames.put(f)
}

// Publish marks the end of a frame, and copies the world if a page is open and a new frame is due.
// It does not change the world. It allocates only for a world with other counts, which needs new
// slots. The error wraps [world.ErrWalking] or [systems.ErrMemory].
func (i *Inspector) Publish(s world.State) error {
	if i.made().closed {
		panic("inspect: Publish to an Inspector that was closed; make one by New")
	}
	now := i.options.Clock()
	i.published = true
	i.called.Store(int64(now))
	i.times.note(now, i.options.Schedule, i.options.Pipeline)
	if now < i.next || !i.watched(now) {
		return nil
	}
	return i.show(s, now)
}

// watched reports whether a page is open.
func (i *Inspector) watched(now time.Duration) bool {
	looked := i.looked.Load()
	return looked != 0 && now-time.Duration(looked) <= lookFor
}

// show copies the world for the page.
func (i *Inspector) show(s world.State, now time.Duration) error {
	f := i.frames.spare()
	if f == nil {
		i.skipped.Add(1)
		return nil
	}
	err := f.snapshot.Take(s)
	switch {
	case errors.Is(err, systems.ErrOther):
		return i.renew(s)
	case err != nil:
		return err
	}
	i.put(f, s)
	took := f.at - now
	i.copied.Store(int64(took))
	i.next = now + max(i.every, min(share*took, longest))
	i.course.shown = true
	return nil
}

// Job returns a job that carries out edits and publishes; put it at the end of a pipeline. It
// panics if there is a [Past], which needs calls of [Inspector.Turn] between steps.
func (i *Inspector) Job() schedule.Job {
	if i.made().options.Past != nil {
		panic("inspect: Job of an Inspector with a Past, which takes steps again; " +
			"call Turn before each step and Publish after it")
	}
	return schedule.Job{Name: "inspect", Do: func(s world.State) (world.State, error) {
		s = i.Edit(s)
		return s, i.Publish(s)
	}}
}
