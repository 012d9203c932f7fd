package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/flatecs/flatecs/layout"
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

	// Hunt plays random inputs in worlds of its own until a property does not hold, or time is
	// over, and returns what it found in words, such as the text of a hunt.Result. It is called on
	// any goroutine, once at a time. nil: none.
	Hunt func(property string, most time.Duration) (string, error)

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
)

// ErrClock is the error of Options without a Clock.
var ErrClock = errors.New("it has no clock")

// An Inspector shows one world. [Inspector.Publish] belongs to the goroutine of the world's State;
// handlers run on any goroutine.
type Inspector struct {
	options Options
	frames  *frames
	past    *past
	edits   *edits
	metrics *metrics
	site    *site
	trace   Trace
	closed  bool
}

// New returns an inspector that shows the current world. It takes memory for three copies of the
// world's used bytes. The error wraps [ErrClock], [ErrControl], [systems.ErrMemory] or
// [world.ErrWalking].
func New(s world.State, o Options) (*Inspector, error) {
	if o.Clock == nil {
		return nil, fmt.Errorf("inspect: %w; set Options.Clock to stage.Clock(time.Now)", ErrClock)
	}
	o.Title = cmp.Or(o.Title, "flatecs")
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
	i := &Inspector{options: o}
	i.frames = newFrames(&i.options)
	i.past = newPast(&i.options, i.frames)
	i.edits = &edits{&i.options, i.past}
	i.metrics = newMetrics(&i.options, i.frames)
	i.site = newSite(&i.options, i.past, i.edits, i.metrics, &i.trace)
	if o.Schedule != nil {
		i.trace.Attach(o.Schedule)
	}
	if err := i.frames.renew(s); err != nil {
		return nil, err
	}
	i.past.say(s)
	return i, nil
}

// mustBeOpen returns i. It panics if i is nil or was not created by [New].
func (i *Inspector) mustBeOpen() *Inspector {
	if i == nil || i.options.Clock == nil {
		panic("inspect: this Inspector is nil, or was not made; make one by New")
	}
	return i
}

// Close waits for running requests, and releases the memory of the copies. Closing twice is
// allowed. Do not call Publish afterwards.
func (i *Inspector) Close() {
	i.mustBeOpen().closed = true
	i.frames.close()
	i.past.close()
}

// open returns i. It panics if i is closed.
func (i *Inspector) open(call string) *Inspector {
	if i.mustBeOpen().closed {
		panic("inspect: " + call + " an Inspector that was closed; make one by New")
	}
	return i
}

// Publish marks the end of a frame, and copies the world if a page is open and a new frame is due.
// It does not change the world. It allocates only for a world with other counts, which needs new
// slots. The error wraps [world.ErrWalking] or [systems.ErrMemory].
func (i *Inspector) Publish(s world.State) error {
	now := i.open("Publish to").options.Clock()
	i.metrics.times.addFrame(now, i.options.Schedule, i.options.Pipeline)
	i.trace.Frame()
	return i.frames.publish(s, now)
}

// Job returns a job that carries out edits and publishes; put it at the end of a pipeline. It
// panics if there is a [Past], which needs calls of [Inspector.Turn] between steps.
func (i *Inspector) Job() schedule.Job {
	if i.mustBeOpen().options.Past != nil {
		panic("inspect: Job of an Inspector with a Past, which takes steps again; " +
			"call Turn before each step and Publish after it")
	}
	return schedule.Job{Name: "inspect", Do: func(s world.State) (world.State, error) {
		s = i.Edit(s)
		return s, i.Publish(s)
	}}
}

// Edit carries out the page's edits since the last call: it sets values of objects and resources,
// adds and removes components, and spawns and disposes objects. Without [Options.Edit] it does
// nothing. A refused edit changes nothing, and the page shows the reason. Edits are inputs from
// outside: do not allow them in a world that is recorded or shared with other players.
// [Inspector.Job] calls Edit before it publishes.
func (i *Inspector) Edit(s world.State) world.State {
	if !i.mustBeOpen().options.Edit {
		return s
	}
	return i.past.asks.doAll(s, false)
}

// Turn carries out the page's requests: it edits, opens frames of the past, or goes back to one.
// Call it before each step of a program with a [Past]. It returns the number of steps to take now:
// one, more to run fast, or none, after a short wait, while the program is paused or slowed.
func (i *Inspector) Turn(s world.State) (world.State, int) { return i.open("Turn of").past.turn(s) }

// Input returns the input of the next step. Call it once before each step, with the program's
// input. It returns that input or, after going back and if the page asks for it, the recorded input
// of the step. The result is valid until the next call.
func (i *Inspector) Input(input []byte) []byte { return i.mustBeOpen().past.input(input) }

// Refused counts the refusals in an error of the world: refused commands of an Apply, and calls
// that found a kind, or the game objects, full. The page and the metrics show the counts. Call it
// with any errors, on any goroutine; nil and other errors count nothing.
//
//	state, err = world.Apply(state)
//	inspector.Refused(err)
func (i *Inspector) Refused(err error) { i.mustBeOpen().metrics.refusals.count(err) }

// Metrics returns the figures of the newest frame, for programs that export them by other means. It
// returns the error of ctx, or an error if the inspector is closed.
func (i *Inspector) Metrics(ctx context.Context) (list []Metric, err error) {
	if ctx == nil {
		panic("inspect: Metrics without a context; give it context.Background()")
	}
	return i.mustBeOpen().metrics.all(ctx)
}

// Var returns the metrics as a variable for package expvar: a JSON object with a number for each
// sample, by its name in OpenMetrics. After Close it is empty.
//
//	expvar.Publish("flatecs", inspector.Var())
func (i *Inspector) Var() fmt.Stringer { return i.mustBeOpen().metrics }

// Handler returns a handler for the page and its data, under /debug/ecs.
func (i *Inspector) Handler() http.Handler { return i.mustBeOpen().site.handler() }

// Listen returns a listener for [Inspector.ServeListener]. An address without a host is on the
// loopback interface; port 0 is any free port. The error wraps [ErrAddress], or [ErrRemote] if
// other machines can reach the address and Options.Remote is not set.
func (i *Inspector) Listen(addr string) (net.Listener, error) {
	return i.mustBeOpen().site.guard().Listen(addr)
}

// Serve listens on an address and answers requests until ctx ends. It returns the errors of
// [Inspector.Listen] and [Inspector.ServeListener].
func (i *Inspector) Serve(ctx context.Context, addr string) error {
	l, err := i.Listen(addr)
	if err != nil {
		return err
	}
	return i.ServeListener(ctx, l)
}

// ServeListener answers requests until ctx ends, then closes l and returns nil.
func (i *Inspector) ServeListener(ctx context.Context, l net.Listener) error {
	return serve(ctx, l, i.Handler())
}
