package shard

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A Shard runs one region of a simulation. It belongs to one goroutine.
type Shard struct {
	o      Options
	state  world.State
	tick   uint64
	force  force
	split  *splitter
	parts  []tool.Part // of resources
	wire   *wire       // nil: alone
	keeper *keeper
	bodies [][]byte
	stats  Stats
	err    error // why the shard stopped
	closed bool
	ctx    context.Context
	cancel context.CancelFunc
}

// Start starts a shard: it takes the lease, and reads the last snapshot. Without a snapshot it
// creates the world, and calls Populate to create the objects at points for which the function owns
// returns true. Every object needs a global id.
//
// If another process holds the lease, Start waits for the duration of a lease; it returns
// [ErrHeld], wrapped, if the lease was renewed. A process with the same Holder is replaced
// immediately: use a name only if the supervisor knows that the last process ended. Without a name
// Start draws one.
//
// The connection may be nil if there is only one shard; then nothing is stored, and there are no
// leases. Close the shard after use. Start returns the errors of this package, wrapped, and those
// of Populate, the context and packages world, save and nats.
func Start(ctx context.Context, nc *nats.Conn, o Options) (*Shard, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if nc == nil && o.Partition.Shards > 1 {
		return nil, fmt.Errorf("%w: %d shards need a connection; see Connect", ErrOptions,
			o.Partition.Shards)
	}
	s := &Shard{o: o, force: force{Behaviour: o.Save.Behaviour}}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.use(&s.o)
	err := s.begin(ctx, nc)
	if err != nil {
		s.err = err
		s.Close()
		return nil, err
	}
	return s, nil
}

// resources lists the parts of the world that all shards share.
func (s *Shard) resources() (parts []tool.Part) {
	for _, p := range tool.Parts(s.state) {
		named := func(r world.ResourceKind) bool { return r.String() == p.Kind.Name }
		if p.Field != nil && slices.ContainsFunc(s.o.Counts.Resources, named) {
			parts = append(parts, p)
		}
	}
	return parts
}

// common returns the digest of the data that all shards share.
func (s *Shard) common() uint64 {
	h := xxh3.Hash([]byte(s.o.Name))
	mix := func(b []byte) { h = xxh3.HashSeed(b, h) }
	for i := range s.parts {
		if f := s.parts[i].Field; f.List != nil { // the place of a list differs between shards
			mix(tool.Elements(s.state, f, 0))
			continue
		}
		mix(tool.Used(s.state, &s.parts[i]))
	}
	for _, v := range []uint64{
		world.Tick(s.state), s.o.Counts.Seed, uint64(s.o.Partition.Shards),
		uint64(math.Float32bits(s.o.Reach.Radius)), uint64(math.Float32bits(s.o.Reach.border())),
		uint64(s.o.Save.Behaviour), uint64(math.Float32bits(s.o.Reach.MaxStep)),
	} {
		mix(little.AppendUint64(nil, v))
	}
	for _, v := range slices.Concat(s.o.Partition.x, s.o.Partition.y) {
		mix(little.AppendUint64(nil, math.Float64bits(v)))
	}
	return h
}

// Step does one tick: it stores the input and applies it, runs the schedule, and exchanges objects
// with the neighbours. Step returns the errors of this package, wrapped, and those of the schedule,
// of Apply and of the context. A [BuildError] is the result of a [Plan]; [world.ErrFull] means that
// Counts have too little room. After an error the shard has stopped: close it. A shard that is
// started again continues from its last snapshot.
func (s *Shard) Step(ctx context.Context) error {
	s.open("Step")
	if s.err != nil {
		return s.err
	}
	s.err = s.reason(ctx, s.step(ctx))
	switch {
	case errors.Is(s.err, ErrBuild):
		s.o.Log.Info("ended for another build", "tick", s.tick, "error", s.err)
	case s.err != nil:
		s.o.Log.Error("stopped", "tick", s.tick, "error", s.err)
	}
	return s.err
}

// reason returns that another process took the shard over, or that the store went back, where that
// is why err arose: the other one removes messages that only this one still needs.
func (s *Shard) reason(ctx context.Context, err error) error {
	if !errors.Is(err, ErrLost) && !errors.Is(err, ErrSilent) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	if fenced := s.wire.lease.renew(ctx); errors.Is(fenced, ErrFenced) ||
		errors.Is(fenced, ErrBack) {
		return fenced
	}
	return err
}

