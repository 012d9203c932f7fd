package shard_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"math"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

var (
	friend = layout.NewComponent[world.GameObject]("friend")
	chosen = world.NewResource("chosen", layout.NewField[world.GameObject]("whom"))
)

// Options that break a rule of shards are refused by name.
func TestOptionsAreChecked(t *testing.T) {
	c := &scene{objects: 10}
	nc := connect(t, serve(t, server.Options{}))
	two := shard.Strips(2, 0, side)
	for name, x := range map[string]struct {
		adjust func(*shard.Options)
		want   error
	}{
		"no such shard":     {func(o *shard.Options) { o.Shard = 2 }, shard.ErrOptions},
		"no schedule":       {func(o *shard.Options) { o.Schedule = nil }, shard.ErrOptions},
		"half of an input":  {func(o *shard.Options) { o.Input = func(uint64) []byte { return nil } }, shard.ErrOptions},
		"a dot in the name": {func(o *shard.Options) { o.Name = "a.b" }, shard.ErrOptions},
		"no name":           {func(o *shard.Options) { o.Name = "" }, shard.ErrOptions},
		"no functions":      {func(o *shard.Options) { o.Partition = shard.Partition{Shards: 2} }, shard.ErrOptions},
		"one-sided neighbours": {func(o *shard.Options) {
			o.Partition.Neighbours = func(i int) []int { return []int{1}[:1-i] }
		}, shard.ErrOptions},
		"a narrow border": {func(o *shard.Options) { o.Reach.Border = radius / 2 }, shard.ErrNarrow},
		"a narrow region": {func(o *shard.Options) { o.Reach.Radius = side }, shard.ErrNarrow},
		"a radius of NaN": {func(o *shard.Options) { o.Reach.Radius = float32(math.NaN()) }, shard.ErrNarrow},
		"ghosts that refer": {func(o *shard.Options) {
			o.Counts.Kinds = append(layout.Kinds(friend), o.Counts.Kinds...)
			o.Seen = []layout.AnyKind{heroes.Position, friend}
		}, shard.ErrReferences},
		"a resource that refers": {func(o *shard.Options) {
			o.Counts.Resources = append(o.Counts.Resources, chosen)
		}, shard.ErrReferences},
		"no global ids":    {func(o *shard.Options) { o.Counts.Globals = 0 }, shard.ErrOptions},
		"no room for them": {func(o *shard.Options) { o.Counts.Globals = 2 }, world.ErrFull},
	} {
		t.Run(name, func(t *testing.T) {
			o := c.options(t, 0, two)
			x.adjust(&o)
			_, err := start(t, nc, o)
			assert.ErrorIs(t, err, x.want)
		})
	}
	_, err := shard.Start(t.Context(), nil, c.options(t, 0, two))
	assert.ErrorIs(t, err, shard.ErrOptions, "two shards without a server")
}

func TestOnlyLoopbackIsOpen(t *testing.T) {
	for url, want := range map[string]error{
		"nats://192.0.2.1:4222": shard.ErrOpen, "nats://127.0.0.1:1": nil, "nats://[::1]:1": nil,
		"nats://a:b@127.0.0.1:1": nil, "nats://example.org": shard.ErrOpen,
		"nats://127.0.0.1:1,nats://[::1]:1": nil, "nats://127.0.0.1:1, nats://a:b@example.org": nil,
		"nats://127.0.0.1:1,nats://example.org:4222": shard.ErrOpen,
	} {
		nc, err := shard.Connect(shard.Server{URL: url})
		require.ErrorIs(t, err, want, url)
		if err == nil {
			nc.Close()
		}
	}
	s := serve(t, server.Options{User: "crowd", Password: "secret"})
	nc := world.Must(shard.Connect(shard.Server{URL: s.URL(), User: "crowd", Password: "secret"}))
	defer nc.Close()
	_, err := nc.RTT()
	assert.NoError(t, err)
}

