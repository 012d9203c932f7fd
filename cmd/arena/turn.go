package arena

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/world"
)

// The encoding of a seat's moves: flags, the input, and the client that took the seat.
const (
	seatBytes = 10

	seatCame uint8 = 1 << iota
	seatWent
	seatPressed
)

// encode encodes moves as the input of a step.
func (t *moves) encode(dst []byte) {
	clear(dst)
	for _, a := range t.came {
		at := dst[int(a.seat)*seatBytes:]
		at[0] |= seatCame
		binary.LittleEndian.PutUint64(at[2:], a.who)
	}
	for _, n := range t.went {
		dst[int(n)*seatBytes] |= seatWent
	}
	for _, p := range t.pressed {
		at := dst[int(p.seat)*seatBytes:]
		at[0], at[1] = at[0]|seatPressed, p.input
	}
}

// decode is the inverse of encode. Seats are in ascending order.
func (t *moves) decode(input []byte) {
	t.reset()
	for n := uint16(0); len(input) >= seatBytes; n, input = n+1, input[seatBytes:] {
		if input[0]&seatCame != 0 {
			t.came = append(t.came, arrival{n, binary.LittleEndian.Uint64(input[2:])})
		}
		if input[0]&seatWent != 0 {
			t.went = append(t.went, n)
		}
		if input[0]&seatPressed != 0 {
			t.pressed = append(t.pressed, press{n, input[1]})
		}
	}
}

// Record makes the host call write before each tick, with the world and the encoded moves: 10 bytes
// per seat, for the number of seats given to NewHost. [Replay] returns the step for these inputs.
func (h *Host) Record(write func(s world.State, input []byte)) {
	h.write, h.input = write, make([]byte, seatBytes*len(h.players))
}

// Replay returns the step of recorded ticks: for worlds of [Counts], and inputs from [Host.Record].
// It panics if there is no memory for the data of a step.
func Replay() func(s world.State, input []byte) world.State {
	fields := map[int]*field{} // by the size of an input
	var turn moves
	return func(s world.State, input []byte) world.State {
		f := fields[len(input)]
		if f == nil {
			f = new(field)
			if err := f.open(s, len(input)/seatBytes); err != nil {
				panic(err)
			}
			fields[len(input)] = f
		}
		f.find(s, nil)
		turn.decode(input)
		return f.step(world.Advance(s), &turn)
	}
}