func (s *Shard) step(ctx context.Context) (err error) {
	begin := time.Now()
	if err := s.input(ctx, s.tick+1); err != nil {
		return err
	}
	at := time.Now()
	before := s.state
	s.state = world.State{} // a panic of a job leaves it stale
	if s.state, err = s.o.Schedule.Run(before, s.o.Pipeline); err != nil {
		return err
	}
	step := time.Since(at)
	if err := s.exchange(ctx, s.tick+1, 0); err != nil {
		return err
	}
	s.tick++
	s.stats.Ticks++
	s.stats.Step += step
	s.stats.Exchange += time.Since(begin) - step
	if s.keeper != nil && s.tick%uint64(s.o.Every) == 0 {
		return s.agree(ctx)
	}
	return nil
}

// input stores and applies the input of a tick.
func (s *Shard) input(ctx context.Context, tick uint64) (err error) {
	if s.o.Input == nil {
		return nil
	}
	b := s.o.Input(tick)
	if s.wire != nil {
		if b, err = s.wire.seal(ctx, tick, b); err != nil {
			return err
		}
	}
	if s.state, err = s.o.Apply(s.state, b); err != nil {
		return fmt.Errorf("shard: input of tick %d: %w", tick, err)
	}
	return nil
}

// checked returns s. It panics if s is nil.
func (s *Shard) checked() *Shard {
	if s == nil {
		panic("shard: a nil *Shard; use what Start returned, if it returned no error")
	}
	return s
}

// open panics if the shard is closed.
func (s *Shard) open(function string) {
	if s.checked().closed {
		panic("shard: " + function + " of a Shard that was closed; call it before Close")
	}
}

