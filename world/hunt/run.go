package hunt

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Result describes a hunt.
type Result struct {
	Ticks   int64    // that were played
	Runs    int64    // runs from kept states
	States  int      // that were kept to begin from
	Never   []string // properties of Sometimes that never held
	Took    time.Duration
	Failure *Failure // nil: none was found
}

// String returns the result as a sentence.
func (r Result) String() string {
	text := fmt.Sprintf("hunt: %d ticks in %d runs from %d states, %v: ", r.Ticks, r.Runs, r.States,
		r.Took.Round(time.Millisecond))
	if r.Failure != nil {
		return text + r.Failure.String()
	}
	text += "nothing found"
	if len(r.Never) > 0 {
		text += fmt.Sprintf("; never came about: %q", r.Never)
	}
	return text
}

// Run hunts a game until it finds a failure, or the time or the ticks end. The error is that of
// [Game.New]. It panics if the game or the options are invalid.
func Run(g Game, o Options) (Result, error) {
	g.check()
	o = o.filled()
	h := &hunt{options: o, came: make([]atomic.Bool, len(g.Sometimes))}
	if o.For != forever {
		h.until = time.Now().Add(o.For)
	}
	if err := g.same(); err != nil {
		return Result{}, err
	}
	began := time.Now()
	var group sync.WaitGroup
	for n := range o.Workers {
		w, err := h.newWorker(&g, n)
		if err != nil {
			h.stop.Store(true)
			group.Wait()
			return Result{}, err
		}
		group.Go(func() { w.work() })
	}
	group.Wait()
	r := Result{
		Ticks: h.played.Load(), Runs: h.runs.Load(), States: int(h.states.Load()),
		Took: time.Since(began),
	}
	for i, p := range g.Sometimes {
		if !h.came[i].Load() {
			r.Never = append(r.Never, p.name)
		}
	}
	if h.found != nil {
		f, err := shrink(&g, h.found, h.inputs, &o)
		if err != nil {
			return r, err
		}
		r.Failure, r.Took = f, time.Since(began)
	}
	return r, nil
}

// A hunt is what the workers share.
type hunt struct {
	options Options
	until   time.Time
	played  atomic.Int64 // ticks
	runs    atomic.Int64
	states  atomic.Int64
	came    []atomic.Bool // per property of Sometimes
	stop    atomic.Bool

	mutex  sync.Mutex
	found  *fault // the first
	inputs []byte // that lead to it
}

// A node is a state to begin from.
type node struct {
	from   *node
	inputs []byte // from there
	state  *world.Snapshot
}

// path returns the inputs from the first world.
func (n *node) path() []byte {
	if n == nil {
		return nil
	}
	return append(n.from.path(), n.inputs...)
}

// A worker hunts alone.
type worker struct {
	*hunt
	*player
	random world.Stream
	nodes  []*node
	seen   map[uint64]struct{}
	fresh  bool    // something was noted for the first time in this state
	room   int64   // bytes left for nodes
	since  int     // ticks since the last deep check
	path   []byte  // inputs since the node
	asked  []int64 // what properties of Sometimes began with
	probes []probe // of the game's fields, and of lengths
	note   func(uint64)
	recent [1 << 10]uint64 // notes, most of which come again: by their last bits
}

func (h *hunt) newWorker(g *Game, n int) (*worker, error) {
	p, err := newPlayer(g, nil, 1, all)
	if err != nil {
		return nil, err
	}
	w := &worker{
		hunt: h, player: p, random: systems.NewStream(h.options.Seed, uint64(n)),
		seen: map[uint64]struct{}{}, room: h.options.Memory / int64(h.options.Workers),
	}
	for _, x := range g.Sometimes {
		w.asked = append(w.asked, x.begin(p.state))
	}
	w.probes = append(probesOf(g.Fields), lengthsOf(p.state)...)
	w.note = func(x uint64) {
		const most = 1 << 20
		if at := &w.recent[x%uint64(len(w.recent))]; *at != x {
			*at = x
		} else if x != 0 {
			return
		}
		if _, ok := w.seen[x]; !ok && len(w.seen) < most {
			w.seen[x], w.fresh = struct{}{}, true
		}
	}
	return w, nil
}

