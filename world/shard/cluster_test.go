package shard_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A cluster is several servers that keep the same streams.
type cluster struct {
	options []server.Options
	servers []*server.Server // nil: it was stopped
}

// startCluster starts n servers.
func startCluster(t *testing.T, n int) *cluster {
	t.Helper()
	ports := freePorts(t, 2*n)
	var routes []string
	for _, port := range ports[:n] {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	c := &cluster{}
	for i := range n {
		dir := t.TempDir()
		config := filepath.Join(dir, "conf")
		require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, "server_name: n%d\n"+
			"cluster { name: three, listen: \"127.0.0.1:%d\", routes: [ %s ] }\n",
			i, ports[i], strings.Join(routes, ", ")), 0o600))
		c.options = append(c.options, server.Options{
			Dir: filepath.Join(dir, "store"), Config: config, Port: ports[n+i], Ready: patience,
		})
	}
	c.servers = make([]*server.Server, n)
	for i := range n {
		c.start(t, i)
	}
	t.Cleanup(func() {
		for _, s := range c.servers {
			if s != nil {
				assert.NoError(t, s.Stop())
			}
		}
	})
	return c
}

func (c *cluster) start(t *testing.T, i int) {
	t.Helper()
	s := world.Must(server.Start(c.options[i]))
	c.servers[i] = s
}

func (c *cluster) stop(t *testing.T, i int) {
	t.Helper()
	require.NoError(t, c.servers[i].Stop())
	c.servers[i] = nil
}

// urls returns where the servers are, with commas between.
func (c *cluster) urls() string {
	var list []string
	for _, o := range c.options {
		list = append(list, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return strings.Join(list, ",")
}

// freePorts returns ports that nobody listens on.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l := world.Must(net.Listen("tcp", "127.0.0.1:0"))
		defer l.Close() //nolint:gocritic // after the loop, so that all ports differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// replicas returns on how many servers each stream of the simulation "test" is kept.
func replicas(t *testing.T, nc *nats.Conn, change func(*jetstream.StreamConfig)) (list []int) {
	t.Helper()
	js := world.Must(jetstream.New(nc))
	for _, name := range []string{"test", "KV_test", "OBJ_test-snapshots"} {
		stream := world.Must(js.Stream(t.Context(), name))
		c := stream.CachedInfo().Config
		if change != nil {
			change(&c)
			world.Must(js.UpdateStream(t.Context(), c))
		}
		list = append(list, c.Replicas)
	}
	return list
}

// What the streams of a cluster were configured with stays when shards start. Replicas are added,
// if they are asked for, and that there are too few is said.
func TestReplicasStay(t *testing.T) {
	cluster := startCluster(t, 3)
	nc := world.Must(shard.Connect(shard.Server{URL: cluster.urls()}))
	defer nc.Close()
	c, p := &scene{objects: 60}, shard.Strips(2, 0, side)
	var log syncBuffer
	run := func(replicas int, ticks uint64) {
		log.reset()
		shards := c.together(t, nc, p, ticks, func(o *shard.Options) {
			o.Replicas, o.Log = replicas, slog.New(slog.NewTextHandler(&log, nil))
		})
		assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards...))
		for _, s := range shards {
			s.Close()
		}
	}
	run(0, 7)
	assert.Equal(t, []int{1, 1, 1}, replicas(t, nc, nil))
	assert.Equal(t, 6, strings.Count(log.String(), "replicas=1 recommended=3"), log.String())

	replicas(t, nc, func(c *jetstream.StreamConfig) { c.Replicas, c.Description = 3, "of ours" })
	run(0, 12)
	assert.Equal(t, []int{3, 3, 3}, replicas(t, nc, nil))
	assert.NotContains(t, log.String(), "recommended")
	run(1, 17)
	assert.Equal(t, []int{3, 3, 3}, replicas(t, nc, func(c *jetstream.StreamConfig) {
		assert.Equal(t, "of ours", c.Description)
		assert.Equal(t, c.Name == "test", c.AllowDirect,
			"servers that are behind answer for messages alone, which never change")
	}))

	replicas(t, nc, func(c *jetstream.StreamConfig) { c.Replicas = 1 })
	run(3, 22)
	assert.Equal(t, []int{3, 3, 3}, replicas(t, nc, nil))
}

// Shards by three servers that keep everything three times go on while shards and servers end, and
// while borders move by any plans that are accepted.
func TestThreeServersOutliveOne(t *testing.T) {
	ticks, ends := uint64(40), 4
	if worldtest.AtLength() {
		ticks, ends = 400, 40
	}
	const shards = 4
	servers := startCluster(t, 3)
	nc := world.Must(shard.Connect(shard.Server{URL: servers.urls()}))
	t.Cleanup(nc.Close)
	c, p := families(), shard.Strips(shards, 0, side)
	e := endurance{partition: p, ticks: ticks, nc: nc, planned: make(chan struct{})}
	e.options = func(i int, _ uint32) shard.Options {
		o := c.options(t, i, p)
		o.Holder, o.Replicas = "test", 3
		return o
	}
	wait := e.begin(t)
	r := rand.New(rand.NewPCG(3, 3))
	moves := 0
	for after := uint64(5); after < ticks; after += 5 {
		for range 4 { // plans, of which the first one that is accepted counts
			if tick := proposeAny(t, nc, r, after, shards); tick == after {
				moves++
				break
			}
		}
	}
	close(e.planned)
	for range ends {
		time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
		if i := r.IntN(shards + 3); i < shards {
			e.mu.Lock()
			e.cancels[i]()
			e.mu.Unlock()
		} else {
			servers.stop(t, i-shards)
			servers.start(t, i-shards)
		}
	}
	assert.Equal(t, c.alone(t, ticks), wait())
	assert.Positive(t, moves)
}

// proposeAny proposes any borders, and returns the tick, or 0 if they are refused.
func proposeAny(
	t *testing.T, nc *nats.Conn, r *rand.Rand, after uint64, shards int,
) (tick uint64) {
	t.Helper()
	plan := shard.Plan{X: anyBorders(r, shards-1)}
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var err error
		tick, err = shard.Propose(ctx, nc, "test", after, plan)
		return err == nil || errors.Is(err, shard.ErrPlan) && strings.Contains(err.Error(), "ascend")
	}, patience, 10*time.Millisecond)
	return tick
}
