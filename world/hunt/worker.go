package hunt

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A worker hunts in one goroutine.
type worker struct {
	hunt     *hunt
	player   *player
	random   world.Stream
	nodes    nodes
	coverage coverage
	since    int             // ticks since the last deep check
	path     []byte          // since the node
	asked    []int64         // initial results of the properties of Sometimes
	shared   int             // finds of the corpus replayed so far
	known    map[uint64]bool // digests of the states in the corpus
}

func newWorker(h *hunt, g *Game, n int) (*worker, error) {
	p, err := newPlayer(g, nil, 1, all)
	if err != nil {
		return nil, err
	}
	w := &worker{
		hunt: h, player: p, known: map[uint64]bool{},
		random: systems.NewStream(h.options.Seed, uint64(h.options.Part)<<32|uint64(n)),
		nodes:  nodes{room: h.options.Memory / int64(h.options.Workers)},
		coverage: coverage{
			seen:   map[uint64]struct{}{},
			probes: append(probesOf(g.Fields), lengthsOf(p.state)...),
		},
	}
	w.coverage.note = w.coverage.add
	for _, x := range g.Sometimes {
		w.asked = append(w.asked, x.begin(p.state))
	}
	return w, nil
}

func (w *worker) work() {
	defer w.close()
	for w.share(); !w.hunt.over(); w.share() {
		from := w.nodes.pick(&w.random)
		w.player.restore(w.snapshot(from))
		w.hunt.runs.Add(1)
		w.path = w.path[:0]
		before := w.player.ticks
		f := w.player.caught(func(*int) *fault { return w.run(from) })
		w.hunt.played.Add(w.player.ticks - before)
		if f != nil {
			w.hunt.report(f, append(from.path(), w.path...), false)
			return
		}
	}
}

func (w *worker) snapshot(n *node) *world.Snapshot {
	if n == nil {
		return w.player.first
	}
	return n.state
}

// run plays from a stored state.
func (w *worker) run(from *node) *fault {
	p, game := w.player, w.player.game
	size, last := game.size(), from
	kept := 0 // bytes of path up to last
	for t := range w.hunt.options.Length {
		if t&15 == 15 && (w.hunt.stop.Load() || passed(w.hunt.until)) {
			return nil
		}
		w.path = append(w.path, make([]byte, size)...)
		input := w.path[len(w.path)-size:]
		game.draw(&w.random, p.state, input)
		if f := p.tickChecked(input); f != nil {
			return f
		}
		if w.cover() {
			w.export(last, w.path[kept:])
			if n := w.nodes.keep(last, w.path[kept:], p.state); n != nil {
				w.hunt.states.Add(1)
				last, kept = n, len(w.path)
			}
		}
		if w.due() {
			if f, then := p.deeply(); f != nil {
				w.path = append(w.path, then...)
				return f
			}
		}
		if game.Over != nil && game.Over(p.state) {
			return nil
		}
	}
	return nil
}

// cover reports whether the state has a new number.
func (w *worker) cover() bool {
	s, game, came := w.player.state, w.player.game, w.hunt.came
	for i := range game.Sometimes {
		if !came[i].Load() && game.Sometimes[i].in(s, w.asked[i]) == nil {
			came[i].Store(true)
		}
	}
	w.coverage.fresh = false
	if game.Cover != nil {
		game.Cover(s, w.coverage.note)
	}
	if len(w.coverage.probes) > 0 {
		w.coverage.addFields(s)
	}
	return w.coverage.fresh
}

// due reports whether the deep checks are due; they are due sooner in a new state.
func (w *worker) due() bool {
	w.since++
	d := w.hunt.options.Deep
	if w.coverage.fresh {
		d /= 8
	}
	if w.hunt.options.Deep < 0 || w.since < d {
		return false
	}
	w.since = 0
	return true
}

func (w *worker) close() {
	w.player.close()
	w.nodes.close()
}