// pair starts two shards in one process, whose ticks are done by both.
func pair(t *testing.T, a, b shard.Options) (errA, errB error) {
	t.Helper()
	nc := connect(t, serve(t, server.Options{}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	run := func(o shard.Options) error {
		s, err := shard.Start(ctx, nc, o)
		if err != nil {
			return err
		}
		defer s.Close()
		return s.Run(ctx, 6)
	}
	go func() { done <- run(b) }()
	errA = run(a)
	if errA != nil {
		cancel()
	}
	return errA, <-done
}

func TestRulesOfBorders(t *testing.T) {
	const tick = 8 // of the world, in the third tick of the shards
	change := func(f func(s world.State, id world.GameObject) (world.State, error)) *scene {
		return &scene{objects: 60, change: func(s world.State, now uint64) (world.State, error) {
			if id, ok := walking.First(s); ok && now >= tick {
				return f(s, id)
			}
			return s, nil
		}}
	}
	far := change(func(s world.State, id world.GameObject) (world.State, error) {
		return world.Set(s, id, heroes.Position, [3]float32{side - 1})
	})
	nameless := change(func(s world.State, id world.GameObject) (world.State, error) {
		return world.Remove(s, id, pack.Global)
	})
	still := &scene{objects: 60}
	for name, x := range map[string]struct {
		c    *scene
		want error
	}{"too far": {far, shard.ErrFar}, "without a number": {nameless, shard.ErrGlobal}} {
		t.Run(name, func(t *testing.T) {
			// The third region has no shard: shard 0 stops before it waits for a neighbour.
			p := shard.Strips(3, 0, side)
			p.Neighbours = func(i int) []int { return [][]int{{1}, {0}, nil}[i] }
			err, _ := pair(t, x.c.options(t, 0, p), still.options(t, 1, p))
			assert.ErrorIs(t, err, x.want)
		})
	}
}

func TestResourcesAreTheSame(t *testing.T) {
	p := shard.Strips(2, 0, side)
	other := &scene{objects: 60, change: func(s world.State, now uint64) (world.State, error) {
		return world.SetResource(s, factor, 33), nil
	}}
	a, b := pair(t, (&scene{objects: 60}).options(t, 0, p), other.options(t, 1, p))
	assert.ErrorIs(t, errors.Join(a, b), shard.ErrDiffers)
}

func TestInputsOfATickFitInAMessage(t *testing.T) {
	c := &scene{objects: 10}
	o := c.options(t, 0, shard.Strips(1, 0, side))
	o.Input = func(uint64) []byte { return make([]byte, 9<<20) }
	o.Apply = func(s world.State, _ []byte) (world.State, error) { return s, nil }
	s := world.Must(start(t, connect(t, serve(t, server.Options{})), o))
	defer s.Close()
	require.ErrorIs(t, s.Step(t.Context()), shard.ErrInput)
	assert.ErrorIs(t, s.Step(t.Context()), shard.ErrInput, "it has stopped")
}

func TestANeighbourIsWaitedForWithPatience(t *testing.T) {
	o := (&scene{objects: 10}).options(t, 0, shard.Strips(2, 0, side))
	o.Patience = 300 * time.Millisecond
	nc := connect(t, serve(t, server.Options{}))
	for { // patience is for the server, too, which may be slow
		_, err := start(t, nc, o)
		require.ErrorIs(t, err, shard.ErrSilent)
		if strings.Contains(err.Error(), "from shard 1 at tick 0") {
			return
		}
	}
}

// A shard that computes a tick differently stops, and the first outcome counts.
func TestADifferentOutcomeIsFound(t *testing.T) {
	nc := connect(t, serve(t, server.Options{}))
	p := shard.Strips(2, 0, side)
	c := &scene{objects: 100}
	c.together(t, nc, p, 4, func(o *shard.Options) { o.Holder = "test" })
	c.change = func(s world.State, now uint64) (world.State, error) {
		for b := range walking.In(s) {
			for i := range world.Column(b, heroes.Position) {
				world.Column(b, heroes.Position)[i][2]++ // up
			}
		}
		return s, nil
	}
	o := c.options(t, 0, p)
	o.Holder = "test"
	s := world.Must(start(t, nc, o))
	defer s.Close()
	assert.ErrorIs(t, s.Run(t.Context(), 4), shard.ErrDiverged)
}

func TestOneProcessRunsAShard(t *testing.T) {
	t.Parallel() // it waits for most of the time
	nc := connect(t, serve(t, server.Options{}))
	c := &scene{objects: 30}
	o := c.options(t, 0, shard.Strips(1, 0, side))
	o.Lease, o.Holder = 4*time.Second, "first"
	o.Input = func(uint64) []byte { return nil } // each tick stores something
	o.Apply = func(s world.State, _ []byte) (world.State, error) { return s, nil }
	first := world.Must(start(t, nc, o))
	defer first.Close()
	require.NoError(t, first.Run(t.Context(), 3))

	o.Holder = "by mistake"
	_, err := start(t, nc, o)
	require.ErrorIs(t, err, shard.ErrHeld)
	require.NoError(t, first.Step(t.Context()))

	o.Holder = "first" // a supervisor that believes the first one dead
	second := world.Must(start(t, nc, o))
	defer second.Close()
	require.NoError(t, second.Run(t.Context(), 5))
	assert.Eventually(t, func() bool {
		return errors.Is(first.Step(t.Context()), shard.ErrFenced)
	}, patience, 10*time.Millisecond)

	second.Close()
	o.Holder = "next"
	third, err := start(t, nc, o)
	require.NoError(t, err, "the lease was given up")
	third.Close()
}

// A shard that is started with a damaged snapshot begins with the one before.
func TestTheOlderSnapshotIsKept(t *testing.T) {
	const ticks = 23
	nc := connect(t, serve(t, server.Options{}))
	p := shard.Strips(2, 0, side)
	c := &scene{objects: 100}
	var want outcome
	for _, tick := range []uint64{7, 12, ticks} { // Close waits for a snapshot, so each has three
		shards := c.together(t, nc, p, tick, nil)
		want = outcomeOf(t, shards...)
		for _, s := range shards {
			s.Close()
		}
	}
	js := world.Must(jetstream.New(nc))
	store := world.Must(js.ObjectStore(t.Context(), "test-snapshots"))
	objects := world.Must(store.List(t.Context()))
	assert.GreaterOrEqual(t, len(objects), 4, "two of each shard")
	stream := world.Must(js.Stream(t.Context(), "test"))
	info := world.Must(stream.Info(t.Context(), jetstream.WithSubjectFilter("test.m.>")))
	assert.Less(t, info.State.Msgs, uint64(2*ticks), "messages before the older snapshots are removed")

	newest := newestOf(objects)
	b := world.Must(store.GetBytes(t.Context(), newest))
	b[len(b)/2]++
	object := world.Must(store.GetInfo(t.Context(), newest))
	_, err := store.Put(t.Context(), jetstream.ObjectMeta{Name: newest, Metadata: object.Metadata},
		bytes.NewReader(b))
	require.NoError(t, err)
	again := c.together(t, nc, p, ticks, nil)
	assert.Equal(t, want, outcomeOf(t, again...))
	for _, s := range again {
		s.Close()
	}
	objects = world.Must(store.List(t.Context()))
	for _, o := range objects {
		if o.Name[:2] == "0." {
			world.Must(store.PutBytes(t.Context(), o.Name, b[:len(b)/2]))
		}
	}
	_, err = start(t, nc, c.options(t, 0, p))
	assert.ErrorIs(t, err, shard.ErrSnapshot)
}

// newestOf returns the name of the newest snapshot of shard 0.
func newestOf(objects []*jetstream.ObjectInfo) (newest string) {
	for _, o := range objects {
		if o.Name[:2] == "0." && (len(o.Name) > len(newest) ||
			len(o.Name) == len(newest) && o.Name > newest) {
			newest = o.Name
		}
	}
	return newest
}

// A message that a snapshot of its sender says was sent, and that is gone, is not waited for.
func TestALostMessageIsNamed(t *testing.T) {
	nc := connect(t, serve(t, server.Options{}))
	p := shard.Strips(2, 0, side)
	c := &scene{objects: 60}
	for _, s := range c.together(t, nc, p, 11, nil) {
		s.Close()
	}
	js := world.Must(jetstream.New(nc))
	stream := world.Must(js.Stream(t.Context(), "test"))
	require.NoError(t, stream.Purge(t.Context()))
	kv := world.Must(js.KeyValue(t.Context(), "test"))
	require.NoError(t, kv.Delete(t.Context(), "snapshot.0"))
	_, err := start(t, nc, c.options(t, 0, p))
	assert.ErrorIs(t, err, shard.ErrLost)
}

// certificates returns the settings of a server on loopback, and the settings of clients that trust
// it.
func certificates(t *testing.T) (ofServer, ofClients *tls.Config) {
	t.Helper()
	key := world.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw := world.Must(x509.CreateCertificate(rand.Reader, form, form, key.Public(), key))
	made := world.Must(x509.ParseCertificate(raw))
	known := x509.NewCertPool()
	known.AddCert(made)
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}},
	}, &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: known}
}

