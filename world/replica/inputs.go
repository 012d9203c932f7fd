package replica

import "math/bits"

// An Input is a client's input of one of its ticks.
type Input struct {
	Number uint16 // counts from 1 and wraps around
	Bytes  []byte // valid until the next call of Inputs
	Seen   Moment // the time that the client saw when it made the input
}

// A Moment is a time in 1/256 of a server's tick.
type Moment uint32

// inputs of one client wait here for their ticks.
type inputs struct {
	size  int
	bytes []byte // a ring by number
	seen  [waiting]Moment
	has   uint32 // a bit per place of the ring that holds an input
	used  uint16 // number of the last input that was handed out
	slack int8   // inputs that wait or, negative, ticks without an input
}

func (n *inputs) reset() { n.has, n.used, n.slack = 0, 0, 0 }

func (n *inputs) at(number uint16) []byte {
	return n.bytes[int(number%waiting)*n.size:][:n.size:n.size]
}

// put stores an input, unless it is a repetition or too far ahead.
func (n *inputs) put(number uint16, seen Moment, b []byte) {
	if ahead := number - n.used; ahead == 0 || ahead > waiting {
		return
	}
	place := number % waiting
	if n.has>>place&1 != 0 {
		return
	}
	n.has |= 1 << place
	n.seen[place] = seen
	copy(n.at(number), b)
}

// skipTo skips inputs that the client no longer keeps, after a long silence.
func (n *inputs) skipTo(first uint16) {
	if ahead := first - n.used; ahead > waiting && ahead < 1<<15 {
		n.has, n.used = 0, first-1
	}
}

// next hands out the next input, if it has arrived. It skips inputs that never come.
func (n *inputs) next() (in Input, ok bool) {
	for ahead := uint16(1); ahead <= waiting && n.has != 0; ahead++ {
		number := n.used + ahead
		place := number % waiting
		if n.has>>place&1 == 0 {
			continue
		}
		n.has &^= 1 << place
		n.used = number
		n.slack = int8(bits.OnesCount32(n.has))
		return Input{Number: number, Bytes: n.at(number), Seen: n.seen[place]}, true
	}
	n.slack = max(min(n.slack, 0)-1, -100)
	return Input{}, false
}
