package session

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// some returns a datagram with two inputs of three bytes and one digest.
func some() []byte {
	p := packet{
		from: 3, to: 1, ahead: -5, sequence: 6, frame: 7, ack: 8, first: 9, count: 2, digestAck: 10,
		digestFirst: 11, digestCount: 1,
	}
	b := p.begin(make([]byte, link.MaxDatagram), 3)
	b = append(b, "abcdef01234567"...)
	seal(b, 42)
	return b
}

func TestDatagramRoundTrip(t *testing.T) {
	var p packet
	require.True(t, p.parse(some(), 42, 3))
	assert.Equal(t, packet{
		from: 3, to: 1, ahead: -5, sequence: 6, frame: 7, ack: 8, first: 9, count: 2, digestAck: 10,
		digestFirst: 11, digestCount: 1, inputs: []byte("abcdef"), digests: []byte("01234567"),
	}, p)
}

// The bytes on the wire are what the package comment says.
func TestDatagramLayout(t *testing.T) {
	assert.Equal(t, []byte{
		1, 3, 1, 2, 3, 0, 1, 0xfb, 6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0,
		11, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5', '6', '7',
	}, some()[8:])
}

func TestBrokenDatagramsAreRefused(t *testing.T) {
	var p packet
	for i := range some() {
		for bit := range 8 {
			b := some()
			b[i] ^= 1 << bit
			assert.False(t, p.parse(b, 42, 3), "byte %d", i)
		}
		assert.False(t, p.parse(some()[:i], 42, 3), "%d bytes", i)
	}
	assert.False(t, p.parse(some(), 43, 3), "another session")
	assert.False(t, p.parse(some(), 42, 2), "inputs of another length")
	for name, change := range map[string]func(b []byte) []byte{
		"another version":   func(b []byte) []byte { b[8] += 2; return b },
		"too many inputs":   func(b []byte) []byte { b[11]++; return b },
		"too few inputs":    func(b []byte) []byte { b[11]--; return b },
		"too many digests":  func(b []byte) []byte { b[14] = 255; return b },
		"a negative frame":  func(b []byte) []byte { b[23] = 0x80; return b },
		"something after":   func(b []byte) []byte { return append(b, 0) },
		"longer than all":   func(b []byte) []byte { return append(b, make([]byte, link.MaxDatagram)...) },
		"a header only":     func(b []byte) []byte { return b[:headerSize] },
		"a negative digest": func(b []byte) []byte { b[39] = 0xff; return b },
	} {
		b := change(some())
		seal(b, 42)
		assert.False(t, p.parse(b, 42, 3), name)
	}
}

// silent is a link on which one datagram comes.
type silent struct{ datagram []byte }

func (*silent) Send([]byte) {}

func (l *silent) Receive() ([]byte, bool) {
	b := l.datagram
	l.datagram = nil
	return b, b != nil
}

// lonely returns a session that has taken steps, and its link.
func lonely(tb testing.TB, steps int) (*Session, world.State, *silent) {
	tb.Helper()
	state := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	l := &silent{}
	s := world.Must(New(state, Options{
		ID: 42, Local: 1, Links: []link.Link{l, nil}, InputBytes: 3, Delay: 2, Frames: 10,
		Step: func(s world.State, _ []byte) world.State { return world.Advance(s) },
	}))
	for range steps {
		state = world.Must(s.Advance(state, []byte{1, 2, 3}))
	}
	return s, state, l
}

