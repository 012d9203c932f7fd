package shard_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// An endurance is a run of shards that end, and whose server ends, in the middle of anything.
type endurance struct {
	partition shard.Partition
	ticks     uint64
	options   func(i int, behaviour uint32) shard.Options // of a build

	nc       *nats.Conn
	planned  chan struct{} // closed when all plans were proposed; nil: there are none
	mu       sync.Mutex
	cancels  []func()
	outcomes []outcome
	errs     []error
}

// begin begins to run all shards, each as the build that has to run.
func (e *endurance) begin(t *testing.T) (wait func() outcome) {
	t.Helper()
	n := e.partition.Shards
	e.cancels = make([]func(), n)
	e.outcomes, e.errs = make([]outcome, n), make([]error, n)
	var work sync.WaitGroup
	for i := range n {
		work.Go(func() { e.run(t.Context(), i) })
	}
	t.Cleanup(work.Wait)
	return func() (all outcome) {
		work.Wait()
		require.NoError(t, errors.Join(e.errs...))
		for _, o := range e.outcomes {
			all = all.and(o)
		}
		return all
	}
}

// run runs a shard to its end, again and again.
func (e *endurance) run(whole context.Context, i int) {
	for behaviour := uint32(1); whole.Err() == nil; {
		ctx, cancel := context.WithCancel(whole)
		e.mu.Lock()
		e.cancels[i] = cancel
		e.mu.Unlock()
		again, out, err := attempt(ctx, e.nc, e.afterPlans(i, behaviour), e.ticks)
		cancel()
		if build := (*shard.BuildError)(nil); errors.As(err, &build) {
			behaviour = build.Behaviour
			continue
		}
		e.outcomes[i], e.errs[i] = out, err
		if !again {
			return
		}
	}
}

// afterPlans returns options with which tick 0 waits for the plans.
func (e *endurance) afterPlans(i int, behaviour uint32) shard.Options {
	o := e.options(i, behaviour)
	populate := o.Populate
	o.Populate = func(s world.State, owns func([3]float32) bool) (world.State, error) {
		if e.planned != nil {
			<-e.planned
		}
		return populate(s, owns)
	}
	return o
}

// disturb ends shards and the server at random.
func (e *endurance) disturb(t *testing.T, r *rand.Rand, dir string, s *server.Server, ends int) {
	t.Helper()
	u := world.Must(url.Parse(s.URL()))
	port := world.Must(strconv.Atoi(u.Port()))
	for range ends {
		time.Sleep(time.Duration(20+r.IntN(80)) * time.Millisecond)
		if i := r.IntN(e.partition.Shards + 1); i < e.partition.Shards {
			e.mu.Lock()
			e.cancels[i]()
			e.mu.Unlock()
		} else {
			require.NoError(t, s.Stop())
			s = serve(t, server.Options{Dir: dir, Port: port})
		}
	}
}

// propose proposes a plan, also while the server does not run.
func propose(t *testing.T, nc *nats.Conn, after uint64, p shard.Plan) (tick uint64) {
	t.Helper()
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var err error
		tick, err = shard.Propose(ctx, nc, "test", after, p)
		return err == nil
	}, patience, 10*time.Millisecond)
	return tick
}

// Borders move, regions merge and split again, while families cross them and processes end.
func TestBordersMove(t *testing.T) {
	const ticks = 60
	c, dir := families(), t.TempDir()
	s := serve(t, server.Options{Dir: dir})
	p := shard.Strips(4, 0, side)
	e := endurance{
		partition: p, ticks: ticks, nc: connect(t, s), planned: make(chan struct{}),
	}
	e.options = func(i int, _ uint32) shard.Options {
		o := c.options(t, i, p)
		o.Holder = "test"
		return o
	}
	wait := e.begin(t)
	for after, borders := range map[uint64][]float32{
		10: {40, 55, 80}, // they move
		20: {40, 40, 80}, // the second region goes to its neighbours
		30: {40, 60, 80}, // and comes back, elsewhere
		40: {5, 20, 100}, // some of the first are in the third at once
		50: {0, 0, 100},  // all is in two
	} {
		assert.Equal(t, after, propose(t, e.nc, after, shard.Plan{X: borders}))
	}
	close(e.planned)
	e.disturb(t, rand.New(rand.NewPCG(8, 9)), dir, s, 6)
	got := wait()
	assert.Equal(t, c.alone(t, ticks), got)
	assert.Equal(t, outcome{}, e.outcomes[1], "nobody is in an empty region")
	assert.Positive(t, e.outcomes[2].objects)

	e.ticks += 15 // used by the runs that begin with moved borders
	assert.Equal(t, c.alone(t, ticks+15), e.begin(t)())
}

