package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Plan is a change that all shards carry out after the same tick; see [Propose].
type Plan struct {
	// Behaviour is the Options.Save.Behaviour of the build that continues; 0: the current build.
	// Each shard stores a snapshot and stops with a [BuildError].
	Behaviour uint32

	// X and Y are the new borders of Strips or of a Grid, in world units, ascending: one less than
	// the number of columns and rows. The borders of an empty region are equal; its shard waits
	// until the region grows again. If both are nil, the borders stay.
	X, Y []float32
}

func (p *Plan) moves() bool { return p.X != nil || p.Y != nil }

// A force is the configuration of a tick: the initial one, with the plans since.
type force struct {
	Behaviour uint32
	X, Y      []float32 // borders, if they were moved
}

// Propose makes all shards of a simulation carry out a plan after the same tick, which it returns:
// the first multiple of Options.Every that no shard has reached and that is not before the tick
// after. Shards need not be running. A proposal cannot be withdrawn; repeating it for the same
// tick, because the answer was lost, changes nothing.
//
// It returns [ErrPlan], wrapped, if the shards cannot carry out the plan, or there is no such
// simulation, and the errors of nats.go and of the context.
func Propose(
	ctx context.Context, nc *nats.Conn, name string, after uint64, p Plan,
) (tick uint64, err error) {
	if err := checkName(name); err != nil {
		return 0, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return 0, fmt.Errorf("shard: %w", err)
	}
	kv, err := js.KeyValue(ctx, name)
	if err != nil {
		return 0, fmt.Errorf("%w: simulation %q: %w", ErrPlan, name, err)
	}
	c, err := readCharter(ctx, kv)
	if err != nil {
		return 0, fmt.Errorf("%w: simulation %q: %w", ErrPlan, name, err)
	}
	if err := c.accepts(&p); err != nil {
		return 0, err
	}
	oldest, err := oldestOf(ctx, kv, c.Shards)
	if err != nil {
		return 0, err
	}
	after = max(after, oldest+1)
	b, err := json.Marshal(p)
	if err != nil {
		return 0, err
	}
	every := uint64(c.Every)
	for tick = (after + every - 1) / every * every; ; tick += every {
		_, err = js.Publish(ctx, planSubject(name, tick), b,
			jetstream.WithExpectLastSequencePerSubject(0))
		if code(err) == jetstream.JSErrCodeStreamWrongLastSequence {
			if there, err := isLast(ctx, js, name, tick, every, b); err != nil {
				return 0, err
			} else if !there {
				continue
			}
		} else if err != nil {
			return 0, err
		}
		// Plans for ticks before the older snapshots of all shards were removed: this plan came too
		// late.
		oldest, err := oldestOf(ctx, kv, c.Shards)
		if err != nil || oldest < tick {
			return tick, err
		}
	}
}

// isLast reports whether a plan is the last one that was stored for a tick: an answer may have been
// lost.
func isLast(
	ctx context.Context, js jetstream.JetStream, name string, tick, every uint64, plan []byte,
) (bool, error) {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return false, err
	}
	m, err := lastOf(ctx, stream, planSubject(name, tick))
	if m == nil || !bytes.Equal(m.Data, plan) {
		return false, err
	}
	later, err := lastOf(ctx, stream, planSubject(name, tick+every))
	return later == nil, err
}

// oldestOf returns the greatest tick that no shard's older snapshot precedes.
func oldestOf(ctx context.Context, kv jetstream.KeyValue, shards int) (oldest uint64, err error) {
	for shard := range shards {
		p, _, err := readPointer(ctx, kv, shard)
		if err != nil {
			return 0, err
		}
		if shard == 0 || p.Older < oldest {
			oldest = p.Older
		}
	}
	return oldest, nil
}

func planSubject(name string, tick uint64) string { return fmt.Sprintf("%s.p.%d", name, tick) }

// accepts returns an error if shards cannot carry out a plan.
func (c *charter) accepts(p *Plan) error {
	if p.Behaviour == 0 && !p.moves() {
		return fmt.Errorf("%w: it is empty; give it a Behaviour, X or Y", ErrPlan)
	}
	if !p.moves() {
		return nil
	}
	if c.X == nil || len(p.X) != len(c.X) || len(p.Y) != len(c.Y) {
		return fmt.Errorf("%w: it has %d borders of x and %d of y, and the simulation began with "+
			"%v and %v; only those of Strips and Grid can be moved",
			ErrPlan, len(p.X), len(p.Y), c.X, c.Y)
	}
	if c.MaxStep == 0 {
		return fmt.Errorf("%w: it moves borders, and Reach.MaxStep is not given, so that no "+
			"width is known to be enough; begin the simulation with one", ErrPlan)
	}
	for _, borders := range [][]float32{p.X, p.Y} {
		a := axisOf(borders)
		if !a.isFinite() {
			return fmt.Errorf("%w: borders %v are not numbers", ErrPlan, borders)
		}
		if !slices.IsSorted(a) || !c.fits(a) {
			return fmt.Errorf("%w: borders %v do not ascend by 0 or by more than %g: the border "+
				"of Options, %g, MaxStep, %g, and what is rounded",
				ErrPlan, borders, c.Border+c.MaxStep, c.Border, c.MaxStep)
		}
	}
	return nil
}

