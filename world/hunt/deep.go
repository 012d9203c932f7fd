package hunt

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// repeats is the number of ticks that a deep check repeats.
const repeats = 20

// A deep is the data of a player for deep checks.
type deep struct {
	here    *world.Snapshot // the checked state
	crowd   *player         // a player with eight workers; nil: the game has no jobs
	file    bytes.Buffer
	inputs  []byte
	digests []uint64
}

func (d *deep) close() {
	d.here.Close()
	if d.crowd != nil {
		d.crowd.close()
	}
}

// deeply runs the deep checks on a state between two ticks, and returns to that state afterwards.
// If a tick fails, it stays there, and also returns the inputs that led there.
func (p *player) deeply() (found *fault, then []byte) {
	if p.deep == nil {
		p.deep = &deep{here: world.Must(world.NewSnapshot(p.state))}
		found = p.caught(func(*int) (f *fault) {
			var err error
			if p.game.Jobs == nil {
				return nil
			} else if p.deep.crowd, err = newPlayer(p.game, nil, 8, all); err != nil {
				f = &fault{property: noError, err: err}
			}
			return f
		})
		if found != nil {
			return found, nil
		}
	}
	d := p.deep
	if err := d.here.Take(p.state); err != nil {
		return &fault{property: noError, err: err}, nil
	}
	found = p.caught(func(*int) *fault { return p.still() })
	if found == nil {
		if found = p.future(d); found != nil && !found.deep {
			return found, d.inputs[:found.tick*p.game.size()]
		}
	}
	if found == nil {
		found = p.caught(func(*int) *fault { return p.repeated(d) })
	}
	p.restore(d.here)
	if found != nil {
		found.deep, found.tick = true, 0
	}
	return found, nil
}

// still runs the deep checks that need no further tick.
func (p *player) still() *fault {
	if err := tool.Verify(p.state); err != nil {
		return &fault{property: consistent, err: err}
	}
	return p.unchanged(slices.Concat(p.game.Always, p.game.Rarely))
}

// unchanged checks properties, and that checking them changes nothing.
func (p *player) unchanged(list []Property) *fault {
	digest := world.Digest(p.state)
	for i := range list {
		f := p.holds(list[i:i+1], p.want[i:])
		if world.Digest(p.state) != digest {
			err := errors.New("it changes the world that it checks; walk queries that read")
			return &fault{property: list[i].name, err: err, deep: true}
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// future plays some ticks, and stores the digest after each.
func (p *player) future(d *deep) *fault {
	size := p.game.size()
	d.inputs, d.digests = d.inputs[:0], d.digests[:0]
	r := systems.NewStream(1, 2) // the same sequence at each check
	return p.caught(func(done *int) *fault {
		for range repeats {
			*done++
			d.inputs = append(d.inputs, make([]byte, size)...)
			input := d.inputs[len(d.inputs)-size:]
			p.game.draw(&r, p.state, input)
			f := p.tick(input)
			if f == nil { // first, because a property may write what the next one would
				f = p.unchanged(p.game.Always)
			}
			if f != nil {
				return f
			}
			d.digests = append(d.digests, world.Digest(p.state))
		}
		return nil
	})
}

// repeated repeats those ticks: after a rollback, in a saved and loaded world, and with several
// goroutines.
func (p *player) repeated(d *deep) *fault {
	p.restore(d.here)
	if f := p.compare(d, rolledBack); f != nil {
		return f
	}
	p.restore(d.here)
	d.file.Reset()
	if err := save.Write(&d.file, p.state, save.Options{}); err != nil {
		return &fault{property: loaded, err: err}
	}
	b := d.file.Bytes()
	counts := world.CountsOf(p.state)
	s, _, err := save.Read(bytes.NewReader(b), int64(len(b)), counts, save.Options{})
	if err != nil {
		return &fault{property: loaded, err: err}
	}
	before := p.state
	p.state = s
	f := p.compare(d, loaded)
	systems.Discard(p.state)
	p.state = before
	if f != nil || d.crowd == nil {
		return f
	}
	d.crowd.restore(d.here)
	return d.crowd.compare(d, workers)
}

// compare repeats the ticks of future, and compares the digests.
func (p *player) compare(d *deep, property string) *fault {
	size := p.game.size()
	for t, want := range d.digests {
		if f := p.tick(d.inputs[t*size : (t+1)*size]); f != nil {
			err := fmt.Errorf("tick %d of %d: %w", t+1, repeats, f.err)
			return &fault{property: property, err: err}
		}
		if world.Digest(p.state) != want {
			return &fault{property: property, err: p.differs(d, t)}
		}
	}
	return nil
}

// differs returns the differences from the state after the first t+1 ticks of future.
func (p *player) differs(d *deep, t int) error {
	size := p.game.size()
	first := world.Must(world.Clone(p.state))
	defer func() { systems.Discard(first) }()
	one := *p
	one.state = first
	one.restore(d.here)
	for i := range t + 1 {
		_ = one.tick(d.inputs[i*size : (i+1)*size])
	}
	first = one.state
	diff, differ, err := tool.FirstDifference(first, p.state)
	switch {
	case err != nil:
		return err
	case !differ:
		return fmt.Errorf("after %d ticks the digests differ, and in a third try they do not", t+1)
	}
	return fmt.Errorf("after %d ticks: %v", t+1, diff)
}

// draw writes the input of the next tick. The input must be zeroed.
func (g *Game) draw(r *world.Stream, s world.State, input []byte) {
	if g.Play != nil {
		g.Play(r, s, input[:g.Inputs])
		return
	}
	for i := range input[:g.Inputs] {
		input[i] = byte(r.Uint64())
	}
}
