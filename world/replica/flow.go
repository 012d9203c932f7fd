package replica

const (
	window = 20 // datagrams by which a client's budget is judged: a second of 50 ms ticks
	few    = 10 // of a hundred that may be missing
)

// A flow is how much a client's connection seems to carry. If more than 10 of 100 acknowledgements
// of a window are missing, the client gets 0.7 of the bytes; otherwise 5 % more, up to
// Options.Budget.
type flow struct {
	budget  int // bytes of a datagram
	judged  int // datagrams of this window
	missing int // those that were not acknowledged when they were late
}

// judge looks at the datagram that should have been acknowledged by now.
func (c *Conn) judge() {
	f, lag := &c.flow, uint16(min(c.retry()+2, packets-1))
	p := &c.packets[(c.sequence-1-lag)%packets]
	if p.sequence != c.sequence-1-lag {
		return
	}
	if p.out {
		f.missing++
	}
	if f.judged++; f.judged < window {
		return
	}
	if 100*f.missing > few*window {
		f.budget = f.budget * 7 / 10
	} else {
		f.budget += f.budget / 20
	}
	f.budget = min(max(f.budget, c.server.table.schema.leastBudget()), c.server.options.Budget)
	f.judged, f.missing = 0, 0
}
