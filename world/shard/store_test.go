package shard_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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

// A store that is full stops the shards by name. They go on when there is room.
func TestAFullStoreLosesNothing(t *testing.T) {
	o := server.Options{Dir: t.TempDir(), MaxStore: 400 << 10}
	full := func(err error) bool { return errors.Is(err, shard.ErrNoRoom) }
	testFullStore(t, o, func(func(uint64) bool) {}, full, func() { o.MaxStore = 0 }, &o)
}

// testFullStore runs shards until fill has made the store full, and full says so of their errors,
// and again after room was made. fill is handed a function that waits for a tick, and that is true
// once a shard has stopped.
func testFullStore(
	t *testing.T, o server.Options, fill func(reached func(tick uint64) bool),
	full func(error) bool, makeRoom func(), later *server.Options,
) {
	t.Helper()
	const ticks = 150
	c, p := &scene{objects: 200}, shard.Strips(2, 0, side)
	var stuck error
	for stopped := error(nil); !full(stopped); {
		s := world.Must(server.Start(o))
		nc := world.Must(shard.Connect(shard.Server{URL: s.URL()}))
		stopped = c.untilStopped(t, nc, p, ticks, fill)
		nc.Close()
		require.Error(t, stopped)
		if stuck = s.Stop(); stuck != nil {
			break
		}
	}
	makeRoom()
	if stuck != nil { // the server still has its folder
		require.ErrorIs(t, stuck, server.ErrStore)
		another := filepath.Join(t.TempDir(), "store")
		require.NoError(t, os.CopyFS(another, os.DirFS(later.Dir)))
		later.Dir = another
	}
	again := c.together(t, connect(t, serve(t, *later)), p, ticks, nil)
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, again...))
}

// untilStopped runs shards that have little patience until they stop. All of them name the server.
func (c *scene) untilStopped(
	t *testing.T, nc *nats.Conn, p shard.Partition, ticks uint64,
	fill func(reached func(tick uint64) bool),
) error {
	t.Helper()
	errs := make([]error, p.Shards)
	var work sync.WaitGroup
	var reached atomic.Uint64
	filled := make(chan struct{}) // by tick 20
	tell := func(tick uint64) {
		if reached.Store(tick); tick >= 20 {
			<-filled
		}
	}
	for i := range p.Shards {
		o := c.options(t, i, p)
		o.Patience, o.Holder = time.Second, "test"
		work.Go(func() {
			errs[i] = runTelling(t.Context(), nc, o, ticks, tell)
			reached.Store(math.MaxUint64)
		})
	}
	fill(func(tick uint64) bool { return reached.Load() >= tick })
	close(filled)
	work.Wait()
	for _, err := range errs {
		if err != nil {
			assert.True(t, errors.Is(err, shard.ErrNoRoom) || errors.Is(err, shard.ErrSilent), err)
		}
	}
	return errors.Join(errs...)
}

// runTelling runs a shard, and tells of each tick.
func runTelling(
	ctx context.Context, nc *nats.Conn, o shard.Options, ticks uint64, tell func(uint64),
) error {
	s, err := shard.Start(ctx, nc, o)
	if err != nil {
		return err
	}
	defer s.Close()
	for s.Tick() < ticks {
		if err := s.Step(ctx); err != nil {
			return err
		}
		tell(s.Tick())
	}
	return nil
}

// Messages that arrive twice, or again later, from any sender, change nothing.
func TestMessagesMayBeRepeated(t *testing.T) {
	const ticks = 25
	c := &scene{objects: 200}
	nc := connect(t, serve(t, server.Options{}))
	repeat := func(subject string) {
		var late []*nats.Msg
		world.Must(nc.Subscribe(subject, func(m *nats.Msg) {
			if m.Header.Get("Repeated") != "" {
				return
			}
			copied := nats.NewMsg(m.Subject)
			copied.Data, copied.Header = m.Data, nats.Header{"Repeated": {"yes"}}
			late = append(late, copied)
			_ = nc.PublishMsg(copied)
			_ = nc.PublishMsg(late[len(late)/2])
		}))
	}
	repeat("test.m.>") // what is sent
	repeat("test.r.>") // what was stored
	shards := c.together(t, nc, shard.Strips(3, 0, side), ticks, nil)
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards...))
	for subject, n := range subjectsOf(t, nc, "test.m.>") {
		assert.Equal(t, uint64(1), n, subject)
	}
}

// subjectsOf returns how many messages the stream has, by subject.
func subjectsOf(t *testing.T, nc *nats.Conn, filter string) map[string]uint64 {
	t.Helper()
	js := world.Must(jetstream.New(nc))
	stream := world.Must(js.Stream(t.Context(), "test"))
	return world.Must(stream.Info(t.Context(), jetstream.WithSubjectFilter(filter))).State.Subjects
}

