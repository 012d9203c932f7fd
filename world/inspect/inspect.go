package inspect

import (
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// Options say what an inspector shows, and to whom. Clock is needed; the rest may be left out.
type Options struct {
	Title string // of the page; "flatecs" when empty

	// Clock tells the time since any moment, from several goroutines at once, such as
	// loop.Clock(time.Now).
	Clock func() time.Duration

	Schedule *schedule.Schedule // whose jobs' times are shown; it needs a Clock of its own
	Pipeline string             // of Schedule

	Rate   int // frames published a second at most, while somebody looks; 0: 10
	Window int // frames whose times are kept; 0: 600

	Sources Sources // of metrics that only the program knows

	// Edit lets whoever reaches the page set values, and spawn and dispose objects. The program
	// calls [Inspector.Edit], or has [Inspector.Job] in its pipeline, which does.
	Edit bool

	// Hosts are names, beside those of this machine, that requests may be addressed to.
	Hosts []string

	// Remote lets other machines in: [Inspector.Listen] takes addresses of any network, and
	// requests may be addressed to any numeric one. Whoever reaches it sees all of the world.
	Remote bool
}

const (
	usualRate   = 10
	usualWindow = 600
	maxWindow   = 1 << 16

	lookFor   = 3 * time.Second        // after a request somebody is looking
	share     = 100                    // of the time, one part at most is spent copying
	longest   = 5 * time.Second        // that a frame waits to be published for that
	stillFrom = 300 * time.Millisecond // without a frame the world stands still
)

// ErrClock is the error of options without a clock.
var ErrClock = errors.New("it has no clock")

// An Inspector shows one world. [Inspector.Publish] belongs to the goroutine of the world's State;
// handlers run on any.
type Inspector struct {
	options  Options
	every    time.Duration // from one frame published to the next, at least
	frames   frames
	times    times
	refusals refusals
	looked   atomic.Int64 // when somebody last did, by the clock, plus 1; 0: never
	called   atomic.Int64 // when Publish last was
	next     time.Duration
	number   uint64 // of the frame published last
	skipped  atomic.Uint64
	copied   atomic.Int64 // how long the last copy took, in nanoseconds
	streams  atomic.Int32
	columns  chan struct{} // an element for each that is being answered
	profiles atomic.Bool   // one is being taken
	closed   bool

	edits edits
	token string // that edits come with

	published bool // Publish was called: the sources may be asked
}

// New returns an inspector of a world, which shows it as it is now. It takes memory for three
// copies of what the world uses. The error wraps [ErrClock], [world.ErrMemory] or
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
	i := &Inspector{
		token:   rand.Text(),
		options: o, every: time.Second / time.Duration(o.Rate),
		columns: make(chan struct{}, maxColumns),
	}
	i.times.rings = newRings(o.Window)
	if err := i.renew(s); err != nil {
		return nil, err
	}
	i.called.Store(int64(o.Clock() - stillFrom)) // no frame has ended
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
	slots := make([]*frame, 3)
	for n := range slots {
		p, err := world.NewSnapshot(s)
		if err == nil {
			slots[n] = &frame{snapshot: p}
			err = p.Take(s) // each, so that its memory is there when it is needed
		}
		if err != nil {
			for _, f := range slots {
				if f != nil {
					f.snapshot.Close()
				}
			}
			return fmt.Errorf("inspect: %w", err)
		}
	}
	i.frames.renew(slots)
	i.put(slots[0], s)
	return nil
}

// Close gives the memory of i's copies back; a request that is being answered goes on. It may be
// called again. Nothing may be published then.
func (i *Inspector) Close() {
	i.made()
	i.closed = true
	i.frames.close()
}

// put makes what was copied the frame that readers see.
func (i *Inspector) put(f *frame, s world.State) {
	i.number++
	f.number, f.tick, f.at = i.number, world.Tick(s), i.options.Clock()
	if i.published {
		f.given = i.options.Sources.ask()
	}
	i.frames.put(f)
}

// Publish notes that a frame has ended, and, when somebody looks and a new frame is due, copies the
// world. s is as it was. A world of other counts takes new slots, which allocates; nothing else
// does. The error wraps [world.ErrWalking] or [world.ErrMemory].
func (i *Inspector) Publish(s world.State) error {
	if i.made().closed {
		panic("inspect: Publish to an Inspector that was closed; make one by New")
	}
	now := i.options.Clock()
	i.published = true
	i.called.Store(int64(now))
	i.times.note(now, i.options.Schedule, i.options.Pipeline)
	looked := i.looked.Load()
	if looked == 0 || now-time.Duration(looked) > lookFor || now < i.next {
		return nil
	}
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
		return fmt.Errorf("inspect: %w", err)
	}
	i.put(f, s)
	took := f.at - now
	i.copied.Store(int64(took))
	i.next = now + max(i.every, min(share*took, longest))
	return nil
}

// Job returns a job that carries out edits and publishes; put it at the end of a pipeline.
func (i *Inspector) Job() schedule.Job {
	i.made()
	return schedule.Job{Name: "inspect", Do: func(s world.State) (world.State, error) {
		s = i.Edit(s)
		return s, i.Publish(s)
	}}
}
