package session

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
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
	none := (&packet{to: 1}).begin(make([]byte, link.MaxDatagram), 3)
	seal(none, 42)
	assert.False(t, p.parse(none, 42, 2), "none, of another length")
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

// Well-formed but impossible datagrams are ignored, too.
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

// A peer that sends as many inputs as possible fills the room for its inputs, and no more.
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

// A town is a small world of sessions without steps, in which everything happens in every order.
// What was sent once may arrive at any time, any number of times, or never.
type town struct {
	*testing.T
	seen   map[uint64]bool // hashes of days
	most   int
	inputs []int // of each player, that may come to the others
	gone   set   // players who may leave
	fair   bool  // dropped players have left
}

// A day is a state of a town.
type day struct {
	sessions []*Session
	left     set
	sent     []letter
}

type letter struct {
	from, to int
	datagram string
}

// A letterbox is the link between two players on a day.
type letterbox struct {
	*silent
	letter
	day *day
}

func (l *letterbox) Send(datagram []byte) {
	if sent := (letter{l.from, l.to, string(datagram)}); !slices.Contains(l.day.sent, sent) {
		l.day.sent = append(l.day.sent, sent)
	}
}

var ring = newInputs(8, 1128, nil) // of inputs so long that only one fits into a vote's datagram

// next returns a copy of a day. That of no day is the first.
func (d *day) next(players int) *day {
	c := &day{left: d.left, sent: slices.Clone(d.sent)}
	for local := range players {
		s := &Session{local: local, inputBytes: 1128, places: 8, history: &history.History{}}
		for player := range players {
			q := peer{player: player, inputs: ring, votes: make([]vote, players)}
			if len(d.sessions) > 0 {
				q = *d.sessions[local].peers[player]
				q.votes = slices.Clone(q.votes)
			}
			q.link = &letterbox{day: c, letter: letter{from: local, to: player}}
			s.peers = append(s.peers, &q)
		}
		s.me = s.peers[local]
		s.stay = slices.DeleteFunc(slices.Clone(s.peers), func(q *peer) bool {
			return q == s.me || s.me.drops.has(q.player)
		})
		c.sessions = append(c.sessions, s)
	}
	return c
}

func (d *day) hash() (sum uint64) {
	key := d.left[:1:1]
	for _, s := range d.sessions {
		for _, q := range s.peers {
			key = fmt.Append(key, q.drops[0], q.inputs.next, q.votes)
		}
	}
	for _, l := range d.sent { // as a set
		sum += xxh3.HashStringSeed(l.datagram, uint64(l.to))
	}
	return sum + xxh3.Hash(key)
}

// act ends what a player does: it settles what it can, and sends its votes.
func (d *day) act(local int) {
	s := d.sessions[local]
	s.settle()
	for _, q := range s.stay {
		q.sendVotes(s)
	}
}

// deliver takes a letter to its receiver.
func (w *town) deliver(d *day, l letter) {
	var p packet
	s := d.sessions[l.to]
	known := p.parse([]byte(l.datagram), 0, 1128) && s.peers[l.from].process(&p, s)
	require.True(w, known || !w.fair, "an honest vote is known", p)
	d.act(l.to)
}

// explore visits all days that may follow.
func (w *town) explore(d *day) {
	key := d.hash()
	if w.seen[key] || len(w.seen) == w.most {
		return
	}
	w.seen[key] = true
	w.check(d)
	then := func(f func(d *day)) {
		next := d.next(len(d.sessions))
		f(next)
		w.explore(next)
	}
	for _, l := range d.sent {
		if !d.left.has(l.to) && !d.sessions[l.to].me.drops.has(l.from) {
			then(func(d *day) { w.deliver(d, l) })
		}
	}
	for p, s := range d.sessions {
		if d.left.has(p) {
			continue
		}
		if w.gone.has(p) {
			then(func(d *day) { d.left.add(p) })
		}
		for _, q := range s.stay {
			if q.inputs.next < w.inputs[q.player] {
				then(func(d *day) { d.sessions[p].peers[q.player].inputs.put(nil) })
			}
			if w.gone.has(q.player) && (d.left.has(q.player) || !w.fair) {
				then(func(d *day) { // the first player would like a later frame
					d.sessions[p].Drop(q.player, 2-2*min(p, 1))
					d.act(p)
				})
			}
		}
	}
}