// two runs two shards, each by a connection of its own, and compares with one.
func (c *scene) two(t *testing.T, connections [2]*nats.Conn) {
	t.Helper()
	const ticks = 12
	shards, errs := [2]*shard.Shard{}, [2]error{}
	var work sync.WaitGroup
	for i, nc := range connections {
		o := c.options(t, i, shard.Strips(2, 0, side))
		o.Name, o.Every, o.Patience = "crowd", 4, 20*time.Second
		work.Go(func() {
			if shards[i], errs[i] = shard.Start(t.Context(), nc, o); errs[i] == nil {
				errs[i] = shards[i].Run(t.Context(), ticks)
			}
		})
	}
	work.Wait()
	for i, s := range shards {
		require.NoError(t, errs[i])
		t.Cleanup(s.Close)
	}
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards[:]...))
}

func TestShardsTalkByTLSAndPasswords(t *testing.T) {
	ofServer, ofClients := certificates(t)
	s := serve(t, server.Options{User: "crowd", Password: "secret", TLS: ofServer})
	assert.Regexp(t, "^tls://", s.URL())
	good := shard.Server{URL: s.URL(), User: "crowd", Password: "secret", TLS: ofClients}
	nc := world.Must(shard.Connect(good))
	defer nc.Close()
	assert.NotEmpty(t, connected(t, nc).Version)
	(&scene{objects: 100}).two(t, [2]*nats.Conn{nc, nc})

	_, strangers := certificates(t)
	for name, change := range map[string]func(s *shard.Server){
		"password":    func(s *shard.Server) { s.Password = "other" },
		"user":        func(s *shard.Server) { s.User = "other" },
		"nobody":      func(s *shard.Server) { s.User, s.Password = "", "" },
		"certificate": func(s *shard.Server) { s.TLS = strangers },
		"system's":    func(s *shard.Server) { s.TLS = nil },
	} {
		bad := good
		change(&bad)
		nc, err := shard.Connect(bad)
		if assert.ErrorIs(t, err, shard.ErrRefused, name) {
			assert.NotContains(t, err.Error(), "secret", name)
		} else {
			nc.Close()
		}
	}
	plain := serve(t, server.Options{User: "crowd", Password: "secret"})
	good.URL = plain.URL()
	_, err := shard.Connect(good)
	require.ErrorIs(t, err, shard.ErrRefused, "a server without TLS, to whom TLS was asked for")
}

