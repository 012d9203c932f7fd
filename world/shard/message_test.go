package shard

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A slate is a store of one key, which is written beside its user.
type slate struct {
	jetstream.KeyValue
	mu       *sync.Mutex
	text     []byte
	revision uint64
}

// A slateEntry is what a slate had when it was asked.
type slateEntry struct {
	jetstream.KeyValueEntry
	of slate
}

func (e slateEntry) Value() []byte    { return e.of.text }
func (e slateEntry) Revision() uint64 { return e.of.revision }

func (s *slate) write(h holder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.revision = h.bytes(), s.revision+1
}

func (s *slate) Get(context.Context, string) (jetstream.KeyValueEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slateEntry{of: *s}, nil
}

func (s *slate) Update(_ context.Context, _ string, text []byte, last uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last != s.revision {
		return 0, jetstream.ErrKeyExists
	}
	s.text, s.revision = text, last+1
	return s.revision, nil
}

// A lease that is released while another process waits for its end is taken by that process; a
// lease that is renewed meanwhile is not.
func TestALeaseThatIsGivenUpIsTaken(t *testing.T) {
	for name, want := range map[string]error{"": nil, "first": ErrHeld} {
		synctest.Test(t, func(t *testing.T) {
			s := &slate{mu: &sync.Mutex{}}
			s.write(holder{Name: "first", Epoch: 4})
			l := &lease{kv: s, key: "lease.0", patience: time.Minute, length: time.Second}
			time.AfterFunc(l.length/2, func() { s.write(holder{Name: name, Epoch: 4, Beat: 1}) })
			require.ErrorIs(t, l.acquire(t.Context(), "second"), want)
			if want == nil {
				var now holder
				require.NoError(t, json.Unmarshal(s.text, &now))
				assert.Equal(t, [2]any{"second", uint64(5)}, [2]any{now.Name, now.Epoch})
				l.release(time.Second)
			}
		})
	}
}

// read parses the parts of a message and joins them.
func read(parts [][]byte) ([]byte, error) {
	var h header
	body, err := h.parse(parts[0])
	if err != nil {
		return nil, err
	}
	return join(h, body, func(part int) ([]byte, error) { return parts[part], nil })
}

func TestMessagesAreCutAndJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		body := make([]byte, r.IntN(2000))
		for i := range body {
			body[i] = byte(r.Uint32())
		}
		limit := headerSize + 1 + r.IntN(500)
		parts := cut(header{tick: 7, from: 1, to: 2}, body, limit)
		assert.Len(t, parts, max(1, (len(body)+limit-headerSize-1)/(limit-headerSize)))
		for _, b := range parts {
			assert.LessOrEqual(t, len(b), limit)
		}
		got, err := read(parts)
		require.NoError(t, err)
		assert.Equal(t, body, append([]byte{}, got...))
		damage(t, r, parts)
	}
}

// damage changes a byte of the body, or shortens a part.
func damage(t *testing.T, r *rand.Rand, parts [][]byte) {
	t.Helper()
	b := &parts[r.IntN(len(parts))]
	if len(*b) > headerSize && r.IntN(2) == 0 {
		(*b)[headerSize+r.IntN(len(*b)-headerSize)]++
	} else {
		*b = (*b)[:r.IntN(headerSize)]
	}
	_, err := read(parts)
	assert.ErrorIs(t, err, ErrMessage)
}

func FuzzMessage(f *testing.F) {
	for _, b := range cut(header{tick: 1}, []byte("some body"), headerSize+5) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var h header
		body, err := h.parse(b)
		if err != nil {
			assert.ErrorIs(t, err, ErrMessage)
			return
		}
		_, err = join(h, body, func(int) ([]byte, error) { return nil, ErrLost })
		if err == nil {
			assert.LessOrEqual(t, len(body), len(b))
		}
	})
}

func TestEpochsAreNoDivergence(t *testing.T) {
	a := cut(header{tick: 1, epoch: 1}, []byte("a"), 100)[0]
	later := cut(header{tick: 1, epoch: 2}, []byte("a"), 100)[0]
	other := cut(header{tick: 1, epoch: 2}, []byte("b"), 100)[0]
	require.NoError(t, compare(a, later))
	require.ErrorIs(t, compare(a, other), ErrDiverged)
	assert.ErrorIs(t, compare(a, nil), ErrMessage)
}

// cuts returns n ascending values from 0 to 100, some of them equal.
func cuts(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		if list[i] = float32(r.IntN(100)); i > 0 && r.IntN(4) == 0 {
			list[i] = list[i-1]
		}
	}
	slices.Sort(list)
	return list
}

// Regions between any borders contain each point once; the shards near a point, without a region in
// between, are neighbours; and objects move from any borders to any others.
func TestBordersAreAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		nx, ny := r.IntN(5), r.IntN(3)
		old := between(axisOf(cuts(r, nx)), axisOf(cuts(r, ny)))
		next := between(axisOf(cuts(r, nx)), axisOf(cuts(r, ny)))
		for a := range old.Shards {
			for _, b := range old.Neighbours(a) {
				assert.Contains(t, old.Neighbours(b), a)
			}
			for _, b := range old.peers(&next, a) {
				assert.Contains(t, old.peers(&next, b), a)
			}
		}
		for range 50 {
			at := [3]float32{float32(r.IntN(120) - 10), float32(r.IntN(120) - 10)}
			home, then := old.Of(at), next.Of(at)
			assert.Zero(t, old.Distance(home, at))
			if then != home {
				assert.Contains(t, old.peers(&next, home), then)
			}
			for other := range old.Shards {
				if d := old.Distance(other, at); other != home && d < old.Width &&
					!math.IsInf(float64(d), 1) {
					assert.Contains(t, old.Neighbours(home), other, "%v from %v", d, at)
				}
			}
		}
	}
}

func TestNoRegionOwnsAnEmptyOne(t *testing.T) {
	p := between(axis{10, 20, 20, 30}, nil)
	assert.Equal(t, []int{0, 2, 3}, p.Neighbours(1))
	assert.Equal(t, []int{1, 3}, p.Neighbours(2))
	assert.Equal(t, 3, p.Of([3]float32{20}))
	assert.True(t, math.IsInf(float64(p.Distance(2, [3]float32{20})), 1))
	assert.Equal(t, float32(10), p.Width)
}

// A shelf is a stream that has every message, and counts purges.
type shelf struct {
	jetstream.Stream
	purges int
}

func (*shelf) GetLastMsgForSubject(context.Context, string) (*jetstream.RawStreamMsg, error) {
	return &jetstream.RawStreamMsg{Sequence: 9}, nil
}

func (f *shelf) Purge(context.Context, ...jetstream.StreamPurgeOpt) error {
	f.purges++
	return nil
}

// TestTheStartIsNotPurged: with a snapshot of tick 0 alone, a shard may have to begin at the start.
func TestTheStartIsNotPurged(t *testing.T) {
	f := &shelf{}
	w := &wire{stream: f}
	for tick, purges := range []int{0, 1, 2} {
		require.NoError(t, w.purge(t.Context(), 1, uint64(tick)))
		require.Equal(t, purges, f.purges)
	}
}