// The store grows to what the snapshots and the messages after them need, and no further. What was
// removed goes from the disk some seconds later, which a run at length shows.
func TestTheStoreIsBounded(t *testing.T) {
	ticks, measure := uint64(400), keptBytes
	if worldtest.AtLength() {
		ticks, measure = 10_000, sizeOf
	}
	c, dir := &scene{objects: 60}, t.TempDir()
	nc := connect(t, serve(t, server.Options{Dir: dir}))
	var mu sync.Mutex
	largest := [2]int64{} // bytes, in each half of the run
	var work sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		o := c.options(t, i, shard.Strips(2, 0, side))
		o.Every = 20
		work.Go(func() {
			errs[i] = runTelling(t.Context(), nc, o, ticks, func(tick uint64) {
				if tick%50 == 0 {
					mu.Lock()
					defer mu.Unlock()
					half := min(int(2*tick/ticks), 1)
					largest[half] = max(largest[half], measure(t, nc, dir))
				}
			})
		})
	}
	work.Wait()
	require.NoError(t, errors.Join(errs...))
	t.Logf("%d ticks: the store has at most %d KiB, then %d", ticks, largest[0]>>10, largest[1]>>10)
	assert.Less(t, largest[1], 3*largest[0])

	assert.Less(t, len(subjectsOf(t, nc, "test.p.>")), int(ticks)/20, "plans are removed")
}

// keptBytes returns the bytes of what the streams still have.
func keptBytes(t *testing.T, nc *nats.Conn, _ string) (n int64) {
	t.Helper()
	js := world.Must(jetstream.New(nc))
	for _, name := range []string{"test", "KV_test", "OBJ_test-snapshots"} {
		stream := world.Must(js.Stream(t.Context(), name))
		info := world.Must(stream.Info(t.Context()))
		n += int64(info.State.Bytes)
	}
	return n
}

// sizeOf returns the bytes of the files in a folder.
func sizeOf(t *testing.T, _ *nats.Conn, dir string) (n int64) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, _ error) error {
		if d != nil {
			if info, err := d.Info(); err == nil && !d.IsDir() { // it may be gone
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// A store that goes back to an older state, while shards run, stops all of them before they build
// on it. Started again, all of them, they go on from there without a loss.
func TestAStoreThatWentBackIsNamed(t *testing.T) {
	const ticks = 40
	dir, saved := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "saved")
	s := serve(t, server.Options{Dir: dir})
	nc := connect(t, s)
	again := func(between func()) {
		u := world.Must(url.Parse(s.URL()))
		port := world.Must(strconv.Atoi(u.Port()))
		require.NoError(t, s.Stop())
		between()
		s = serve(t, server.Options{Dir: dir, Port: port})
	}
	c, p := &scene{objects: 150}, shard.Strips(2, 0, side)
	shards := c.together(t, nc, p, 12, nil)
	again(func() { require.NoError(t, os.CopyFS(saved, os.DirFS(dir))) })
	stepBoth(t, shards, 23)
	awaitRenewal(t, nc, 2)
	restore := func() {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.CopyFS(dir, os.DirFS(saved)))
	}
	again(restore)
	for _, err := range stepBoth(t, shards, 1<<40) {
		require.ErrorIs(t, err, shard.ErrBack)
		require.ErrorContains(t, err, "start all shards again")
	}
	for _, s := range shards {
		s.Close()
	}
	again(restore) // what shards stored before they noticed goes, too
	got := c.together(t, nc, p, ticks, nil)
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, got...))
}

// awaitRenewal waits until the leases of some shards have been renewed.
func awaitRenewal(t *testing.T, nc *nats.Conn, shards int) {
	t.Helper()
	js := world.Must(jetstream.New(nc))
	kv := world.Must(js.KeyValue(t.Context(), "test"))
	for i := range shards {
		first := uint64(0)
		require.Eventually(t, func() bool {
			entry, err := kv.Get(t.Context(), fmt.Sprint("lease.", i))
			if err == nil && first == 0 {
				first = entry.Revision()
			}
			return err == nil && entry.Revision() > first
		}, patience, 10*time.Millisecond)
	}
}

// stepBoth steps two shards to a tick, or until each has stopped.
func stepBoth(t *testing.T, shards []*shard.Shard, ticks uint64) (errs [2]error) {
	t.Helper()
	done := make(chan bool)
	for i := range errs {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			errs[i] = shards[i].Run(ctx, ticks)
			done <- true
		}()
	}
	<-done
	<-done
	return errs
}

// BenchmarkStore stores messages of a size from several concurrent senders, each of which waits for
// the server's answer, as shards do.
func BenchmarkStore(b *testing.B) {
	for _, size := range []int{100, 24 << 10, 231 << 10} {
		for _, senders := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%d bytes/%d senders", size, senders), func(b *testing.B) {
				store(b, size, senders)
			})
		}
	}
}

func store(b *testing.B, size, senders int) {
	b.Helper()
	s := world.Must(server.Start(server.Options{Dir: b.TempDir()}))
	b.Cleanup(func() { assert.NoError(b, s.Stop()) })
	var streams []jetstream.JetStream
	for range senders {
		nc := world.Must(shard.Connect(shard.Server{URL: s.URL()}))
		b.Cleanup(nc.Close)
		streams = append(streams, world.Must(jetstream.New(nc)))
	}
	world.Must(streams[0].CreateStream(b.Context(), jetstream.StreamConfig{
		Name: "store", Subjects: []string{"store.>"}, AllowDirect: true,
	}))
	var number atomic.Int64
	body := make([]byte, size)
	b.SetBytes(int64(size))
	b.ResetTimer()
	var work sync.WaitGroup
	for _, js := range streams {
		work.Go(func() {
			for n := number.Add(1); n <= int64(b.N); n = number.Add(1) {
				_, err := js.Publish(b.Context(), fmt.Sprintf("store.%d", n), body,
					jetstream.WithExpectLastSequencePerSubject(0))
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

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
	c.servers[i] = world.Must(server.Start(c.options[i]))
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

// freePorts returns ports without listeners.
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
		for range 4 { // plans; the first accepted one counts
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
