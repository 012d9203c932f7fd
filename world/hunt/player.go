package hunt

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/schedule"
)

// A player plays a game in one world.
type player struct {
	game     *Game
	jobs     []schedule.Job
	state    world.State
	first    *world.Snapshot // before the first tick
	schedule *schedule.Schedule
	want     []int64 // for Always, then for Rarely
	ticks    int64
	deep     *deep // created on first use
}

// A fault is a violated property.
type fault struct {
	property string
	err      error
	place    string // for a panic
	deep     bool   // found by a deep check
	tick     int    // number of inputs played
}

// like reports whether two faults may have the same cause. Different deep checks may notice the
// same nondeterministic tick.
func (f *fault) like(g *fault) bool {
	repeats := func(name string) bool {
		return name == rolledBack || name == loaded || name == workers
	}
	return f.deep == g.deep && f.place == g.place &&
		(f.property == g.property || f.deep && repeats(f.property) && repeats(g.property))
}

// Names of properties that hold in every game.
const (
	noPanic    = "no panic"
	noError    = "no error"
	consistent = "consistent bytes"
	rolledBack = "the same after a rollback"
	loaded     = "the same after saving and loading"
	workers    = "the same with eight workers"
)

const pipeline = "tick" // the name of a tick's jobs

const all = 1 << 30 // no limit of jobs

// newPlayer creates a world without some of its objects, and a player. Its jobs run on the given
// number of workers, and only the first only jobs run.
func newPlayer(g *Game, without []world.GameObject, workers, only int) (*player, error) {
	p := &player{game: g}
	err := p.begin(without)
	if g.Jobs != nil {
		p.jobs = g.Jobs()
		p.jobs = p.jobs[:min(only, len(p.jobs))]
	}
	if err == nil && len(p.jobs) > 0 {
		p.schedule, err = scheduleOf(p.jobs, workers)
	}
	if err == nil {
		err = p.measure()
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// measure stores the values that must stay the same. It returns an error if a property does not
// hold in the first world.
func (p *player) measure() error {
	f := p.caught(func(*int) *fault {
		all := slices.Concat(p.game.Always, p.game.Rarely)
		for i := range all {
			p.want = append(p.want, all[i].begin(p.state))
		}
		return p.holds(all, p.want)
	})
	if f == nil {
		return nil
	}
	return fmt.Errorf("hunt: in the first world, before any tick: %s: %w", f.property, f.err)
}

// begin creates the first world, without some of its objects.
func (p *player) begin(without []world.GameObject) (err error) {
	if p.state, err = p.game.New(); err != nil {
		return fmt.Errorf("hunt: Game.New: %w", err)
	}
	for _, id := range without {
		if p.state, err = world.Dispose(p.state, id); err != nil {
			return fmt.Errorf("hunt: an object that is left out: %w", err)
		}
	}
	p.first, err = program.Snapshot(p.state)
	return err
}

func scheduleOf(jobs []schedule.Job, workers int) (*schedule.Schedule, error) {
	s := schedule.New(workers)
	group := schedule.Group{Name: "all jobs of a tick"}
	for _, j := range jobs {
		group.Elements = append(group.Elements, j.Name)
	}
	err := s.Register(schedule.Pipeline{
		Name: pipeline, Groups: []schedule.Group{group}, Jobs: jobs,
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (p *player) close() {
	systems.Discard(p.state)
	if p.first != nil {
		p.first.Close()
	}
	if p.schedule != nil {
		p.schedule.Close()
	}
	if p.deep != nil {
		p.deep.close()
	}
}

// restore restores a state of the game.
func (p *player) restore(from *world.Snapshot) {
	f := p.caught(func(*int) (f *fault) {
		var err error
		if p.state, err = world.Restore(p.state, from); err != nil {
			f = &fault{err: err}
		}
		return f
	})
	if f != nil { // after a panic, when the world is within a step or its State is stale
		systems.Discard(p.state)
		p.state = world.Must(world.Clone(from.State()))
	}
}

// tick plays a tick.
func (p *player) tick(input []byte) *fault {
	var err error
	p.ticks++
	if p.game.Step != nil {
		if p.state, err = p.game.Step(p.state, input[:p.game.Inputs]); err != nil {
			return &fault{property: noError, err: err}
		}
	}
	if p.schedule != nil {
		if p.state, err = p.schedule.Run(p.state, pipeline); err != nil {
			return &fault{property: noError, err: err}
		}
	}
	return nil
}

// holds checks properties.
func (p *player) holds(list []Property, want []int64) *fault {
	for i := range list {
		if err := list[i].in(p.state, want[i]); err != nil {
			return &fault{property: list[i].name, err: err}
		}
	}
	return nil
}

// tickChecked plays a tick and checks the properties of Always.
func (p *player) tickChecked(input []byte) *fault {
	if f := p.tick(input); f != nil {
		return f
	}
	return p.holds(p.game.Always, p.want)
}

// play plays inputs from the current state until the first fault.
func (p *player) play(inputs []byte) *fault {
	return p.caught(func(done *int) *fault {
		for input := range slices.Chunk(inputs, p.game.size()) {
			*done++
			if f := p.tickChecked(input); f != nil {
				return f
			}
		}
		return nil
	})
}

// caught calls f, and turns its panics, and the exit of its goroutine, into faults. f reports the
// number of ticks played.
func (p *player) caught(f func(done *int) *fault) (found *fault) {
	done := 0
	if v := program.Caught("hunt", func() { found = f(&done) }); v != nil {
		found = panicked(v)
		systems.Discard(p.state)
		p.state = world.Must(world.Clone(p.first.State()))
	}
	if found != nil && found.tick == 0 {
		found.tick = done
	}
	return found
}

// panicked returns the message of a panic, and its place.
func panicked(v *systems.PanicError) *fault {
	const most = 4 // lines: the panicking function and its caller
	lines := strings.SplitN(strings.TrimSpace(v.Stack), "\n", most+1)
	lines = lines[:min(len(lines), most)]
	text := program.Said(v) + "\n" + strings.Join(lines, "\n")
	f := &fault{property: noPanic, err: errors.New(text)}
	if len(lines) > 1 {
		f.place = strings.TrimSpace(lines[1]) // file and line
	}
	return f
}
