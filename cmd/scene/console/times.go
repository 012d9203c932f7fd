package console

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/past"
	"github.com/flatecs/flatecs/world"
)

const (
	reach    = 10 * 60                // steps that the past holds, if memory allows
	memory   = 300 << 20              // bytes of it
	released = 600 * time.Millisecond // after the last repeat of a key; terminals report no release
)

// The times of a console are the past of its scene, and a second future.
type times struct {
	play    *scene.Play
	past    *past.Past // nil: keys neither rewind nor fork
	pressed time.Time  // when the key that rewinds came last
	back    bool       // the last step was one back
	spent   time.Duration
	rewound int // steps
	forks   int

	fork   bool         // as the key says
	other  *world.State // the second future; nil: there is one
	failed error        // why there is none
}

// Remember has keys rewind and fork a play whose world is s. [Console.Forget] gives back the memory.
func (c *Console) Remember(p *scene.Play, s world.State) {
	c.times = times{play: p, past: past.New(s, reach, memory/max(world.Used(s), 1), p.Step)}
	c.show()
}

// Remembers reports whether keys rewind and fork.
func (c *Console) Remembers() bool { return c.times.past != nil }

// Forget releases the past and the second future.
func (c *Console) Forget() {
	if c.Remembers() {
		c.join()
		c.times.past.Close()
		c.times.past = nil
	}
}

// Rewound returns how many steps were taken back, and how many second futures there were.
func (c *Console) Rewound() (steps, forks int) { return c.times.rewound, c.times.forks }

func (c *Console) rewinds() bool {
	return c.Remembers() && time.Since(c.times.pressed) < released
}

// Step takes a step of what Remember was given, in both futures where there are two; or a step back
// while the key for it is held, which ends the second future.
func (c *Console) Step(s world.State, input scene.Input) world.State {
	t := &c.times
	begin := time.Now()
	if t.back = c.rewinds() && t.past.Now() > t.past.Oldest(); t.back {
		t.fork = false
		c.join()
		s = t.past.Seek(s, t.past.Now()-1)
		t.rewound++
		t.spent = time.Since(begin)
		c.show()
		return s
	}
	if t.fork != (t.other != nil) {
		c.part(s)
	}
	s = t.past.Step(s, input)
	if t.other != nil {
		other := c.piloted(0, *t.other)
		*t.other = t.play.Step(*t.other, other)
	}
	c.Stepped(s, time.Since(begin))
	return s
}

// piloted adds the scene's pilot.
func (c *Console) piloted(input scene.Input, s world.State) scene.Input {
	if pilot := c.scene.Pilot; pilot != nil {
		input |= pilot(s)
	}
	return input
}

// part begins the second future, or ends it.
func (c *Console) part(s world.State) {
	t := &c.times
	if !t.fork {
		c.join()
		return
	}
	other, err := world.Clone(s)
	if err != nil {
		t.fork, t.failed = false, err
		return
	}
	if c.scene.Fork != nil {
		other = c.scene.Fork(other)
	} else {
		other, _ = world.NextStream(other)
	}
	t.other = &other
	t.forks++
}

// join ends the second future.
func (c *Console) join() {
	if t := &c.times; t.other != nil {
		world.Close(*t.other)
		t.other = nil
		c.fill(term.Whole)
	}
}

func (c *Console) fill(part term.Part) {
	if c.canvas != nil {
		c.canvas.Fill(part)
	}
}

// Draw draws a frame: the world, or both futures beside each other.
func (c *Console) Draw(s world.State) (world.State, render.Report, error) {
	other := c.times.other
	if other == nil {
		return c.View.Draw(s)
	}
	c.fill(term.LeftHalf)
	s, report, err := c.View.Draw(s)
	if err != nil {
		return s, report, err
	}
	c.fill(term.RightHalf)
	*other, report, err = c.View.Draw(*other)
	return s, report, err
}

// digests returns the world's digest, or those of both futures.
func (c *Console) digests(s world.State) string {
	if c.times.other == nil {
		return fmt.Sprintf("digest %016x", world.Digest(s))
	}
	return fmt.Sprintf("digests %08x… %08x…",
		world.Digest(s)>>32, world.Digest(*c.times.other)>>32)
}

// rewound describes the steps back.
func (c *Console) rewound() string {
	p := c.times.past
	return fmt.Sprintf(", rewinding%sstep %s of %s%s%.1f ms per step back",
		gap, grouped(int(p.Now())), grouped(int(p.Newest())), gap, c.times.spent.Seconds()*1000)
}
