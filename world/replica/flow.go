package replica

const (
	window = 40 // datagrams per window, in which a budget is judged: two seconds of 50 ms ticks
	held   = 16 // windows until a line with random losses is tried again
	cuts   = 1  // consecutive cuts without effect that make losses count as random
)

// A course is a flow's explanation of its losses.
type course uint8

const (
	open   course = iota // few losses
	tried                // unknown: another budget is being tried
	random               // fewer bytes would not help
	full                 // the line has no more capacity
)

// A flow estimates the capacity of a client's connection from the acknowledgements; the package
// comment describes how.
type flow struct {
	least, most   int // bytes of a datagram; most is Options.Budget
	budget        int // bytes of a datagram
	judged        int // datagrams of this window so far
	sent, arrived int // bytes of these datagrams
	course        course
	left          int // windows until the line is tried again; or cuts in a row
	was, wasGot   int // bytes that were sent and arrived in the previous window, during a trial
	quick         int // ticks of the fastest round trip, times 8
}

func (f *flow) reset() { *f = flow{least: f.least, most: f.most, budget: f.most} }

// bound keeps the budget within its bounds.
func (f *flow) bound() { f.budget = min(max(f.budget, f.least), f.most) }

// judge judges the datagram whose acknowledgement is due.
func (f *flow) judge(l *line) {
	lag := uint16(min(l.retry()+2, packets-1))
	p := &l.packets[(l.sequence-1-lag)%packets]
	if p.sequence != l.sequence-1-lag {
		return
	}
	f.sent += int(p.size)
	if !p.out {
		f.arrived += int(p.size)
	}
	if f.judged++; f.judged < window {
		return
	}
	trip := int(l.trip)
	if f.quick == 0 || trip < f.quick {
		f.quick = trip
	}
	f.turn(trip > f.quick+max(f.quick/2, 32))
	f.bound()
	f.judged, f.sent, f.arrived = 0, 0, 0
	f.quick++ // a line may become slower for good
}

// turn ends a window.
func (f *flow) turn(late bool) {
	got := f.arrived / window
	switch few := 6*f.arrived >= 5*f.sent; {
	case late:
		f.course, f.budget = full, max(got*4/5, f.budget/2)
	case f.arrived == 0: // the client is away, for a while
		f.course, f.budget = open, f.budget/2
	case f.course == tried:
		f.compare()
	case few:
		f.rise()
	case f.course == random && f.left > 0:
		f.left--
	case f.course == full && f.left < cuts:
		f.left, f.budget = f.left+1, max(got, f.budget/2)
	case f.course == full:
		f.scatter(f.arrived, f.sent)
	default:
		f.course, f.was, f.wasGot = tried, f.sent, f.arrived
		if f.budget = f.most / 2; 5*f.was < 3*f.most*window {
			f.budget = f.most
		}
	}
}

// rise increases the budget, because losses were small.
func (f *flow) rise() {
	share := 20
	if f.arrived == f.sent && f.course != full {
		share = 4
	}
	f.left, f.budget = 0, f.budget+f.budget/share
	if f.course != full || 4*f.budget >= 3*f.most {
		f.course = open
	}
}

// compare determines the cause of the losses from two windows with different budgets.
func (f *flow) compare() {
	low, lowGot, high, highGot := f.sent, f.arrived, f.was, f.wasGot
	if low > high {
		low, lowGot, high, highGot = high, highGot, low, lowGot
	}
	fewer := 12*lowGot >= 11*low && 6*highGot < 5*high // fewer bytes, fewer losses
	if 5*high > 6*low && (4*highGot < 5*lowGot || fewer) {
		f.course, f.left, f.budget = full, 0, max(lowGot, highGot)/window
		return
	}
	f.scatter(lowGot+highGot, low+high)
}

// scatter increases the budget of a client with random losses, to compensate for them.
func (f *flow) scatter(got, sent int) {
	f.course, f.left, f.budget = random, held, max(f.most/2, f.most*got/sent*6/5)
}
