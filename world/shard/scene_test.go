package shard_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

const (
	side   = 120 // world units
	radius = 4
	walked = 3 // world units per tick at most
	reach  = 6 // from a region after a tick: a step, and an arm of a family
)

var (
	pace    = layout.NewComponent[[2]float32]("pace") // world units per tick
	seen    = layout.NewComponent[uint32]("seen")     // hash of how many were near
	rich    = layout.NewMark("rich")
	rules   = world.NewResource("rules", factor)
	factor  = layout.NewField("factor", uint32(31))
	walking = world.NewQuery(
		world.Write(heroes.Position, pace, seen), world.Read(pack.Global), world.Without(shard.Ghost))
	anybody = world.NewQuery(world.Read(heroes.Position))
)

// patience is for loaded machines: no test waits as long if all is well.
const patience = 2 * time.Minute

// A scene is a small crowd, whose numbers of neighbours are part of what it is.
type scene struct {
	objects int
	change  func(s world.State, tick uint64) (world.State, error) // of the test, in each tick
	kinds   []layout.Countable                                    // further ones
	furnish func(s world.State, id world.GameObject) (world.State, error)
}

func (c *scene) options(t *testing.T, i int, p shard.Partition) shard.Options {
	t.Helper()
	s := schedule.New(1)
	t.Cleanup(s.Close)
	require.NoError(t, s.Register(c.pipeline()))
	return c.settings(s, i, p)
}

func (c *scene) pipeline() schedule.Pipeline {
	return schedule.Pipeline{
		Name: "tick", Groups: []schedule.Group{{Name: "all", Elements: []string{"walk", "apply", "age"}}},
		Jobs: []schedule.Job{
			{Name: "walk", Do: c.walk}, {Name: "apply", Do: world.Apply}, {Name: "age", Do: c.age},
		},
	}
}

func (c *scene) settings(s *schedule.Schedule, i int, p shard.Partition) shard.Options {
	return shard.Options{
		Name: "test", Shard: i, Partition: p, Position: heroes.Position, Schedule: s, Pipeline: "tick",
		Populate: c.populate, Reach: shard.Reach{Radius: radius, MaxStep: reach},
		Every: 5, Lease: time.Second, Patience: patience,
		Counts: world.Counts{
			GameObjects: 3000, Names: 100, Globals: 2000, Seed: 7,
			Kinds: append(layout.Kinds(heroes.Position, pace, seen, rich, shard.Ghost),
				layout.Kinds(c.kinds...)...),
			Resources: []world.ResourceKind{rules},
		},
	}
}

func (c *scene) populate(s world.State, owns func([3]float32) bool) (world.State, error) {
	r := rand.New(rand.NewPCG(1, 2))
	for g := uint64(1); g <= uint64(c.objects); g++ {
		at := [3]float32{r.Float32() * side, r.Float32() * side}
		v := [2]float32{
			walked - float32(2*walked*r.Float32()), walked - float32(2*walked*r.Float32()),
		}
		if !owns(at) {
			continue
		}
		var err error
		if s, err = c.create(s, g, at, v); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (c *scene) create(s world.State, g uint64, at [3]float32, v [2]float32) (world.State, error) {
	kinds := []layout.AnyKind{heroes.Position, pace, seen, rich}[:3+g%2]
	s, id, err := world.CreateWith(s, kinds...)
	if err != nil {
		return s, err
	}
	s = world.Must(world.Set(s, id, heroes.Position, at))
	s = world.Must(world.Set(s, id, pace, v))
	if g%16 == 0 {
		s = world.Must(world.SetName(s, id, "somebody"))
	}
	if s, err = pack.SetGlobal(s, id, g); err == nil && c.furnish != nil {
		s, err = c.furnish(s, id)
	}
	return s, err
}

// walk is a tick, with a naive search for near objects.
func (c *scene) walk(s world.State) (world.State, error) {
	var points [][3]float32
	for b := range anybody.In(s) {
		points = append(points, world.Column(b, heroes.Position)...)
	}
	for b := range walking.In(s) {
		at, v, h := world.Column(b, heroes.Position), world.Column(b, pace), world.Column(b, seen)
		globals := pack.Globals(b)
		for i := range at {
			n := uint32(0)
			for _, p := range points {
				dx, dy := p[0]-at[i][0], p[1]-at[i][1]
				if float32(dx*dx)+float32(dy*dy) < radius*radius {
					n++
				}
			}
			h[i] = h[i]*world.Resource(s, factor) + n
			if r := world.Random(s, globals[i]); n > 1 && r.IntN(3) == 0 {
				v[i][0], v[i][1] = v[i][1], -v[i][0]
			}
			for axis := range 2 {
				if to := at[i][axis] + v[i][axis]; to < 0 || to >= side {
					v[i][axis] = -v[i][axis]
				} else {
					at[i][axis] = to
				}
			}
		}
	}
	if c.change != nil {
		return c.change(s, world.Tick(s))
	}
	return s, nil
}

// age replaces some by their children.
func (c *scene) age(s world.State) (world.State, error) {
	var parents []world.GameObject
	for b := range walking.In(s) {
		for i, h := range world.Column(b, seen) {
			if h%97 == 5 {
				parents = append(parents, b.ID(i))
			}
		}
	}
	for _, id := range parents {
		at, v := world.Must(world.Get(s, id, heroes.Position)), world.Must(world.Get(s, id, pace))
		s2, global, err := pack.NextGlobal(s, id)
		if err != nil {
			return s2, err
		}
		s = world.Must(world.Dispose(s2, id))
		if s, err = c.create(s, global, at, v); err != nil {
			return s, err
		}
	}
	return s, nil
}

// alone returns the digest of the scene in one shard without a server.
func (c *scene) alone(t *testing.T, ticks uint64) outcome {
	t.Helper()
	s := world.Must(shard.Start(t.Context(), nil, c.options(t, 0, shard.Strips(1, 0, side))))
	defer s.Close()
	require.NoError(t, s.Run(t.Context(), ticks))
	return outcomeOf(t, s)
}

// An outcome is what all shards have at the end.
type outcome struct {
	sum     uint64
	objects int
}

// and returns what two have together.
func (o outcome) and(other outcome) outcome {
	return outcome{o.sum + other.sum, o.objects + other.objects}
}

func outcomeOf(t *testing.T, shards ...*shard.Shard) (all outcome) {
	t.Helper()
	for _, s := range shards {
		sum, objects := world.Must2(s.Digest())
		all.sum += sum
		all.objects += objects
	}
	return all
}

// serve starts a server in a folder, at a port; 0: any.
func serve(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	o.Ready = patience
	s := world.Must(server.Start(o))
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	return s
}

func connect(t *testing.T, s *server.Server) *nats.Conn {
	t.Helper()
	nc := world.Must(shard.Connect(shard.Server{URL: s.URL()}))
	t.Cleanup(nc.Close)
	return nc
}

// start starts one shard.
func start(t *testing.T, nc *nats.Conn, o shard.Options) (*shard.Shard, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return shard.Start(ctx, nc, o)
}

// A syncBuffer keeps what several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends b.
func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

// String returns what was written.
func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *syncBuffer) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b.Reset()
}
