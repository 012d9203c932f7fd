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
	reach    = 10 * 60                // steps in the past, if memory allows
	memory   = 300 << 20              // limit of the past
	released = 600 * time.Millisecond // since the last repeat of a key; terminals report no release
)

// Times are the past of a console's scene, and an optional second future.
type Times struct {
	console *Console
	play    *scene.Play
	past    *past.Past // nil: keys neither rewind nor fork
	pressed time.Time  // last press of the key that rewinds
	back    bool       // the last step went back
	spent   time.Duration
	rewound int // steps
	forks   int

	fork  bool         // as set by the key
	other *world.State // the second future; nil: none
}

// Remember enables rewinding and forking of a play whose world is s. Close releases the memory.
func (t *Times) Remember(p *scene.Play, s world.State) {
	t.play, t.past = p, past.New(s, reach, memory/max(world.Used(s), 1), p.Step)
	t.console.show()
}

// On reports whether keys can rewind and fork.
func (t *Times) On() bool { return t.past != nil }

// Close releases the past and the second future.
func (t *Times) Close() {
	if t.On() {
		t.join()
		t.past.Close()
		t.past = nil
	}
}

// Rewound returns the number of steps taken back, and of second futures.
func (t *Times) Rewound() (steps, forks int) { return t.rewound, t.forks }

func (t *Times) rewinds() bool { return t.On() && time.Since(t.pressed) < released }

// Step takes a step, in both futures if there are two; or goes a step back while that key is held,
// which ends the second future.
//
//flatecs:allow deterministic what a step takes is shown, and a key's age chooses between steps
func (t *Times) Step(s world.State, input scene.Input) world.State {
	begin := time.Now()
	if t.back = t.rewinds(); t.back {
		t.fork = false
		t.join()
		if now := t.past.Now(); now > t.past.Oldest() { // the world stops there
			s = t.past.Seek(s, now-1)
			t.rewound++
		}
		t.spent = time.Since(begin)
		t.console.show()
		return s
	}
	if t.fork != (t.other != nil) {
		t.part(s)
	}
	s = t.past.Step(s, input)
	if t.other != nil {
		var input scene.Input
		if pilot := t.play.Scene.Pilot; pilot != nil {
			input = pilot(*t.other)
		}
		*t.other = t.play.Step(*t.other, input)
	}
	t.console.Stepped(s, time.Since(begin))
	return s
}

// part starts or ends the second future.
func (t *Times) part(s world.State) {
	if !t.fork {
		t.join()
		return
	}
	other, err := world.Clone(s)
	if err != nil {
		t.fork, t.console.status.line = false, gap+"no fork: "+err.Error()
		t.console.show()
		return
	}
	if t.play.Scene.Fork != nil {
		other = t.play.Scene.Fork(other)
	} else {
		other, _ = world.NextStream(other)
	}
	t.other = &other
	t.forks++
}

// join ends the second future.
func (t *Times) join() {
	if t.other != nil {
		world.Close(*t.other)
		t.other = nil
		t.fill(term.Whole)
	}
}

func (t *Times) fill(part term.Part) {
	if canvas := t.console.canvas; canvas != nil {
		canvas.Fill(part)
	}
}

// Draw draws a frame: the world, or both futures side by side.
func (t *Times) Draw(s world.State) (world.State, render.Report, error) {
	view := t.console.View
	if t.other == nil {
		return view.Draw(s)
	}
	t.fill(term.LeftHalf)
	s, report, err := view.Draw(s)
	if err != nil {
		return s, report, err
	}
	t.fill(term.RightHalf)
	*t.other, report, err = view.Draw(*t.other)
	return s, report, err
}

// digests returns the digest of the world, or of both futures.
func (t *Times) digests(s world.State) string {
	if t.other == nil {
		return fmt.Sprintf("digest %016x", world.Digest(s))
	}
	return fmt.Sprintf("digests %08x… %08x…", world.Digest(s)>>32, world.Digest(*t.other)>>32)
}

// line describes the steps back.
func (t *Times) line() string {
	p := t.past
	return fmt.Sprintf(", rewinding%sstep %s of %s%s%.1f ms per step back",
		gap, grouped(int(p.Now())), grouped(int(p.Newest())), gap, t.spent.Seconds()*1000)
}
