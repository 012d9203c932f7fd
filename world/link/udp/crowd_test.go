package udp_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/space"
)

var (
	crowdClients = flag.Int("clients", 0, "of TestCrowd")
	crowdTicks   = flag.Int("ticks", 0, "of TestCrowd, 20 a second")
)

const (
	units  = 10000
	square = 809 // world units, so that 120 units are within 50
)

var (
	place   = layout.NewComponent[[2]float32]("place")
	pace    = layout.NewComponent[[2]float32]("pace")
	unit    = world.NewRecipe("unit", place, pace)
	walking = world.NewQuery(world.Write(place), world.Write(pace))
	shown   = replica.NewSchema(unit,
		replica.Field(place, replica.Fixed(0, square, 16).Delta().Smooth()),
		replica.Field(pace, replica.Fixed(-8, 8, 8)))
)

// A crowd is a served world, and clients that connect to it by sockets.
type crowd struct {
	s        world.State
	cells    *space.Cells[[2]float32]
	server   *replica.Server
	listener *udp.Listener
	at       [][2]float32 // of clients, by number
	joined   int
}

func newCrowd(t *testing.T, clients int) *crowd {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	c := &crowd{listener: listen(t, clients)}
	c.s = world.Must(world.CreateState(world.Counts{
		GameObjects: units, Recipes: []world.Recipe{unit}, Kinds: layout.Kinds(place, pace),
	}))
	t.Cleanup(func() { world.Close(c.s) })
	c.s = world.Must(world.SpawnN(c.s, unit, units, func(b world.Batch) {
		for i := range b.Len() {
			world.Column(b, place)[i] = [2]float32{r.Float32() * square, r.Float32() * square}
			world.Column(b, pace)[i] = [2]float32{r.Float32()*10 - 5, r.Float32()*10 - 5}
		}
	}))
	c.cells = world.Must(space.NewCells(c.s, place, space.Options{Size: 60}))
	c.server = replica.NewServer(c.s, shown, replica.Options{Clients: clients, Known: 256})
	for range clients {
		c.at = append(c.at, [2]float32{r.Float32() * square, r.Float32() * square})
	}
	return c
}

// tick is one of the server; it returns what sending took.
func (c *crowd) tick() (sending time.Duration) {
	for l, ok := c.listener.Accept(); ok; l, ok = c.listener.Accept() {
		c.server.Accept(l)
	}
	c.s = world.Advance(c.s)
	for range c.server.Joined() {
		c.joined++
	}
	for b := range walking.In(c.s) {
		x, v := world.Column(b, place), world.Column(b, pace)
		for i := range x {
			for k := range x[i] {
				x[i][k] += float32(v[i][k] * 0.05)
				if x[i][k] < 0 || x[i][k] > square {
					v[i][k] = -v[i][k]
				}
			}
		}
	}
	c.s = c.cells.Build(c.s, nil)
	near := c.cells.In(c.s)
	began := time.Now()
	c.s = c.server.Send(c.s, func(v *replica.View, k *replica.Conn) {
		replica.Near(v, near, c.at[k.Number()], 50, 57.5, 1)
	})
	c.listener.Flush()
	return time.Since(began)
}

// A player is one client's end.
type player struct {
	c    *udp.Conn
	s    world.State
	m    *replica.Mirror
	came int
}

func (p *player) frame(t *testing.T) {
	t.Helper()
	for d, ok := p.c.Receive(); ok; d, ok = p.c.Receive() {
		var err error
		if p.s, err = p.m.Apply(p.s, d); err != nil {
			t.Error(err)
		}
		p.came++
	}
	p.c.Send(p.m.Append(nil, nil))
}

// players connect, and play until stop is closed, on as many goroutines as there are groups.
func (c *crowd) players(t *testing.T, n int, stop chan struct{}) (all []*player, wait *sync.WaitGroup) {
	t.Helper()
	all, wait = make([]*player, n), &sync.WaitGroup{}
	for group := range min(n, 20) {
		tokens := make([][]byte, n)
		for i := group; i < n; i += 20 {
			tokens[i] = seal(t, c.listener, uint64(i))
		}
		wait.Go(func() {
			for i := group; i < n; i += 20 {
				conn, err := dialFor(t, tokens[i], 20*time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				s := world.Must(world.CreateState(shown.Counts(256)))
				all[i] = &player{c: conn, s: s, m: replica.NewMirror(s, shown, 256, replica.Show{})}
				all[i].frame(t)
			}
			for frames := time.NewTicker(50 * time.Millisecond); ; <-frames.C {
				select {
				case <-stop:
					frames.Stop()
					return
				default:
				}
				for i := group; i < n; i += 20 {
					all[i].frame(t)
				}
			}
		})
	}
	return all, wait
}

// TestCrowd serves 10,000 objects to real clients at 20 Hz, which run in the same process:
//
//	go test ./world/link/udp -run TestCrowd -v -args -clients 1000 -ticks 1200
func TestCrowd(t *testing.T) {
	clients, ticks := 60, 30
	if worldtest.AtLength() {
		clients, ticks = 500, 40
	}
	if *crowdClients > 0 && *crowdTicks > 0 {
		clients, ticks = *crowdClients, *crowdTicks
	}
	c, stop := newCrowd(t, clients), make(chan struct{})
	all, wait := c.players(t, clients, stop)
	beats := time.NewTicker(50 * time.Millisecond)
	defer beats.Stop()
	for end := time.Now().Add(60 * time.Second); c.joined < clients; <-beats.C {
		require.True(t, time.Now().Before(end), "%d of %d joined", c.joined, clients)
		c.tick()
	}
	var took, sending []time.Duration
	late := 0
	next := time.Now()
	for range ticks {
		began := time.Now()
		sending = append(sending, c.tick())
		took = append(took, time.Since(began))
		if next = next.Add(50 * time.Millisecond); time.Now().After(next) {
			late++
			next = time.Now()
		}
		time.Sleep(time.Until(next))
	}
	time.Sleep(200 * time.Millisecond)
	close(stop)
	wait.Wait()
	least := all[0].m.Tick()
	n := 0
	for _, p := range all {
		least = min(least, p.m.Tick())
		n += p.came
		require.NoError(t, p.c.Err())
		assert.Greater(t, world.Len(p.s), 10)
		require.NoError(t, p.c.Close())
		world.Close(p.s)
	}
	slices.Sort(took)
	slices.Sort(sending)
	t.Logf("%d clients, %d ticks, %d late: a tick takes %v, 99 of 100 %v; look, write, seal and send "+
		"take %v per client; %d datagrams came; %+v", clients, ticks, late, took[len(took)/2],
		took[len(took)*99/100], sending[len(sending)/2]/time.Duration(clients), n, c.listener.Stats())
	assert.Equal(t, clients, c.joined)
	assert.Positive(t, least)
}