// Run steps until the given number of ticks since tick 0 is complete. It returns the errors of
// [Shard.Step].
func (s *Shard) Run(ctx context.Context, ticks uint64) error {
	s.open("Run")
	for s.tick < ticks {
		if err := s.Step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Tick returns the number of ticks that the world has completed.
func (s *Shard) Tick() uint64 { return s.checked().tick }

// Partition returns the current partition: the one of [Options], with the borders of the last
// [Plan].
func (s *Shard) Partition() Partition { return s.checked().o.Partition }

// State returns the world between two steps, for reading.
func (s *Shard) State() world.State {
	s.open("State")
	return s.state
}

// Digest returns a digest of the shard's objects without ghosts, and their number: modulo 2⁶⁴, the
// sum over all shards is the digest of a single shard with all objects.
func (s *Shard) Digest() (sum uint64, objects int, err error) {
	s.open("Digest")
	sum, err = s.split.all.DigestObjects(s.state, own)
	return sum, own.Count(s.state), err
}

// Close waits for a snapshot that is being written, releases the lease, and closes the world.
// Closing twice is allowed.
func (s *Shard) Close() {
	if s.checked().closed {
		return
	}
	s.closed = true
	limit := callLimit
	if s.err != nil {
		s.cancel() // the server may be unreachable
		limit = time.Second
	}
	if s.keeper != nil {
		s.keeper.close()
	}
	s.cancel()
	if s.wire != nil {
		s.wire.close()
		s.wire.lease.release(limit)
	}
	if s.state != (world.State{}) {
		world.Close(s.state)
	}
}

// exchange sends leavers and ghosts to the neighbours, and receives theirs. A tick that moves
// borders has three rounds.
func (s *Shard) exchange(ctx context.Context, tick uint64, round uint32) (err error) {
	h := header{common: s.common(), tick: tick, round: round}
	if s.state, err = s.split.split(s.state); err != nil {
		return err
	}
	if s.wire == nil {
		return nil
	}
	s.wire.expect(tick)
	if err := s.swap(ctx, h); err != nil {
		return err
	}
	s.stats.Left += len(s.split.gone)
	s.state, err = s.split.arrive(s.state, s.bodies)
	s.stats.Arrived += s.split.arrived
	return err
}

// swap sends a message to each neighbour, and waits for theirs.
func (s *Shard) swap(ctx context.Context, h header) error {
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(s.split.borders)+1)
	took := make([]time.Duration, len(errs))
	begin := time.Now()
	for i := range s.split.borders {
		b, h := &s.split.borders[i], h
		h.to = uint32(b.shard)
		s.stats.Sent += len(b.body)
		work.Go(func() {
			if errs[i] = s.wire.send(ctx, h, b.body); errs[i] != nil {
				cancel()
			}
			took[i] = time.Since(begin)
		})
	}
	last := len(errs) - 1
	if errs[last] = s.receive(ctx, h); errs[last] != nil {
		cancel()
	}
	took[last] = time.Since(begin)
	work.Wait()
	s.stats.exchanged(took[:last], took[last], s.bodies)
	return firstOf(errs)
}

// firstOf returns the first error, preferably one that is not the end of a context.
func firstOf(errs []error) (first error) {
	for _, err := range errs {
		if first == nil || err != nil && errors.Is(first, context.Canceled) {
			first = err
		}
	}
	return first
}

// receive waits for the messages of all neighbours.
func (s *Shard) receive(ctx context.Context, mine header) error {
	for i := range s.split.borders {
		b := &s.split.borders[i]
		h, body, err := s.wire.receive(ctx, b.shard, mine, &b.early)
		if err != nil {
			return err
		}
		if h.common != mine.common {
			return fmt.Errorf("%w: shards %d and %d at tick %d: resources, ticks of the world, "+
				"Seed, Partition, Radius, Border, MaxStep or Behaviour; start all shards with "+
				"the same", ErrDiffers, s.o.Shard, b.shard, mine.tick)
		}
		s.bodies[i] = body
	}
	return nil
}

// begin creates or restores the world.
func (s *Shard) begin(ctx context.Context, nc *nats.Conn) error {
	restored := false
	if nc != nil {
		err := s.connect(ctx, nc)
		if err != nil {
			return err
		}
		if restored, err = s.restore(ctx); err != nil {
			return err
		}
	}
	if !restored {
		return s.create(ctx)
	}
	s.o.Log.Info("restored", "tick", s.tick)
	return s.inspect()
}

// restore reads the last snapshot, if any, with its configuration.
func (s *Shard) restore(ctx context.Context) (ok bool, err error) {
	var f force
	s.state, s.tick, f, err = s.keeper.restore(ctx, s.o.Counts)
	if err != nil {
		return false, err
	}
	if ok = s.tick != 0; ok {
		s.force = f
	}
	if err := s.checkBuild(); err != nil {
		return ok, err
	}
	if s.force.X != nil || s.force.Y != nil {
		s.setBorders(s.force.X, s.force.Y)
		s.use(&s.o)
	}
	return ok, nil
}

// create creates the world of tick 0.
func (s *Shard) create(ctx context.Context) (err error) {
	if s.state, err = world.CreateState(s.o.Counts); err != nil {
		return err
	}
	if err := s.inspect(); err != nil {
		return err
	}
	owns := func(at [3]float32) bool { return s.o.Partition.Of(at) == s.o.Shard }
	if s.state, err = s.o.Populate(s.state, owns); err != nil {
		return fmt.Errorf("shard: populating: %w", err)
	}
	return s.exchange(ctx, 0, 0)
}

// inspect checks the kinds of the world and prepares the shard for them.
func (s *Shard) inspect() error {
	if err := s.o.checkWorld(s.state); err != nil {
		return err
	}
	s.parts = s.resources()
	s.split.families.open(s.state)
	return nil
}

// connect opens the stream and the stores, and takes the lease.
func (s *Shard) connect(ctx context.Context, nc *nats.Conn) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	l := &lease{key: fmt.Sprintf("lease.%d", s.o.Shard), length: s.o.Lease, patience: s.o.Patience}
	s.wire = &wire{name: s.o.Name, shard: s.o.Shard, js: js, lease: l, patience: s.o.Patience}
	at := &streams{js: js, name: s.o.Name, replicas: s.o.Replicas, log: s.o.Log}
	var store jetstream.ObjectStore
	err = retry(ctx, s.o.Patience, "open the stores", func(ctx context.Context) (err error) {
		if l.kv, err = at.keys(ctx); err == nil {
			store, err = at.store(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.begun(ctx, l.kv); err != nil {
		return err
	}
	if err := l.acquire(ctx, cmp.Or(s.o.Holder, "process "+rand.Text())); err != nil {
		return err
	}
	s.o.Log.Info("holds the lease", "epoch", l.number())
	s.keeper = &keeper{
		store: store, wire: s.wire, neighbours: s.o.Partition.Neighbours(s.o.Shard),
		shards:  s.o.Partition.Shards,
		options: s.o.Save, log: s.o.Log, busy: make(chan struct{}, 1),
	}
	return s.wire.open(ctx, nc, at)
}

// begun compares the options with the stored charter.
func (s *Shard) begun(ctx context.Context, kv jetstream.KeyValue) error {
	return retry(ctx, s.o.Patience, "read the charter", func(ctx context.Context) error {
		c, err := found(ctx, kv, s.o.charter())
		if err != nil {
			return err
		}
		if err := c.check(&s.o); err != nil {
			return finalError{err}
		}
		s.force.Behaviour = c.Behaviour
		return nil
	})
}
