package queue_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/flatecs/flatecs/world/link/internal/queue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A queue does what a list of datagrams does that drops its first ones.
func TestQueueAgainstAList(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		size := 1 + r.IntN(60)
		q := queue.New(size)
		var list [][]byte
		used := 0
		for range 200 {
			if r.IntN(2) == 0 {
				d := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(30))
				lost := 0
				if len(d)+2 > size {
					lost = 1
				} else {
					for ; used+len(d)+2 > size; lost++ {
						used -= len(list[0]) + 2
						list = list[1:]
					}
					list, used = append(list, d), used+len(d)+2
				}
				assert.Equal(t, lost, q.Put(d))
				continue
			}
			d, ok := q.Take(nil)
			assert.Equal(t, len(list) > 0, ok)
			if ok {
				assert.Equal(t, list[0], append([]byte{}, d...))
				used -= len(d) + 2
				list = list[1:]
			}
		}
	}
}

func TestAllocsQueue(t *testing.T) {
	q, d, out := queue.New(100), make([]byte, 30), make([]byte, 0, 30)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		q.Put(d)
		q.Take(out)
	}))
}

// A guest is a client that may go.
type guest struct {
	number int
	err    error
}

func (g *guest) Err() error { return g.err }

// Arrivals are taken in order, except those that disconnected, and hold as many disconnected ones
// as may be connected at once.
func TestArrivalsAgainstAList(t *testing.T) {
	const most = 5
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var a queue.Arrivals[*guest]
		var here []*guest // that came, were not taken, and did not go
		for n := range 200 {
			switch r.IntN(4) {
			case 0, 1:
				if len(here) < most {
					g := &guest{number: n}
					a.Put(g, most)
					here = append(here, g)
				}
			case 2:
				if len(here) > 0 {
					i := r.IntN(len(here))
					here[i].err = errors.New("it went")
					here = append(here[:i:i], here[i+1:]...)
				}
			default:
				g, ok := a.Take()
				assert.Equal(t, len(here) > 0, ok)
				if ok {
					assert.Same(t, here[0], g)
					here = here[1:]
				}
			}
			assert.LessOrEqual(t, a.Len(), 2*most)
		}
	}
}

// A caller is a client of places.
type caller struct {
	guest
	id   uint64
	lost int
}

func (c *caller) ID() uint64    { return c.id }
func (c *caller) Lost() int     { return c.lost }
func (c *caller) End(why error) { c.err = why }

var (
	errAgain   = errors.New("it came again")
	errRefused = errors.New("it is not let in")
	errEnd     = errors.New("the listener is closed")
)

// Places under random lives do what a list of clients does.
func TestPlacesAgainstAList(t *testing.T) {
	const most = 4
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := queue.NewPlaces[*caller](most, errAgain)
		var here, gone, waiting []*caller // with a place, that lost it to another, not accepted
		var want queue.Counted
		coming, last := 0, uint64(0)
		for range 150 {
			switch r.IntN(7) {
			case 0, 1:
				ok := len(here)+coming < most
				assert.Equal(t, ok, p.Reserve())
				if ok {
					coming++
				} else {
					want.Full++
				}
			case 2:
				if coming == 0 {
					continue
				}
				coming--
				want.Refused++
				assert.False(t, p.Take(nil, errRefused))
				p.Done()
			case 3, 4:
				if coming == 0 {
					continue
				}
				coming--
				c := &caller{id: uint64(100 + r.IntN(6)), lost: r.IntN(3)}
				if r.IntN(2) == 0 {
					last++
					c.id = p.NewID()
					assert.Equal(t, last, c.id)
				}
				same := func(o *caller) bool { return o.id == c.id }
				if i := slices.IndexFunc(here, same); i >= 0 {
					require.NoError(t, here[i].err)
					gone, here = append(gone, here[i]), slices.Delete(here, i, i+1)
				}
				assert.True(t, p.Take(c, nil))
				here, waiting = append(here, c), append(waiting, c)
			case 5:
				all := &here
				if len(gone) > 0 {
					all = &gone
					require.ErrorIs(t, gone[0].err, errAgain)
				}
				if len(*all) == 0 {
					continue
				}
				c := (*all)[0]
				*all = slices.Delete(*all, 0, 1)
				c.err = errEnd
				want.Lost += c.lost
				p.Leave(c)
				p.Done()
			default:
				waiting = slices.DeleteFunc(waiting, func(c *caller) bool { return c.err != nil })
				c, ok := p.Accept()
				if assert.Equal(t, len(waiting) > 0, ok); ok {
					assert.Same(t, waiting[0], c)
					waiting = waiting[1:]
				}
			}
			want.Clients = len(here) + coming
			assert.Equal(t, want, p.Counted())
		}
	}
}

// End ends all clients, accepts no more, not even for reserved places, and Wait waits for those.
func TestPlacesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := queue.NewPlaces[*caller](9, errAgain)
		one, other := &caller{id: 1}, &caller{id: 2}
		for _, c := range []*caller{one, other} {
			assert.True(t, p.Reserve())
			assert.True(t, p.Take(c, nil))
		}
		assert.True(t, p.Reserve())
		p.End(errEnd)
		require.ErrorIs(t, one.err, errEnd)
		require.ErrorIs(t, other.err, errEnd)
		assert.False(t, p.Reserve())
		assert.False(t, p.Take(&caller{id: 3}, nil))
		_, ok := p.Accept()
		assert.False(t, ok)
		assert.Equal(t, queue.Counted{Clients: 2, Full: 1}, p.Counted())
		done := false
		go func() {
			p.Wait()
			done = true
		}()
		for range 3 {
			synctest.Wait()
			assert.False(t, done)
			p.Done()
		}
		synctest.Wait()
		assert.True(t, done)
	})
}

// Of many that come at once as many get in as there are places, each with an ID of its own.
func TestPlacesOfManyAtOnce(t *testing.T) {
	const most = 20
	p := queue.NewPlaces[*caller](most, errAgain)
	var all sync.WaitGroup
	for range 10 * most {
		all.Go(func() {
			if !p.Reserve() {
				return
			}
			defer p.Done()
			c := &caller{id: p.NewID(), lost: 1}
			assert.True(t, p.Take(c, nil))
			_, _ = p.Accept()
			p.Leave(c)
		})
	}
	all.Wait()
	p.Wait()
	got := p.Counted()
	assert.Zero(t, got.Clients)
	assert.Equal(t, 10*most, got.Full+got.Lost)
	assert.GreaterOrEqual(t, got.Lost, most)
}
