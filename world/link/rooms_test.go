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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
)

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

// came returns the ids of those who came to a room.
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

// A room that closes ends its own clients, those that it did not take in yet among them.
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