// fits reports whether the parts of an axis are wide enough: in one tick, no object may cross a
// region, or reach a place where a shard that is not a neighbour sees it.
func (c *charter) fits(a axis) bool {
	least, slack := float64(c.Border)+float64(c.MaxStep), 0.0
	for _, v := range a {
		slack = max(slack, 2*slackAt(math.Abs(v)+least))
	}
	return float64(a.width()) > least+slack
}

// A BuildError reports that another build must continue a shard: a program whose
// Options.Save.Behaviour is Behaviour. It wraps [ErrBuild].
type BuildError struct {
	Shard     int
	Tick      uint64 // the last tick of the shard
	Behaviour uint32 // of the build that continues
}

// Error returns a message that names the build.
func (e *BuildError) Error() string {
	return fmt.Sprintf("%v: shard %d goes on from tick %d with behaviour %d; start that build",
		ErrBuild, e.Shard, e.Tick, e.Behaviour)
}

// Unwrap returns [ErrBuild].
func (e *BuildError) Unwrap() error { return ErrBuild }

// agree carries out the plan for the completed tick. The first shard that arrives stores the
// decision, and all others read it.
func (s *Shard) agree(ctx context.Context) error {
	sealed, err := s.wire.publish(ctx, planSubject(s.o.Name, s.tick), []byte("{}"))
	if err != nil {
		return err
	}
	var p Plan
	if err := json.Unmarshal(sealed, &p); err != nil {
		return fmt.Errorf("%w: plan of tick %d: %q", ErrMessage, s.tick, sealed)
	}
	if p.moves() {
		if err := s.move(ctx, &p); err != nil {
			return err
		}
	}
	if p.Behaviour == 0 || p.Behaviour == s.force.Behaviour {
		return s.keeper.offer(s.ctx, s.state, s.tick, s.force)
	}
	s.force.Behaviour = p.Behaviour
	if err := s.keeper.insist(ctx, s.state, s.tick, s.force); err != nil {
		return err
	}
	return s.checkBuild()
}

// checkBuild returns an error if another build must continue.
func (s *Shard) checkBuild() error {
	if s.force.Behaviour == s.o.Save.Behaviour {
		return nil
	}
	return &BuildError{Shard: s.o.Shard, Tick: s.tick, Behaviour: s.force.Behaviour}
}

// move moves the borders: objects that are in another region now go there directly, and then the
// shards show each other their objects along the new borders.
func (s *Shard) move(ctx context.Context, p *Plan) error {
	s.keeper.work.Wait() // it reads the neighbours
	old := s.o.Partition
	next := s.withBorders(p.X, p.Y)
	moving := s.o
	moving.Partition, moving.Reach.Radius, moving.Reach.Border = next, -1, -1 // no ghosts
	moving.Reach.MaxStep = 0                                                  // no limit
	moving.Partition.Neighbours = func(shard int) []int { return old.peers(&next, shard) }
	s.use(&moving)
	s.split.families.open(s.state)
	if err := s.exchange(ctx, s.tick, 1); err != nil {
		return err
	}
	s.setBorders(p.X, p.Y)
	s.use(&s.o)
	s.split.families.open(s.state)
	s.o.Log.Info("borders moved", "tick", s.tick, "x", p.X, "y", p.Y)
	return s.exchange(ctx, s.tick, 2)
}

// withBorders returns the partition with other borders.
func (s *Shard) withBorders(x, y []float32) Partition { return between(axisOf(x), axisOf(y)) }

// setBorders changes the partition.
func (s *Shard) setBorders(x, y []float32) {
	s.o.Partition = s.withBorders(x, y)
	s.force.X, s.force.Y = x, y
	s.keeper.neighbours = s.o.Partition.Neighbours(s.o.Shard)
}

// use replaces the splitter.
func (s *Shard) use(o *Options) {
	s.split = newSplitter(o)
	s.bodies = make([][]byte, len(s.split.borders))
}
