package session

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/link"
)

// Options are the options of a session. All players need the same ID, number of Links, InputBytes,
// Default and Step; Delay, Window and Frames may differ.
type Options struct {
	ID         uint64      // unique to this session, such as a random number drawn by one player
	Local      int         // number of the local player
	Links      []link.Link // to each player, by number; nil for Local
	InputBytes int         // of one player in one frame
	Delay      int         // frames from an input to its step; 0 or more
	Window     int         // most frames that may rest on predictions; 0: 8; -1: none
	Frames     int         // in the history; 0: enough to report desyncs
	Default    []byte      // input of a player who left; nil: zeros

	// Step takes one step with the inputs of all players, by number, InputBytes each. It may depend
	// only on the inputs and the world's bytes.
	Step func(s world.State, inputs []byte) world.State
}

// maxPlayers is the most players of a session: packets have a byte for their number.
const maxPlayers = 255

// A step is a function of the program.
type step func(s world.State, inputs []byte) world.State

// take calls f. It panics if f returns an invalid State.
func (f step) take(s world.State, inputs []byte) world.State {
	next := f(s, inputs)
	if next == (world.State{}) {
		panic("session: the step returned the zero State; return the one of its last call")
	}
	return next
}

// A Session is one player's part in a multiplayer world. It belongs to one goroutine.
type Session struct {
	id         uint64
	local      int
	inputBytes int
	window     int
	places     int // of rings, a power of two
	step       step
	history    *history.History
	peers      []*peer // by number; the local one has only inputs
	stay       []*peer // other players who were not dropped
	me         *peer   // the local one
	digests    inputs  // of the local world, for final frames
	merged     []byte  // inputs of all players in one frame
	datagram   [link.MaxDatagram]byte
	steps      int // calls of Advance
	status     Status
	desync     *DesyncError
	redo       int // frame from which steps are repeated after a panic; or none
}

// Status describes the progress of a session.
type Status struct {
	Frame       int // steps taken, which is the number of the next frame
	Confirmed   int // frames before this one are final: all inputs are known
	Ahead       int // frames ahead of the slowest player; see [Session.Status]
	Waited      int // calls of Advance without a step
	Rollbacks   int
	Resimulated int // frames stepped again
	Longest     int // longest rollback, in frames
	Strays      int // ignored datagrams: from strangers, with other options, or broken

	Players []Player // by number; valid until the next call of [Session.Status]
}

// A Player is the progress of a player, as far as it is known here.
type Player struct {
	Known   int   // inputs before this frame have arrived
	Silence int   // calls of Advance since something came from it
	Lag     int   // frames that it is behind, by its last datagram, including the delay
	Votes   []int // players who drop it; see [Session.Drop]
	Left    int   // from this frame on, its input is Options.Default; -1: it plays
	Refused int   // ignored datagrams on its link: strays, and all after it was dropped
}

// New returns the session of one player. It allocates everything. All players start with the same
// world. It returns the errors of [history.New]; it panics if the options are inconsistent.
func New(s world.State, o Options) (*Session, error) {
	o.check()
	o.Window = max(cmp.Or(o.Window, 8), 0) // -1: none
	reach := 2*(o.Window+o.Delay) + 4      // frames from a wrong step to the report
	o.Frames = cmp.Or(o.Frames, reach)
	players := len(o.Links)
	h, err := history.New(s, max(o.Frames, o.Window+2), players*o.InputBytes)
	if err != nil {
		return nil, err
	}
	places := 1 << bits.Len(uint(2*reach))
	n := &Session{
		id: o.ID, local: o.Local, inputBytes: o.InputBytes, window: o.Window, places: places,
		step: o.Step, history: h, digests: newInputs(places, digestSize, nil),
		merged: make([]byte, players*o.InputBytes), redo: none,
	}
	n.status.Players = make([]Player, players)
	for player, to := range o.Links {
		q := &peer{link: to, player: player, votes: make([]vote, players)}
		q.digests = newInputs(places, digestSize, nil)
		// Two players' knowledge of a third differs by at most half of the places, two windows and
		// a delay.
		q.inputs = newInputs(1<<bits.Len(uint(places/2+3*64-1)), o.InputBytes, o.Default)
		n.peers = append(n.peers, q)
		if player != o.Local {
			n.stay = append(n.stay, q)
		}
	}
	n.me = n.peers[o.Local]
	n.me.inputs.next, n.me.inputs.final = o.Delay, o.Delay
	return n, nil
}

