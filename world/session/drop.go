package session

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/world/link"
)

// maxAhead is the most frames between a player's last input and the default input that Drop begins.
// Two players cannot differ by more in the inputs that they know of a third player.
const maxAhead = 1024

// Drop votes for continuing without another player: it accepts no more inputs from it. Once all
// remaining players have called Drop for the same players, the match continues: with the inputs
// that any of them has, which they exchange; then with the last input repeated, and from frame on
// with Options.Default. A frame of 0 means as soon as possible; a later one avoids a correction.
// The largest frame counts.
//
// Until all agree, Advance returns [ErrWaiting]; [Status] lists the votes. A vote cannot be
// withdrawn, and a second one has no effect. If players never agree, drop them for good, too; a
// player can continue alone. It panics if frame is more than 1,024 frames after the player's last
// input.
func (s *Session) Drop(player, frame int) {
	if s.mustBeOpen(); player < 0 || player >= len(s.peers) || player == s.local ||
		frame > s.peers[player].inputs.next+maxAhead {
		panic(fmt.Sprintf("session: player %d of %d drops player %d from frame %d on; drop "+
			"another, up to 1024 frames behind its inputs", s.local, len(s.peers), player, frame))
	}
	if !s.me.drops.has(player) {
		s.me.drops.add(player)
		s.me.votes[player] = vote{s.peers[player].inputs.next, max(frame, 0), true, false, false}
		s.stay = slices.DeleteFunc(s.stay, func(q *peer) bool { return q.player == player })
	}
}

// A set is a set of players: bit n%8 of byte n/8 is player n.
type set [maxPlayers/8 + 1]byte

func (s set) has(player int) bool { return s[player/8]>>(player%8)&1 != 0 }

func (s *set) add(player int) { s[player/8] |= 1 << (player % 8) }

// covers reports whether s has all players of t.
func (s set) covers(t set) bool {
	missing := byte(0)
	for i := range s {
		missing |= t[i] &^ s[i]
	}
	return missing == 0
}

// A vote is a player's vote about another player who leaves.
type vote struct {
	known   int  // it has the inputs before this frame; if settled, there are no more
	frame   int  // the default input begins at this frame or later; if settled, at this frame
	cast    bool // the player has cast it for the set that it drops now
	settled bool // all agree, and it has all inputs: the vote never changes
	asks    bool // it does not know that the receiver's vote is settled
}

// result returns the result of the votes about a player who leaves: its inputs before frame known
// count, and the default input begins at frame. A settled vote decides; otherwise all remaining
// players must drop the same players, and the largest frames count.
func (s *Session) result(about int) (known, frame int, ok bool) {
	own := s.me.votes[about]
	known, frame, ok = own.known, own.frame, own.cast
	if own.settled || !own.cast {
		return known, frame, ok
	}
	for _, q := range s.stay {
		v := q.votes[about]
		if v.settled && v.known >= own.known && !q.drops.has(s.local) {
			return v.known, max(v.known, v.frame), true
		}
		known, frame = max(known, v.known), max(frame, v.frame)
		ok = ok && v.cast && !v.settled && q.drops == s.me.drops
	}
	return known, max(known, frame), ok
}

// settle settles votes about players who leave, once all of their inputs that count have arrived.
func (s *Session) settle() {
	for player, q := range s.peers {
		own := &s.me.votes[player]
		if own.cast && !own.settled {
			own.known = q.inputs.next
			if known, frame, ok := s.result(player); ok && known == own.known {
				own.frame, own.settled = frame, true
				q.inputs.end, q.inputs.final = frame, none
			}
		}
	}
}

// outvoted reports whether more than half of the other remaining players have settled that the
// local player left. Requiring all of them would make players who left together wait for each other
// when they come back. A single player cannot end the others' match.
func (s *Session) outvoted() bool {
	settled := 0
	for _, q := range s.stay {
		if q.votes[s.local].settled {
			settled++
		}
	}
	return 2*settled > len(s.stay)
}

// receiveVote processes a vote of the peer and the inputs that came with it. It refuses impossible
// votes and votes that contradict an earlier one, and ignores older ones.
func (q *peer) receiveVote(p *packet, s *Session) bool {
	about := p.digestAck
	v := vote{p.ack, p.frame, true, p.digestFirst&1 != 0, p.digestFirst&2 != 0}
	if len(p.digests) != len(set{}) || about >= len(s.peers) {
		return false
	}
	x, old, drops := s.peers[about], &q.votes[about], set(p.digests)
	next := x.inputs.next
	if v.known > next+maxAhead || v.frame > next+2*maxAhead ||
		v.settled && about != s.local && v.known < next { // it would undo known inputs
		return false
	}
	if !drops.covers(q.drops) {
		return q.drops.covers(drops)
	}
	for i := range q.votes { // it votes again for a larger set; settled votes stay
		if drops != q.drops && !q.votes[i].settled {
			q.votes[i] = vote{}
		}
	}
	q.drops = drops
	switch {
	case old.settled && v.settled && (v.known != old.known || v.frame != old.frame),
		old.cast && !old.settled && !v.settled && v.frame != old.frame:
		return false
	case !old.settled:
		*old = vote{max(v.known, old.known), v.frame, true, v.settled, v.asks}
	case v.settled:
		old.asks = old.asks || v.asks
	}
	known, _, ok := s.result(about)
	for n := next - p.first; ok && n >= 0 && n < p.count; n++ {
		if x.inputs.next == min(known, x.checked+s.places/2) {
			break
		}
		x.inputs.put(p.inputs[n*s.inputBytes:][:s.inputBytes])
	}
	return true
}

// sendVotes sends the peer votes about players who leave, or answers that the peer itself left.
func (q *peer) sendVotes(s *Session) {
	gone := q == s.me || s.me.drops.has(q.player)
	for about, x := range s.peers {
		v, theirs := s.me.votes[about], &q.votes[about]
		news := s.me.drops.has(about) && (!v.settled || !theirs.settled || theirs.asks)
		if gone && (!q.knocks || x != q) || !gone && !news {
			continue
		}
		p := packet{
			kind: 1, from: s.local, to: q.player, frame: v.frame, ack: v.known, digestAck: about,
			first: theirs.known, digestCount: len(set{}) / digestSize,
		}
		if v.settled {
			p.digestFirst = 1
			missing := x.inputs.next - p.first
			if theirs.cast && !theirs.settled && missing <= x.inputs.mask {
				p.count = s.fit(missing, link.MaxDatagram-headerSize-len(set{}))
			}
		}
		if !theirs.settled {
			p.digestFirst |= 2
		}
		theirs.asks = false
		b := p.begin(s.datagram[:], s.inputBytes)
		for n := range p.count {
			b = append(b, x.inputs.at(p.first+n)...)
		}
		b = append(b, s.me.drops[:]...)
		seal(b, s.id)
		q.link.Send(b)
	}
	q.knocks = false
}