func TestBordersOfAGridMove(t *testing.T) {
	const ticks = 20
	c := &scene{objects: 200}
	nc := connect(t, serve(t, server.Options{}))
	p := shard.Grid(2, 2, [2]float32{0, 0}, [2]float32{side, side})
	wait := c.begin(t, nc, p, ticks, nil, 0, 1, 2, 3)
	tick := propose(t, nc, 0, shard.Plan{X: []float32{80}, Y: []float32{25}})
	shards := wait()
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards...), "moved at tick %d", tick)
}

// What an older and a newer build know of a bag.
var (
	apples    = layout.NewField[uint16]("apples")
	bag       = layout.NewKind("bag", apples)
	newApples = layout.NewField[uint32]("apples")
	pears     = layout.NewField("pears", uint32(7))
	newBag    = layout.NewKind("bag", newApples, pears)

	oldBags = world.NewQuery(world.Write(apples), world.Without(shard.Ghost))
	newBags = world.NewQuery(world.Write(newApples, pears), world.Without(shard.Ghost))
)

func oldBuild() *scene {
	c := &scene{objects: 150, kinds: []layout.Countable{bag}}
	c.furnish = func(s world.State, id world.GameObject) (world.State, error) {
		s, err := world.Add(s, id, bag)
		return s, err
	}
	c.change = func(s world.State, _ uint64) (world.State, error) {
		for b := range oldBags.In(s) {
			for i := range world.Column(b, apples) {
				world.Column(b, apples)[i]++
			}
		}
		return s, nil
	}
	return c
}

func newBuild() *scene {
	c := &scene{objects: 150, kinds: []layout.Countable{newBag}}
	c.furnish = func(s world.State, id world.GameObject) (world.State, error) {
		s, err := world.Add(s, id, newBag)
		return s, err
	}
	c.change = func(s world.State, _ uint64) (world.State, error) {
		for b := range newBags.In(s) {
			for i := range world.Column(b, pears) {
				world.Column(b, pears)[i] += world.Column(b, newApples)[i]
			}
		}
		return s, nil
	}
	return c
}

// builds returns the options of both.
func builds(t *testing.T, p shard.Partition) func(i int, behaviour uint32) shard.Options {
	t.Helper()
	return func(i int, behaviour uint32) shard.Options {
		c := oldBuild()
		if behaviour == 2 {
			c = newBuild()
		}
		o := c.options(t, i, p)
		o.Holder, o.Save.Behaviour = "test", behaviour
		if behaviour == 2 {
			o.Save.Migrations = []save.Migration{
				save.Migrate("bag.apples", newApples, func(n uint16) uint32 { return uint32(n) }),
			}
		}
		return o
	}
}