func (w *worker) work() {
	defer w.close()
	for !w.over() {
		from := w.pick()
		w.restore(w.snapshot(from))
		w.runs.Add(1)
		w.path = w.path[:0]
		before := w.ticks
		f := w.caught(func(*int) *fault { return w.run(from) })
		w.played.Add(w.ticks - before)
		if f != nil {
			w.report(f, append(from.path(), w.path...))
			return
		}
	}
}

func (h *hunt) report(f *fault, inputs []byte) {
	h.stop.Store(true)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.found == nil {
		h.found, h.inputs = f, inputs
	}
}

// over reports whether the hunt is over.
func (h *hunt) over() bool {
	return h.stop.Load() || h.played.Load() >= h.options.Ticks || late(h.until)
}

func late(until time.Time) bool { return !until.IsZero() && time.Now().After(until) }

// pick returns a state to begin from; nil: the first one. Later ones are rarer, and picked more
// often.
func (w *worker) pick() *node {
	n := len(w.nodes)
	if n == 0 || w.random.IntN(8) == 0 {
		return nil
	}
	return w.nodes[max(w.random.IntN(n), w.random.IntN(n))]
}

func (w *worker) snapshot(n *node) *world.Snapshot {
	if n == nil {
		return w.first
	}
	return n.state
}

// run plays from a state.
func (w *worker) run(from *node) *fault {
	size, last := w.game.size(), from
	kept := 0 // bytes of path up to last
	for t := range w.options.Length {
		if t&15 == 15 && (w.stop.Load() || late(w.until)) {
			return nil
		}
		w.path = append(w.path, make([]byte, size)...)
		input := w.path[len(w.path)-size:]
		w.game.draw(&w.random, w.state, input)
		if f := w.after(input); f != nil {
			return f
		}
		if w.new() {
			if n := w.keep(last, w.path[kept:]); n != nil {
				last, kept = n, len(w.path)
			}
		}
		if w.due() {
			if f, then := w.deeply(); f != nil {
				w.path = append(w.path, then...)
				return f
			}
		}
		if w.game.Over != nil && w.game.Over(w.state) {
			return nil
		}
	}
	return nil
}

// new reports whether something about the state was never noted before.
func (w *worker) new() bool {
	for i := range w.game.Sometimes {
		if !w.came[i].Load() && w.game.Sometimes[i].in(w.state, w.asked[i]) == nil {
			w.came[i].Store(true)
		}
	}
	w.fresh = false
	if w.game.Cover != nil {
		w.game.Cover(w.state, w.note)
	}
	if len(w.probes) > 0 {
		noteFields(w.state, w.probes, w.note)
	}
	return w.fresh
}

// due reports whether the deep checks are: sooner in a state like none before.
func (w *worker) due() bool {
	w.since++
	d := w.options.Deep
	if w.fresh {
		d /= 8
	}
	if w.options.Deep < 0 || w.since < d {
		return false
	}
	w.since = 0
	return true
}

// keep keeps the state to begin from, if there is room. It returns nil if there is none.
func (w *worker) keep(from *node, inputs []byte) *node {
	size := int64(world.Used(w.state) + len(inputs))
	if size > w.room {
		return nil
	}
	p, err := program.Snapshot(w.state)
	if err != nil {
		w.room = 0
		return nil // such as for want of memory: the hunt goes on with what it has
	}
	w.room -= size
	n := &node{from: from, inputs: append([]byte(nil), inputs...), state: p}
	w.nodes = append(w.nodes, n)
	w.states.Add(1)
	return n
}

func (w *worker) close() {
	w.player.close()
	for _, n := range w.nodes {
		n.state.Close()
	}
}
