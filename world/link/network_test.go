package link_test

import (
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/flatecs/flatecs/world/link"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// carried sends the numbers 0 to n-1, one per step, and returns in which step each came.
func carried(n int, c link.Conditions) map[byte][]int {
	network := link.NewNetwork(2, c)
	from, to := network.Link(0, 1), network.Link(1, 0)
	came := map[byte][]int{}
	for step := range n + 20 {
		network.Step()
		if step < n {
			from.Send([]byte{byte(step)})
		}
		for {
			datagram, ok := to.Receive()
			if !ok {
				break
			}
			came[datagram[0]] = append(came[datagram[0]], step)
		}
	}
	return came
}

func TestNetworkDelays(t *testing.T) {
	for step, came := range carried(100, link.Conditions{Delay: 6}) {
		assert.Equal(t, []int{int(step) + 6}, came)
	}
}

func TestNetworkLosesRepeatsBreaksAndReorders(t *testing.T) {
	assert.Empty(t, carried(100, link.Conditions{Loss: 1}))
	assert.InDelta(t, 80, len(carried(100, link.Conditions{Loss: 0.2, Seed: 1})), 12)
	twice, overtaken, last := 0, 0, 0
	came := carried(100, link.Conditions{Delay: 2, Jitter: 4, Duplicates: 0.3, Seed: 1})
	for number := range byte(100) {
		steps := came[number]
		if len(steps) == 2 {
			twice++
		}
		if steps[0] < last {
			overtaken++
		}
		last = steps[0]
		assert.GreaterOrEqual(t, slices.Min(steps), int(number)+2)
		assert.LessOrEqual(t, slices.Max(steps), int(number)+6)
	}
	assert.InDelta(t, 30, twice, 15)
	assert.Greater(t, overtaken, 10)
	for number := range carried(1, link.Conditions{Broken: 1, Seed: 1}) {
		assert.NotZero(t, number)
	}
	assert.Equal(t, came, carried(100, link.Conditions{Delay: 2, Jitter: 4, Duplicates: 0.3, Seed: 1}),
		"the same seed, the same network")
}

func TestNetworkThatIsFullLoses(t *testing.T) {
	network := link.NewNetwork(2, link.Conditions{})
	from, to := network.Link(0, 1), network.Link(1, 0)
	for range 1000 {
		from.Send([]byte{1})
	}
	n := 0
	for _, ok := to.Receive(); ok; _, ok = to.Receive() {
		n++
	}
	assert.Equal(t, 128, n)
	assert.PanicsWithValue(t,
		"link: a link from 0 to 2; have two of the 2 ends of NewNetwork",
		func() { network.Link(0, 2) })
}

// A wire does not depend on datagrams of other wires, and a network can have thousands of ends.
func TestNetworkWiresAreIndependent(t *testing.T) {
	came := func(beside bool) (steps []int) {
		network := link.NewNetwork(5000, link.Conditions{Jitter: 5, Loss: 0.2, Duplicates: 0.2, Seed: 3})
		from, to, other := network.Link(7, 4999), network.Link(4999, 7), network.Link(7, 2)
		for step := range 100 {
			network.Step()
			from.Send([]byte{1})
			if beside {
				other.Send([]byte{2})
			}
			for _, ok := to.Receive(); ok; _, ok = to.Receive() {
				steps = append(steps, step)
			}
		}
		return steps
	}
	assert.Equal(t, came(false), came(true))
	assert.PanicsWithValue(t, "link: this Network is nil, or was not made; make one by NewNetwork",
		func() { new(link.Network).Step() })
}

// A door is a listener to which a test brings clients.
type door struct {
	mu      sync.Mutex
	guests  []*guest
	flushed int
}

// A guest is a client of a door.
type guest struct {
	link.Client
	id   uint64
	data []byte
	gone atomic.Bool
}

func (g *guest) ID() uint64   { return g.id }
func (g *guest) Data() []byte { return g.data }
func (g *guest) Close()       { g.gone.Store(true) }
func (g *guest) Err() error {
	if g.gone.Load() {
		return errors.New("gone")
	}
	return nil
}

func (d *door) bring(id uint64, data ...byte) *guest {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := &guest{id: id, data: data}
	d.guests = append(d.guests, g)
	return g
}

func (d *door) Accept() (link.Client, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.guests) == 0 {
		return nil, false
	}
	g := d.guests[0]
	d.guests = d.guests[1:]
	return g, true
}

func (d *door) Flush()       { d.flushed++ }
func (d *door) Close() error { return nil }

