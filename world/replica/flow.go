package replica

const (
	window = 40 // datagrams by which a client's budget is judged: two seconds of 50 ms ticks
	held   = 16 // windows until a line that loses at random is tried again
	cuts   = 1  // in a row that do not help: what is lost is lost at random
)

// A course is what a flow takes its losses for.
type course uint8

const (
	open   course = iota // there are few
	tried                // not known yet: another budget is tried
	random               // fewer bytes would not help
	full                 // the line carries no more
)

// A flow is how much a client's connection seems to carry; the package comment says how it follows
// from what arrives.
type flow struct {
	least, most   int // bytes of a datagram; most is Options.Budget
	budget        int // bytes of a datagram
	judged        int // datagrams of this window
	sent, arrived int // bytes of those
	course        course
	left          int // windows until the line is tried again; or cuts in a row
	was, wasGot   int // bytes that were sent and arrived in the window before, while it is tried
	quick         int // ticks of the fastest round trip, times 8
}

func (f *flow) reset() { *f = flow{least: f.least, most: f.most, budget: f.most} }

// bound keeps the budget within its bounds.
func (f *flow) bound() { f.budget = min(max(f.budget, f.least), f.most) }

// judge looks at the datagram that should have been acknowledged by now.
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
	case f.arrived == 0: // nobody is there, for a while
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

// rise has the client get more, as little was lost.
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

// compare decides by two windows with different budgets what the losses are.
func (f *flow) compare() {
	low, lowGot, high, highGot := f.sent, f.arrived, f.was, f.wasGot
	if low > high {
		low, lowGot, high, highGot = high, highGot, low, lowGot
	}
	fewer := 12*lowGot >= 11*low && 6*highGot < 5*high // with fewer bytes, few are lost
	if 5*high > 6*low && (4*highGot < 5*lowGot || fewer) {
		f.course, f.left, f.budget = full, 0, max(lowGot, highGot)/window
		return
	}
	f.scatter(lowGot+highGot, low+high)
}

// scatter has a client whose line loses at random get more than a share, to make up for it.
func (f *flow) scatter(got, sent int) {
	f.course, f.left, f.budget = random, held, max(f.most/2, f.most*got/sent*6/5)
}