const noSession = "session: this Session is nil, or was not made; make one by New"

// Close releases the memory of the history. Closing twice is allowed. It panics if s is nil.
func (s *Session) Close() {
	if s == nil {
		panic(noSession)
	}
	if s.history != nil {
		s.history.Close()
	}
}

func (o *Options) check() {
	wrong := ""
	switch players := len(o.Links); {
	case players < 2 || players > maxPlayers:
		wrong = fmt.Sprintf("%d players; give a link for each of 2 to 255", players)
	case o.Local < 0 || o.Local >= players:
		wrong = fmt.Sprintf("player %d of %d; Local counts from 0", o.Local, players)
	case o.InputBytes < 0 || o.InputBytes > link.MaxDatagram-headerSize-len(set{}):
		wrong = fmt.Sprintf("inputs of %d bytes; have them fit into a datagram of %d",
			o.InputBytes, link.MaxDatagram)
	case o.Delay < 0 || o.Delay > 64 || o.Window < -1 || o.Window > 64:
		wrong = fmt.Sprintf("a delay of %d, a window of %d; have each up to 64", o.Delay, o.Window)
	case o.Window == -1 && o.Delay == 0:
		wrong = "neither predictions nor delay; have one of them, or nobody ever begins"
	case o.Step == nil:
		wrong = "no step; set Options.Step"
	case o.Default != nil && len(o.Default) != o.InputBytes:
		wrong = fmt.Sprintf("a default input of %d bytes; Options.InputBytes says %d",
			len(o.Default), o.InputBytes)
	}
	for player, to := range o.Links {
		if (to == nil) != (player == o.Local) && wrong == "" {
			wrong = fmt.Sprintf("the link of player %d; all but the local one need one", player)
		}
	}
	if wrong != "" {
		panic("session: " + wrong)
	}
}

// Advance receives datagrams, corrects wrong predictions, takes the next step, and sends datagrams.
// Call it once per frame. input is the local player's input, used in the step Options.Delay frames
// later. While steps are repeated, [history.Resimulating] returns true. After a panic of Step, the
// next Advance with the State of [world.Recovered] repeats that step.
//
// With an error, no step was taken. It is [ErrWaiting] if the step has to wait; a [*DesyncError],
// from then on, if the world of another player differs; [ErrDropped] if the others continue without
// this player; or an error of a history.
func (s *Session) Advance(state world.State, input []byte) (world.State, error) {
	if len(input) != s.mustBeOpen().inputBytes {
		panic(fmt.Sprintf("session: an input of %d bytes; Options.InputBytes says %d",
			len(input), s.inputBytes))
	}
	s.steps++
	s.receive()
	s.settle()
	state, err := s.correct(state)
	if err != nil {
		return state, err
	}
	s.digest()
	s.compare()
	switch {
	case s.desync != nil:
		err = s.desync
	case s.outvoted():
		err = ErrDropped
	case s.waits():
		s.status.Waited++
		err = ErrWaiting
	default:
		s.me.inputs.put(input) // for frame() + delay
		s.merge(s.frame())
		if err := s.history.Record(state, s.merged); err != nil {
			s.me.inputs.next, s.me.inputs.final = s.me.inputs.next-1, s.me.inputs.final-1
			return state, err
		}
		s.redo = s.frame() - 1
		state = s.step.take(state, s.merged)
		s.redo = none
	}
	for _, q := range s.stay {
		q.measure(s)
		q.speak(s)
	}
	for _, q := range s.peers {
		q.sendVotes(s)
	}
	return state, err
}

// mustBeOpen returns s. It panics if s is nil, or was not created by New.
func (s *Session) mustBeOpen() *Session {
	if s == nil || s.history == nil {
		panic(noSession)
	}
	return s
}

// frame returns the frame of the next step.
func (s *Session) frame() int {
	_, next := s.history.Frames()
	return next
}

// confirmed returns the first frame whose inputs are not all known.
func (s *Session) confirmed() int {
	n := none
	for _, q := range s.peers {
		n = min(n, q.inputs.final)
	}
	return n
}