// came returns the ids of the clients that came to a room.
func came(l link.Listener) (ids []uint64) {
	for c, ok := l.Accept(); ok; c, ok = l.Accept() {
		ids = append(ids, c.ID())
	}
	return ids
}

// Clients of two listeners come to the rooms that they name, in their order, and to none if it is
// not open.
func TestRooms(t *testing.T) {
	var rooms link.Rooms
	first, second := &door{}, &door{}
	rooms.Add(first)
	rooms.Add(second)
	seven, none := rooms.Open(7), rooms.Open(0)
	far := rooms.Open(1 << 56)
	first.bring(1, 7)
	first.bring(2)
	gone := first.bring(3, 7, 0, 0)
	gone.Close()
	second.bring(4, 7, 0, 0, 0, 0, 0, 0, 0, 99)
	lost := second.bring(5, 0, 7)
	second.bring(6, 0, 0, 0, 0, 0, 0, 0, 1)
	assert.Equal(t, []uint64{2}, came(none))
	assert.Equal(t, []uint64{1, 4}, came(seven))
	assert.Equal(t, []uint64{6}, came(far))
	require.Error(t, lost.Err(), "no room has its number")
	far.Flush()
	assert.Equal(t, [2]int{1, 1}, [2]int{first.flushed, second.flushed})

	require.NoError(t, rooms.Admit([]byte{7}))
	require.NoError(t, rooms.Admit(binary.LittleEndian.AppendUint64(nil, 1<<56)))
	err := rooms.Admit([]byte{0, 7})
	require.ErrorIs(t, err, link.ErrRoom)
	require.EqualError(t, err, "link: there is no such room: 1792; 3 others are open")
	assert.PanicsWithValue(t, "link: room 7 is open; close it first", func() { rooms.Open(7) })
}

// A closing room ends its own clients, including clients that were not accepted yet.
func TestRoomsClose(t *testing.T) {
	var rooms link.Rooms
	door := &door{}
	rooms.Add(door)
	one, two := rooms.Open(1), rooms.Open(2)
	in, other := door.bring(1, 1), door.bring(2, 2)
	assert.Equal(t, []uint64{1}, came(one))
	waits := door.bring(3, 1)
	assert.Equal(t, []uint64{2}, came(two))
	require.NoError(t, one.Close())
	require.NoError(t, one.Close())
	require.Error(t, in.Err())
	require.Error(t, waits.Err())
	require.NoError(t, other.Err())
	require.ErrorIs(t, rooms.Admit([]byte{1}), link.ErrRoom)
	again := rooms.Open(1)
	require.NoError(t, one.Close(), "which is not the one that is open")
	door.bring(4, 1)
	assert.Empty(t, came(one))
	assert.Equal(t, []uint64{4}, came(again))
}

// A room forgets clients that are gone, whether it asks for them or not.
func TestRoomsForgetWhoIsGone(t *testing.T) {
	var rooms link.Rooms
	door := &door{}
	rooms.Add(door)
	asks, sleeps := rooms.Open(1), rooms.Open(2)
	var all []weak.Pointer[guest]
	for range 1000 {
		a, b := door.bring(1, 1), door.bring(2, 2)
		came(asks)
		a.Close()
		b.Close()
		all = append(all, weak.Make(a), weak.Make(b))
	}
	runtime.GC()
	kept := slices.DeleteFunc(all, func(w weak.Pointer[guest]) bool { return w.Value() == nil })
	assert.Less(t, len(kept), 20)
	assert.Empty(t, came(sleeps))
}

// Rooms are played by goroutines of their own, while clients come.
func TestRoomsAtOnce(t *testing.T) {
	const n, each = 4, 300
	var rooms link.Rooms
	door := &door{}
	rooms.Add(door)
	var players, bringer sync.WaitGroup
	var total atomic.Int64
	for number := range byte(n) {
		r := rooms.Open(uint64(number))
		players.Go(func() {
			for seen := map[uint64]bool{}; len(seen) < each; {
				for _, id := range came(r) {
					assert.False(t, seen[id], "once")
					seen[id] = true
					total.Add(1)
				}
			}
		})
	}
	bringer.Go(func() {
		for id := range uint64(each) {
			for number := range byte(n) {
				if err := rooms.Admit([]byte{number}); err != nil {
					t.Error(err)
				}
				door.bring(id, number)
			}
		}
	})
	bringer.Wait()
	players.Wait()
	assert.EqualValues(t, n*each, total.Load())
}
