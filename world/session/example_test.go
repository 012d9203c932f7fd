package session_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/session"
)

var (
	Push  = layout.NewField[[2]int8]("push") // of the player's last input: right, up
	Owner = layout.NewField[uint8]("owner")
	Crate = layout.NewKind("crate", Push, Owner)

	crates = world.NewQuery(world.Write(heroes.Position, Push), world.Read(Owner))
)

// PushCrates moves each player's crates by the two bytes of their input: right and up, signed.
func PushCrates(s world.State, inputs []byte) world.State {
	for b := range crates.In(s) {
		at, push, owner := world.Column(b, heroes.Position), world.Column(b, Push), world.Column(b, Owner)
		for i, player := range owner {
			push[i] = [2]int8{int8(inputs[2*player]), int8(inputs[2*player+1])}
			at[i][0] += float32(push[i][0])
			at[i][1] += float32(push[i][1])
		}
	}
	return world.Advance(s)
}

func newYard() world.State {
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(heroes.Position.Count(3), Crate.Count(3)),
	}))
	for player := range uint8(3) {
		var crate world.GameObject
		s, crate = world.Must2(world.CreateWith(s, heroes.Position, Crate))
		s = world.Must(world.Set(s, crate, Owner, player))
	}
	return s
}

// A Seat is one player's program.
type Seat struct {
	state    world.State
	session  *session.Session
	rec      *record.Recorder
	recorded int // frames
}

// Frame plays a frame. It drops players that are silent for a second, and records final frames.
func (p *Seat) Frame(input []byte) (err error) {
	p.state, err = p.session.Advance(p.state, input)
	status := p.session.Status()
	for player, other := range status.Players {
		if other.Silence > 60 || len(other.Votes) > 0 && other.Silence > 30 {
			p.session.Drop(player, other.Known+30) // its last input is used half a second longer
		}
	}
	for ; p.recorded < status.Confirmed; p.recorded++ {
		before := world.Must(p.session.History().At(p.recorded))
		inputs := world.Must(p.session.History().Input(p.recorded))
		err = errors.Join(err, p.rec.Record(before, inputs))
	}
	if d := (*session.DesyncError)(nil); errors.As(err, &d) {
		text := fmt.Sprintf("%v\n%+v", d, status)
		_ = p.rec.Note(record.Note{Frame: d.Frame, What: "desync", Text: text})
	}
	return err
}

// Three players in one process, on a network that delays by 100 ms and loses one datagram in ten.
// Player 2 leaves without a word; the others play on.
func Example() {
	var seats [3]Seat
	network := link.NewNetwork(len(seats), link.Conditions{Delay: 6, Loss: 0.1, Seed: 1})
	for player := range seats {
		state := newYard()
		s := world.Must(session.New(state, session.Options{
			ID: 7, Local: player, Links: network.Links(player), InputBytes: 2, Delay: 2,
			Step: PushCrates, Default: []byte{0, 0xff}, // after leaving, a player moves down
		}))
		seats[player] = Seat{state, s, world.Must(record.New(io.Discard, state, record.Options{})), 0}
	}
	for frame := range 300 {
		network.Step()
		for player := range seats {
			if player == 2 && frame >= 100 {
				continue // it left
			}
			err := seats[player].Frame([]byte{byte(player), byte(frame / 60)})
			if err != nil && !errors.Is(err, session.ErrWaiting) {
				panic(err) // a desync, and where
			}
		}
	}

	status := seats[0].session.Status()
	fmt.Println("player 2 left at frame", status.Players[2].Left, "by votes of", status.Players[2].Votes)
	fmt.Println(status.Resimulated, "of", status.Frame, "frames were taken again")
	fmt.Println(world.View(seats[0].state, heroes.Position))
	_, differ, err := seats[0].session.History().FirstDifference(seats[1].session.History())
	fmt.Println("they differ:", differ, err)
	// Output:
	// player 2 left at frame 132 by votes of [0 1]
	// 31 of 232 frames were taken again
	// [[0 459 0] [230 471 0] [260 -30 0]]
	// they differ: false <nil>
}
