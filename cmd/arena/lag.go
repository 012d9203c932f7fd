package arena

import "github.com/flatecs/flatecs/world/link"

// A Lagged link is another one, worse: what goes through it is delayed and lost under conditions.
type Lagged struct {
	link.Link // the end that is used
	real, far link.Link
	network   *link.Network
}

// Lag puts conditions on a link, whose delays are in calls of [Lagged.Step].
func Lag(l link.Link, c link.Conditions) *Lagged {
	n := link.NewNetwork(2, c)
	return &Lagged{Link: n.Link(0, 1), real: l, far: n.Link(1, 0), network: n}
}

// Step lets the time pass.
func (l *Lagged) Step() {
	for d, ok := l.real.Receive(); ok; d, ok = l.real.Receive() {
		l.far.Send(d)
	}
	l.network.Step()
	for d, ok := l.far.Receive(); ok; d, ok = l.far.Receive() {
		l.real.Send(d)
	}
}