// A newer build, whose bags have a further field and another type, goes on after the same tick in
// all shards, though processes end around that tick: with the digest of one process that does so.
func TestANewerBuildGoesOn(t *testing.T) {
	const ticks, change = 60, 30
	one := endurance{partition: shard.Strips(1, 0, side), ticks: ticks}
	one.nc = connect(t, serve(t, server.Options{}))
	one.options = builds(t, one.partition)
	first := world.Must(start(t, one.nc, one.options(0, 1))) // begins the simulation
	first.Close()
	require.Equal(t, uint64(change), propose(t, one.nc, change, shard.Plan{Behaviour: 2}))
	want := one.begin(t)()

	dir := t.TempDir()
	s := serve(t, server.Options{Dir: dir})
	e := endurance{
		partition: shard.Strips(3, 0, side), ticks: ticks, nc: connect(t, s),
		planned: make(chan struct{}),
	}
	e.options = builds(t, e.partition)
	wait := e.begin(t)
	require.Equal(t, uint64(change), propose(t, e.nc, change, shard.Plan{Behaviour: 2}))
	close(e.planned)
	e.disturb(t, rand.New(rand.NewPCG(1, 9)), dir, s, 6)
	assert.Equal(t, want, wait())

	_, err := start(t, e.nc, e.options(1, 1))
	var build *shard.BuildError
	require.ErrorAs(t, err, &build, "the older build")
	assert.Equal(t, uint32(2), build.Behaviour)
	assert.Equal(t, 1, build.Shard)
	require.ErrorIs(t, err, shard.ErrBuild)
}

// A newer build with the same rules changes nothing.
func TestABuildWithTheSameRulesChangesNothing(t *testing.T) {
	const ticks = 40
	c, p := &scene{objects: 150}, shard.Strips(2, 0, side)
	nc := connect(t, serve(t, server.Options{}))
	e := endurance{partition: p, ticks: ticks, nc: nc, planned: make(chan struct{})}
	var built [4]atomic.Bool
	e.options = func(i int, behaviour uint32) shard.Options {
		built[behaviour].Store(true)
		o := c.options(t, i, p)
		o.Save.Behaviour = behaviour
		return o
	}
	wait := e.begin(t)
	propose(t, nc, 15, shard.Plan{Behaviour: 2})
	propose(t, nc, 25, shard.Plan{Behaviour: 3, X: []float32{30}})
	close(e.planned)
	assert.Equal(t, c.alone(t, ticks), wait())
	for behaviour := 1; behaviour <= 3; behaviour++ {
		assert.True(t, built[behaviour].Load(), "behaviour %d ran", behaviour)
	}
}

func TestPlansAreChecked(t *testing.T) {
	c, p := &scene{objects: 30}, shard.Strips(3, 0, side)
	nc := connect(t, serve(t, server.Options{}))
	_, err := shard.Propose(t.Context(), nc, "test", 0, shard.Plan{Behaviour: 2})
	require.ErrorIs(t, err, shard.ErrPlan, "there is no such simulation")
	for _, s := range c.together(t, nc, p, 12, nil) {
		s.Close()
	}
	for name, plan := range map[string]shard.Plan{
		"empty":          {},
		"too few":        {X: []float32{1}},
		"of y":           {X: []float32{30, 60}, Y: []float32{1}},
		"descending":     {X: []float32{60, 30}},
		"a narrow strip": {X: []float32{30, 30 + radius}},
		"a long step":    {X: []float32{30, 30 + radius + reach}},
		"rounded":        {X: []float32{30, 30 + radius + reach + 1e-5}},
		"NaN":            {X: []float32{30, float32(math.NaN())}},
		"infinite":       {X: []float32{30, float32(math.Inf(1))}},
	} {
		_, err := shard.Propose(t.Context(), nc, "test", 0, plan)
		require.ErrorIs(t, err, shard.ErrPlan, name)
	}
	tick := world.Must(shard.Propose(t.Context(), nc, "test", 0,
		shard.Plan{X: []float32{30, 30 + radius + reach + .01}}))
	assert.Equal(t, uint64(15), tick, "the shards have done 12")
	for range 2 { // as if the first answer was lost
		tick, err = shard.Propose(t.Context(), nc, "test", 0, shard.Plan{X: []float32{30, 60}})
		require.NoError(t, err)
		assert.Equal(t, uint64(20), tick)
	}
	tick = world.Must(shard.Propose(t.Context(), nc, "test", 0,
		shard.Plan{X: []float32{30, 30 + radius + reach + .01}}))
	assert.Equal(t, uint64(25), tick, "back to what was planned before")
}