// What has the right form and says what cannot be is left out too.
func TestImpossibleDatagramsAreStrays(t *testing.T) {
	drops := append([]byte{2}, make([]byte, 31)...)
	for name, p := range map[string]packet{
		"from another player":           {from: 1, to: 1},
		"to another player":             {from: 0, to: 0},
		"knows inputs to come":          {to: 1, ack: 8},
		"knows digests to come":         {to: 1, digestAck: 9},
		"inputs after a gap":            {to: 1, first: 1},
		"digests after a gap":           {to: 1, digestFirst: math.MaxInt32},
		"knows nearly all inputs there": {to: 1, ack: math.MaxInt32},
		"votes without a set":           {kind: 1, to: 1},
		"votes about nobody":            {kind: 1, to: 1, digestAck: 2, digests: drops},
		"votes by the far future":       {kind: 1, to: 1, ack: 1032, digests: drops},
		"votes for the far future":      {kind: 1, to: 1, frame: 2056, digests: drops},
	} {
		t.Run(name, func(t *testing.T) {
			s, state, l := lonely(t, 5)
			p.digestCount = len(p.digests) / 8
			l.datagram = append(p.begin(make([]byte, link.MaxDatagram), 3), p.digests...)
			seal(l.datagram, 42)
			world.Must(s.Advance(state, []byte{1, 2, 3}))
			assert.Equal(t, 1, s.Status().Strays)
			assert.Equal(t, 1, s.Status().Players[0].Refused)
		})
	}
}

// A peer that sends as many inputs as it can fills what is kept for it, and no more.
func TestInputsFarAheadAreLeftForLater(t *testing.T) {
	s, state, l := lonely(t, 1)
	for range 50 {
		p := packet{to: 1, first: s.peers[0].inputs.next, count: 200, frame: math.MaxInt32}
		l.datagram = append(p.begin(make([]byte, link.MaxDatagram), 3), make([]byte, 600)...)
		seal(l.datagram, 42)
		state = world.Must(s.Advance(state, []byte{1, 2, 3}))
		assert.LessOrEqual(t, s.peers[0].inputs.next-s.peers[0].checked, s.places/2)
	}
	assert.Zero(t, s.Status().Strays)
	assert.Equal(t, 51, s.Status().Frame)
}

// sound checks what no datagram may change.
func sound(t *testing.T, s *Session, state world.State) {
	t.Helper()
	require.NoError(t, tool.Verify(state))
	q := s.peers[0]
	assert.LessOrEqual(t, q.acked, s.me.inputs.next)
	assert.LessOrEqual(t, q.digestAck, s.digests.next)
	assert.LessOrEqual(t, q.compared, q.digests.next)
	assert.LessOrEqual(t, q.inputs.next-q.checked, s.places/2)
}

// FuzzConversation feeds a session datagrams that are sealed, and as long as they say: each from
// twelve bytes, by how much it is off what a peer would send.
func FuzzConversation(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x00\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00"))
	f.Add(bytes.Repeat([]byte{0, 1, 3, 1, 0, 0, 0, 0, 1, 0, 0, 7}, 20))
	f.Add(bytes.Repeat([]byte{0, 1, 200, 9, 255, 1, 1, 2, 80, 127, 0, 0}, 40))
	f.Fuzz(func(t *testing.T, says []byte) {
		s, state, l := lonely(t, 4)
		var desync *DesyncError
		for ; len(says) >= 12; says = says[12:] {
			l.datagram = off(s, [12]byte(says))
			next, err := s.Advance(state, []byte{1, 2, 3})
			if err != nil && !errors.Is(err, ErrWaiting) {
				require.ErrorAs(t, err, &desync)
			}
			state = next
		}
		sound(t, s, state)
	})
}

// off returns a datagram as the peer would send it, but for what e says.
func off(s *Session, e [12]byte) []byte {
	q := s.peers[0]
	by := func(n int, at int) int { return min(max(n+int(int8(e[at])), 0), math.MaxInt32) }
	p := packet{
		to: 1 + int(e[0]>>7), sequence: q.heard + uint32(int8(e[1])), count: int(e[2]),
		frame: by(q.frame, 3), ack: by(s.me.inputs.next, 4), first: by(q.inputs.next, 5),
		digestAck: by(s.digests.next, 6), digestFirst: by(q.digests.next, 7),
		digestCount: int(e[8] % 80), ahead: int(int8(e[9])),
	}
	b := p.begin(make([]byte, link.MaxDatagram), 3)
	for i := range p.count * 3 {
		b = append(b, e[10]*byte(i))
	}
	for i := range p.digestCount {
		digest := []byte{e[11], 0, 0, 0, 0, 0, 0, 0}
		if at := p.digestFirst + i; e[11] < 128 && at < s.digests.next {
			digest = s.digests.at(at) // as it is here
		}
		b = append(b, digest...)
	}
	seal(b, 42)
	return b
}