func connected(t *testing.T, nc *nats.Conn) tls.ConnectionState {
	t.Helper()
	return world.Must(nc.TLSConnectionState())
}

// seed writes a new nkey to a file, and returns that and the public part.
func seed(t *testing.T) (file, public string) {
	t.Helper()
	key := world.Must(nkeys.CreateUser())
	secret := world.Must(key.Seed())
	public = world.Must(key.PublicKey())
	file = filepath.Join(t.TempDir(), "seed")
	require.NoError(t, os.WriteFile(file, secret, 0o600))
	return file, public
}

// The example is a configuration that a server loads; two shards with keys of their own need no
// other permission than those it gives.
func TestShardsHavePermissionsPerSubject(t *testing.T) {
	example, err := os.ReadFile("server/shards.conf")
	require.NoError(t, err)
	var files []string
	text := regexp.MustCompile(`\bU[A-Z0-9]{55}\b`).ReplaceAllFunc(example, func([]byte) []byte {
		file, public := seed(t)
		files = append(files, file)
		return []byte(public)
	})
	require.Len(t, files, 2)
	config := filepath.Join(t.TempDir(), "shards.conf")
	require.NoError(t, os.WriteFile(config, text, 0o600))
	s := serve(t, server.Options{Config: config})

	var log bytes.Buffer
	heard := slog.New(slog.NewTextHandler(&guarded{w: &log}, nil))
	var connections [2]*nats.Conn
	for i, file := range files {
		connections[i], err = shard.Connect(shard.Server{URL: s.URL(), Seed: file, Log: heard})
		require.NoError(t, err)
		t.Cleanup(connections[i].Close)
	}
	(&scene{objects: 200}).two(t, connections)
	assert.Empty(t, log.String(), "a shard needs more than the example permits")

	foreign, _ := seed(t)
	_, err = shard.Connect(shard.Server{URL: s.URL(), Seed: foreign})
	require.ErrorIs(t, err, shard.ErrRefused)
	refusesForeignSubjects(t, connections[0])

	looks, err := shard.Connect(shard.Server{URL: s.URL(), User: "looks", Password: "change this"})
	require.NoError(t, err)
	defer looks.Close()
	assert.True(t, refuses(t, looks, "crowd.m.0.1.99.0"))
	tanks, err := shard.Connect(shard.Server{URL: s.URL(), User: "tanks", Password: "change this, too"})
	require.NoError(t, err)
	defer tanks.Close()
	all := world.Must(tanks.SubscribeSync("crowd.>"))
	require.NoError(t, tanks.Flush())
	require.NoError(t, connections[0].Publish("crowd.m.1.0.99.0", nil))
	require.NoError(t, connections[0].Flush())
	require.NoError(t, tanks.Flush())
	n, _ := world.Must2(all.Pending())
	assert.Zero(t, n, "an account hears nothing of another one")
}