// check checks that settled votes keep all known inputs, that players who do not drop each other
// agree, and that from here on all votes settle if the network becomes good.
func (w *town) check(d *day) {
	for _, a := range d.sessions {
		for player, u := range a.me.votes {
			in := a.peers[player].inputs
			final := in.next == u.known && u.known <= u.frame && in.end == u.frame
			require.True(w, !u.settled || final, "what is known stays", u)
			for _, b := range a.stay {
				v := d.sessions[b.player].me.votes[player]
				apart := d.sessions[b.player].me.drops.has(a.local) || !u.settled || !v.settled
				require.True(w, apart || u.known == v.known && u.frame == v.frame, "they agree", [2]vote{u, v})
			}
		}
	}
	if w.fair {
		w.end(d.next(len(d.sessions)))
	}
}

// end makes all present players drop the others, and delivers every letter. Then all votes are
// settled, and no more letters are sent.
func (w *town) end(d *day) {
	there := slices.DeleteFunc(slices.Clone(d.sessions), func(s *Session) bool {
		return d.left.has(s.local)
	})
	for range 8 {
		for _, s := range there {
			for player := range d.sessions {
				if d.left.has(player) {
					s.Drop(player, 0)
				}
			}
			d.act(s.local)
		}
		sent := slices.DeleteFunc(d.sent, func(l letter) bool {
			return d.left.has(l.to) || d.left.has(l.from)
		})
		d.sent = nil
		for _, l := range sent {
			w.deliver(d, l)
		}
	}
	require.Empty(w, d.sent, "they are silent")
	for _, s := range there {
		for player, v := range s.me.votes {
			require.Equal(w, d.left.has(player), v.settled, "all is settled")
		}
	}
}

// TestVotesInEveryOrder: for any letters in any order, the remaining players agree.
func TestVotesInEveryOrder(t *testing.T) {
	for name, w := range map[string]*town{
		"two of three leave":               {inputs: []int{0, 2, 3}, gone: set{6}, fair: true},
		"three who may drop anyone":        {inputs: []int{0, 0, 1}, gone: set{7}},
		"one of four leaves, then another": {inputs: []int{0, 0, 0, 0}, gone: set{12}, fair: true},
	} {
		t.Run(name, func(t *testing.T) {
			w.T, w.seen = t, map[uint64]bool{}
			w.most = map[bool]int{false: 5000, true: 60000}[worldtest.AtLength()]
			d, last := new(day).next(len(w.inputs)), len(w.inputs)-1
			d.left[0] = map[bool]byte{true: 1 << last}[w.fair]
			if last == 3 { // the next to leave knows most of it
				d.sessions[2].peers[last].inputs.put(nil)
				for p := range last {
					d.sessions[p].Drop(last, 0)
					d.act(p)
				}
			}
			w.explore(d)
		})
	}
}

// FuzzVotes feeds a session votes of two liars about everyone, while it drops one of them or both.
// What is final stays.
func FuzzVotes(f *testing.F) {
	f.Add([]byte{0x02, 0, 1, 9, 9, 13, 0, 0, 0x12, 0, 1, 9, 8, 13, 0, 1, 0x12, 2, 5, 0, 0, 1, 0, 0})
	f.Fuzz(func(t *testing.T, says []byte) {
		d := new(day).next(3)
		for s := d.sessions[1]; len(says) >= 8; says = says[8:] {
			if !s.me.drops.has(0) {
				s.peers[0].inputs.put(nil)
			}
			if drop := int(says[0] >> 4); drop == 1 || drop == 3 {
				s.Drop(drop-1, int(says[7]))
			}
			p := packet{
				kind: 1, from: int(says[0] & 2), to: 1, digestAck: int(says[1] % 4), ack: int(says[3]),
				frame: int(says[4]), digestFirst: int(says[5] % 4), count: int(says[5] >> 7),
				first:  s.peers[0].inputs.next + int(int8(says[6])),
				inputs: make([]byte, 1128), digests: append([]byte{says[2]}, make([]byte, 31)...),
			}
			s.peers[p.from].process(&p, s)
			d.act(1)
			(&town{T: t}).check(d)
		}
	})
}
