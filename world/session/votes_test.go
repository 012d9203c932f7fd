package session

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A town is a small world of sessions without steps, in which everything happens in every order.
// What was sent once may arrive at any time, any number of times, or never.
type town struct {
	*testing.T
	seen   map[uint64]bool // hashes of days
	most   int
	inputs []int // of each player, that may come to the others
	gone   set   // players who may leave
	fair   bool  // who is dropped has left
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

var ring = newInputs(8, 1128, nil) // of inputs of which one fits into a vote's datagram

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
		q.tell(s)
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

// check checks that what is settled keeps all inputs that are known, that players who do not drop
// each other agree, and that from here on all ends well if the network becomes good.
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

// end has all who are there drop the others, and every letter arrive. Then all is settled, and
// silent.
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

// TestVotesInEveryOrder: whatever arrives, in whatever order, those who stay agree.
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
			if last == 3 { // the one who leaves next knows most of it
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