// receive receives all datagrams.
func (s *Session) receive() {
	var p packet
	for _, q := range s.peers {
		for q.link != nil {
			datagram, ok := q.link.Receive()
			if !ok {
				break
			}
			if p.parse(datagram, s.id, s.inputBytes) && q.process(&p, s) {
				q.last = s.steps
			} else {
				q.refused++
				s.status.Strays++
			}
		}
	}
}

// correct repeats the steps that used a wrong prediction.
func (s *Session) correct(state world.State) (world.State, error) {
	now := s.frame()
	first := min(now, s.redo)
	for _, q := range s.peers {
		known := min(q.inputs.final, now)
		for ; q.checked < known; q.checked++ {
			used, _ := s.history.Input(q.checked)
			if !bytes.Equal(used[q.player*s.inputBytes:][:s.inputBytes], q.inputs.at(q.checked)) {
				first = min(first, q.checked)
			}
		}
	}
	if first == now {
		return state, nil
	}
	for frame := first; frame < now; frame++ {
		s.merge(frame)
		if err := s.history.SetInput(frame, s.merged); err != nil {
			return state, err
		}
	}
	s.status.Rollbacks++
	s.status.Resimulated += now - first
	s.status.Longest = max(s.status.Longest, now-first)
	s.redo = first
	state, err := s.history.Resimulate(state, first, s.step)
	if err == nil {
		s.redo = none
	}
	return state, err
}

// none stands for no frame.
const none = math.MaxInt

// merge collects the inputs of all players for a frame, known or predicted.
func (s *Session) merge(frame int) {
	for _, q := range s.peers {
		copy(s.merged[q.player*s.inputBytes:][:s.inputBytes], q.inputs.at(frame))
	}
}

// waits reports whether a step would rest on too many predictions, or unacknowledged inputs would
// not fit.
func (s *Session) waits() bool {
	if s.frame()+1-s.confirmed() > s.window {
		return true
	}
	return !s.room() || slices.ContainsFunc(s.stay, func(q *peer) bool {
		return s.me.inputs.next-q.acked == s.places
	})
}

// digest computes the digests of the frames that became final.
func (s *Session) digest() {
	final := min(s.confirmed(), s.frame()-1)
	for s.digests.next <= final && s.room() {
		sum, err := s.history.Digest(s.digests.next)
		if err != nil {
			return
		}
		s.digests.put(binary.LittleEndian.AppendUint64(s.datagram[:0], sum))
	}
}

func (s *Session) room() bool {
	return !slices.ContainsFunc(s.stay, func(q *peer) bool {
		return s.digests.next-q.digestAck >= s.places
	})
}

// compare compares the digests of all remaining players.
func (s *Session) compare() {
	for _, q := range s.stay {
		for ; q.compared < min(q.digests.next, s.digests.next) && s.desync == nil; q.compared++ {
			frame := q.compared
			a := binary.LittleEndian.Uint64(s.digests.at(frame))
			if b := binary.LittleEndian.Uint64(q.digests.at(frame)); a != b {
				s.desync = &DesyncError{Frame: frame, Player: q.player, Digests: [2]uint64{a, b}}
			}
		}
	}
}

// Status returns the progress of the session. A player whose Ahead is 1 or more should run a little
// slower, or skip a frame now and then, so that the others predict less.
func (s *Session) Status() Status {
	st := s.mustBeOpen().status
	st.Frame, st.Confirmed = s.frame(), min(s.confirmed(), s.frame())
	for _, q := range s.stay {
		st.Ahead = max(st.Ahead, q.lead/(2*leadFrames))
	}
	for i, q := range s.peers {
		p := Player{Known: q.inputs.next, Left: -1, Refused: q.refused}
		if p.Votes = st.Players[i].Votes[:0]; q != s.me {
			p.Silence, p.Lag = s.steps-q.last, st.Frame-q.frame
		}
		if q.inputs.end != none {
			p.Left = q.inputs.end
		}
		for voter, v := range s.peers {
			if v.drops.has(i) {
				p.Votes = append(p.Votes, voter)
			}
		}
		st.Players[i] = p
	}
	return st
}

// History returns the last frames, which are final before [Status.Confirmed]; later ones may differ
// between players. Use it for reading, and to find the difference between two sessions in one
// process. Do not change it.
func (s *Session) History() *history.History { return s.mustBeOpen().history }
