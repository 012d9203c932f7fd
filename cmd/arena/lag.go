package arena

import "github.com/flatecs/flatecs/world/link"

// A Lagged is one end of a link that delays and loses datagrams according to conditions.
type Lagged struct {
	link.Link // the usable end
	real, far link.Link
	network   *link.Network
}

// Lag applies conditions to a link. Delays are counted in calls of [Lagged.Step].
func Lag(l link.Link, c link.Conditions) *Lagged {
	n := link.NewNetwork(2, c)
	return &Lagged{Link: n.Link(0, 1), real: l, far: n.Link(1, 0), network: n}
}

// Step advances the time.
func (l *Lagged) Step() {
	for d, ok := l.real.Receive(); ok; d, ok = l.real.Receive() {
		l.far.Send(d)
	}
	l.network.Step()
	for d, ok := l.far.Receive(); ok; d, ok = l.far.Receive() {
		l.real.Send(d)
	}
}
