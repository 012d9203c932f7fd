package hunt

import (
	"fmt"
	"slices"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
)

// everywhere is the property that a step depends only on its world and its input.
const everywhere = "the same on every machine"

const lookEvery = 10 * time.Second

// A shared is a hunt's view of its corpus.
type shared struct {
	build string // of the program and the first world
	finds []Find // in reading order
	next  time.Time
	ticks int64 // of all finds
	told  int64 // ticks of this hunt included in finds
	err   error // of the corpus; it ends the hunt
}

// open determines the build of the hunt.
func (h *hunt) open(first uint64) (err error) {
	build := h.options.Build
	if build == "" && h.options.Corpus != nil {
		build, err = ledger.Build()
	}
	h.shared.build = fmt.Sprintf("%s-%016x", build, first)
	return failure.About("hunt", "the program's file", err, "set Options.Build")
}

// look returns the finds from an index on. It reads new finds first if they are due.
func (h *hunt) look(from int, now time.Time) []Find {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c := &h.shared
	if h.options.Corpus == nil || c.err != nil {
		return nil
	}
	if !now.Before(c.next) {
		fresh, err := h.options.Corpus.Next()
		for i := range fresh {
			c.ticks += fresh[i].Ticks
			if size := len(fresh[i].Inputs); size%h.size != 0 && err == nil {
				err = fmt.Errorf("hunt: %w: %d bytes of inputs, and a tick has %d; give each game "+
					"a corpus of its own", ErrCorpus, size, h.size)
			}
		}
		c.finds, c.next = append(c.finds, fresh...), now.Add(lookEvery)
		h.fail(err)
	}
	return c.finds[from:]
}

// fail ends the hunt if err is not nil. The caller holds the mutex.
func (h *hunt) fail(err error) {
	if h.shared.err = err; err != nil {
		h.stop.Store(true)
	}
}

// add adds a find, with the ticks since the previous one. The caller holds the mutex.
func (h *hunt) add(f Find) {
	c := &h.shared
	if h.options.Corpus != nil && c.err == nil {
		f.Build, f.Ticks = c.build, h.played.Load()-c.told
		c.told += f.Ticks
		h.fail(h.options.Corpus.Add(f))
	}
}

// close adds the last ticks, and returns the ticks of all hunts.
func (h *hunt) close() (all int64, err error) {
	h.mutex.Lock()
	h.add(Find{})
	h.mutex.Unlock()
	h.look(0, time.Now().Add(lookEvery))
	return h.shared.ticks, h.shared.err
}

// share replays the finds of other parts.
func (w *worker) share() {
	for _, f := range w.hunt.look(w.shared, time.Now()) {
		if w.hunt.stop.Load() || passed(w.hunt.until) {
			return
		}
		w.shared++
		if len(f.Inputs) > 0 && (f.Property != "" || !w.known[f.Digest]) {
			w.replay(&f)
		}
	}
}

// replay plays the inputs of a find, and stores the resulting state if it is new. It is a fault if
// a find of the same build leads to a different state here.
func (w *worker) replay(f *Find) {
	p, broken, same := w.player, f.Property != "", f.Build == w.hunt.shared.build
	p.restore(p.first)
	found, then := p.play(f.Inputs), []byte(nil)
	if found != nil {
		f.Inputs = f.Inputs[:found.tick*w.hunt.size]
	} else if broken {
		found, then = p.deeply()
	}
	digest := world.Digest(p.state)
	w.known[digest] = true
	if found == nil && same && broken {
		found = &fault{property: everywhere, err: fmt.Errorf("%s: elsewhere, not here", f.Property)}
	} else if found == nil && same && f.Digest != digest {
		found = &fault{property: everywhere, err: fmt.Errorf("the inputs lead to digest %016x, "+
			"and elsewhere to %016x", digest, f.Digest)}
	}
	if found != nil {
		w.hunt.report(found, slices.Concat(f.Inputs, then), broken)
	} else if w.cover() && w.nodes.keep(nil, f.Inputs, p.state) != nil {
		w.hunt.states.Add(1)
	}
}

// export adds the current state of the player to the corpus; inputs lead to it from a node.
func (w *worker) export(from *node, inputs []byte) {
	if w.hunt.options.Corpus == nil {
		return
	}
	digest := world.Digest(w.player.state)
	w.known[digest] = true
	w.hunt.mutex.Lock()
	defer w.hunt.mutex.Unlock()
	w.hunt.add(Find{Inputs: append(from.path(), inputs...), Digest: digest})
}