// refusesForeignSubjects asks as shard 0 for what is another's.
func refusesForeignSubjects(t *testing.T, nc *nats.Conn) {
	t.Helper()
	for _, subject := range []string{
		"crowd.m.0.1.99.0", "crowd.i.1.99", "$KV.crowd.lease.1", "$KV.crowd.snapshot.1",
		"tanks.m.1.0.99.0", "$JS.API.STREAM.DELETE.crowd", "$JS.API.STREAM.PURGE.KV_crowd",
		"crowd.r.1.0.99.0",
	} {
		assert.True(t, refuses(t, nc, subject), subject)
	}
	assert.False(t, refuses(t, nc, "crowd.m.1.0.99.0"))
	world.Must(nc.SubscribeSync("crowd.r.1.>"))
	assert.True(t, refused(t, nc, "crowd.r.1.>"))
}

// refuses reports whether the server refuses what is published to a subject.
func refuses(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	require.NoError(t, nc.Publish(subject, []byte("foreign")))
	return refused(t, nc, subject)
}

// refused reports whether the server refused a subject before it answered.
func refused(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	require.NoError(t, nc.Flush())
	err := nc.LastError()
	return err != nil && errors.Is(err, nats.ErrPermissionViolation) &&
		strings.Contains(err.Error(), strconv.Quote(subject))
}

// A guarded writer may be used by several goroutines.
type guarded struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (g *guarded) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(b)
}

// Only on loopback are clients not authenticated.
func TestWithoutUsersServersAreOnLoopback(t *testing.T) {
	config := filepath.Join(t.TempDir(), "open.conf")
	require.NoError(t, os.WriteFile(config, []byte("host: 0.0.0.0\n"), 0o600))
	anybody := filepath.Join(t.TempDir(), "anybody.conf")
	require.NoError(t, os.WriteFile(anybody, []byte("host: 0.0.0.0\nno_auth_user: a\n"+
		"accounts { A { users: [ { user: a, password: b } ] } }\n"), 0o600))
	for name, o := range map[string]server.Options{
		"a host":      {Host: "0.0.0.0"},
		"a config":    {Config: config},
		"an any user": {Config: anybody},
		"a name":      {Host: "example.com"},
	} {
		o.Dir = t.TempDir()
		_, err := server.Start(o)
		require.ErrorIs(t, err, shard.ErrOpen, name)
	}
	_, err := server.Start(server.Options{Dir: t.TempDir(), Config: "no.conf"})
	require.ErrorIs(t, err, os.ErrNotExist)
}