// A shard that begins with something else than the first one is refused, and is told with what.
func TestShardsBeginWithTheSame(t *testing.T) {
	nc := connect(t, serve(t, server.Options{}))
	c, p := &scene{objects: 30}, shard.Strips(3, 0, side)
	first := c.options(t, 0, p)
	first.Charter = []byte("map 7")
	begun, populate := make(chan struct{}), first.Populate
	first.Populate = func(s world.State, owns func([3]float32) bool) (world.State, error) {
		close(begun)
		return populate(s, owns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	work.Go(func() { _, _ = shard.Start(ctx, nc, first) }) // it waits for the others
	<-begun
	own := shard.Strips(3, 0, side)
	user := shard.Partition{
		Shards: 3, Width: own.Width, Of: own.Of, Distance: own.Distance, Neighbours: own.Neighbours,
	}
	for name, x := range map[string]struct {
		change func(o *shard.Options)
		says   []string
	}{
		"partition": {
			func(o *shard.Options) { o.Partition = shard.Strips(3, 0, side+3) },
			[]string{"X [40 80], not [41 82]", "Width 40, not 41"},
		},
		"a grid":       {func(o *shard.Options) { o.Partition = grid(1, 3) }, []string{"Y []"}},
		"a user's own": {func(o *shard.Options) { o.Partition = user }, []string{"X [40 80], not []"}},
		"shards":       {func(o *shard.Options) { o.Partition = shard.Strips(2, 0, side) }, []string{"Shards 3, not 2"}},
		"bytes":        {func(o *shard.Options) { o.Charter = []byte("map 8") }, []string{`Charter "map 7", not "map 8"`}},
		"no bytes":     {func(o *shard.Options) { o.Charter = nil }, []string{`Charter "map 7", not ""`}},
		"seed":         {func(o *shard.Options) { o.Counts.Seed = 8 }, []string{"Seed 7, not 8"}},
		"every":        {func(o *shard.Options) { o.Every = 7 }, []string{"Every 5, not 7"}},
		"border":       {func(o *shard.Options) { o.Reach.Border = 5 }, []string{"Border 4, not 5"}},
		"step":         {func(o *shard.Options) { o.Reach.MaxStep = 7 }, []string{"MaxStep 6, not 7"}},
	} {
		o := c.options(t, 1, p)
		o.Charter = []byte("map 7")
		x.change(&o)
		_, err := start(t, nc, o)
		require.ErrorIs(t, err, shard.ErrDiffers, name)
		for _, says := range x.says {
			assert.ErrorContains(t, err, says, name)
		}
	}
}

func grid(columns, rows int) shard.Partition {
	return shard.Grid(columns, rows, [2]float32{}, [2]float32{side, side})
}

// A charter is the same whenever a shard starts again, with borders that have moved, too.
func TestACharterStays(t *testing.T) {
	nc, c := connect(t, serve(t, server.Options{})), &scene{objects: 60}
	with := func(o *shard.Options) { o.Charter, o.Partition = []byte{0, 255, '"'}, grid(2, 1) }
	for _, s := range c.together(t, nc, grid(2, 1), 7, with) {
		s.Close()
	}
	propose(t, nc, 10, shard.Plan{X: []float32{33}, Y: []float32{}})
	for _, ticks := range []uint64{12, 17} {
		shards := c.together(t, nc, grid(2, 1), ticks, with)
		assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards...))
		for _, s := range shards {
			s.Close()
		}
	}
}

func TestChartersThatCannotBeStoredAreRefused(t *testing.T) {
	nc, c := connect(t, serve(t, server.Options{})), &scene{objects: 10}
	for name, change := range map[string]func(o *shard.Options){
		"long":         func(o *shard.Options) { o.Charter = make([]byte, 64<<10+1) },
		"borders":      func(o *shard.Options) { o.Partition = shard.Strips(2, 0, float32(math.Inf(1))) },
		"a step":       func(o *shard.Options) { o.Reach.MaxStep = float32(math.NaN()) },
		"a far step":   func(o *shard.Options) { o.Reach.MaxStep = float32(math.Inf(1)) },
		"replicas":     func(o *shard.Options) { o.Replicas = 6 },
		"no replicas":  func(o *shard.Options) { o.Replicas = -1 },
		"many servers": func(o *shard.Options) { o.Replicas = 3 }, // there is one
	} {
		o := c.options(t, 0, shard.Strips(1, 0, side))
		change(&o)
		_, err := start(t, nc, o)
		require.ErrorIs(t, err, shard.ErrOptions, name)
	}
	o := c.options(t, 0, shard.Strips(2, 0, side))
	o.Reach.MaxStep = side
	_, err := start(t, nc, o)
	assert.ErrorIs(t, err, shard.ErrNarrow)
}

// Every point is in the region that owns it, and as far from the others as the naive model says.
func TestPartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		columns, rows := 1+r.IntN(5), 1+r.IntN(4)
		low, high := [2]float32{-10, 5}, [2]float32{30 + r.Float32(), 40}
		p := shard.Grid(columns, rows, low, high)
		assert.Equal(t, columns*rows, p.Shards)
		for range 50 {
			at := [3]float32{r.Float32()*60 - 20, r.Float32()*60 - 10}
			home := p.Of(at)
			assert.LessOrEqual(t, p.Distance(home, at), float32(1e-5))
			for other := range p.Shards {
				want := naiveDistance(columns, rows, low, high, other, at)
				assert.InDelta(t, want, p.Distance(other, at), 1e-3)
			}
		}
		for a := range p.Shards {
			for _, b := range p.Neighbours(a) {
				assert.Contains(t, p.Neighbours(b), a)
			}
		}
	}
}

// naiveDistance has the rectangles' edges side by side.
func naiveDistance(columns, rows int, low, high [2]float32, shard int, at [3]float32) float64 {
	far := 0.0
	for axis, n := range []int{columns, rows} {
		place := []int{shard % columns, shard / columns}[axis]
		width := float64(high[axis]-low[axis]) / float64(n)
		from, to := float64(low[axis])+float64(float64(place)*width), float64(low[axis])+float64(float64(place+1)*width)
		if place == 0 {
			from = math.Inf(-1)
		}
		if place == n-1 {
			to = math.Inf(1)
		}
		far = max(far, from-float64(at[axis]), float64(at[axis])-to)
	}
	return far
}

func TestStripsHaveTwoNeighbours(t *testing.T) {
	p := shard.Strips(3, 0, 30)
	assert.Equal(t, []int{0, 2}, p.Neighbours(1))
	assert.Equal(t, []int{1}, p.Neighbours(2))
	assert.Equal(t, float32(10), p.Width)
	for at, want := range map[float32]int{
		-1e30: 0, 0: 0, 9.99: 0, 10: 1, 19.9: 1, 20: 2, 1e30: 2,
		float32(math.Inf(1)): 2, float32(math.NaN()): 0,
	} {
		assert.Equal(t, want, p.Of([3]float32{at}), "%v", at)
	}
}

// Regions match Of, infinite at the sides; a user's own partition has no regions.
func TestRegions(t *testing.T) {
	p := shard.Grid(3, 2, [2]float32{0, 10}, [2]float32{30, 20})
	for i := range p.Shards {
		low, high, ok := p.Region(i)
		assert.True(t, ok)
		inside := [3]float32{max(low[0], -99), max(low[1], -99)}
		assert.Equal(t, i, p.Of(inside))
		if !math.IsInf(float64(high[0]), 1) {
			assert.Equal(t, i+1, p.Of([3]float32{high[0], inside[1]}))
		}
		if !math.IsInf(float64(high[1]), 1) {
			assert.Equal(t, i+3, p.Of([3]float32{inside[0], high[1]}))
		}
	}
	for _, i := range []int{-1, 6} {
		_, _, ok := p.Region(i)
		assert.False(t, ok)
	}
	_, _, ok := new(shard.Partition).Region(0)
	assert.False(t, ok)
}
