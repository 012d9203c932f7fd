package hunt

import (
	"fmt"
	"slices"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
)

// everywhere is the name of what holds of steps that depend on their world and input alone.
const everywhere = "the same on every machine"

const lookEvery = 10 * time.Second

// A shared is what a hunt has of its corpus.
type shared struct {
	build string // of the program and the first world
	finds []Find // in the order in which they were read
	next  time.Time
	ticks int64 // of all finds
	told  int64 // ticks of this hunt that are in finds
	err   error // of the corpus: the hunt ends
}

// open says which build the hunt is of, and reads the corpus.
func (h *hunt) open(first uint64) (err error) {
	build := h.options.Build
	if h.options.Corpus == nil {
		return nil
	} else if build == "" {
		build, err = ledger.Build()
	}
	h.shared.build = fmt.Sprintf("%s-%016x", build, first)
	return failure.About("hunt", "the program's file", err, "set Options.Build")
}

// look returns the finds from a number on, and first reads new ones, if it is time to.
func (h *hunt) look(from int, now time.Time) []Find {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c := &h.shared
	if h.options.Corpus == nil || c.err != nil {
		return nil
	}
	if !now.Before(c.next) {
		var fresh []Find
		fresh, c.err = h.options.Corpus.Next()
		for _, f := range fresh {
			c.ticks += f.Ticks
		}
		c.finds, c.next = append(c.finds, fresh...), now.Add(lookEvery)
		if c.err != nil {
			h.stop.Store(true)
		}
	}
	return c.finds[from:]
}

// add adds a find, and the ticks since the one before. The mutex is locked.
func (h *hunt) add(f Find) {
	c := &h.shared
	if h.options.Corpus == nil || c.err != nil {
		return
	}
	f.Build, f.Ticks = c.build, h.played.Load()-c.told
	c.told += f.Ticks
	if c.err = h.options.Corpus.Add(f); c.err != nil {
		h.stop.Store(true)
	}
}

// close adds the last ticks, and returns those of all hunts.
func (h *hunt) close() (all int64, err error) {
	h.mutex.Lock()
	h.add(Find{})
	h.mutex.Unlock()
	h.look(0, time.Now().Add(lookEvery))
	return h.shared.ticks, h.shared.err
}

// An imports is how far a worker has come with the finds of others.
type imports struct {
	done  int
	known map[uint64]bool // digests of states that it has been in
}

// share replays what others found.
func (w *worker) share() {
	for _, f := range w.hunt.look(w.imports.done, time.Now()) {
		if w.hunt.stop.Load() || passed(w.hunt.until) {
			return
		}
		w.imports.done++
		if size := w.player.game.size(); len(f.Inputs)%size != 0 {
			w.hunt.mutex.Lock()
			w.hunt.shared.err = fmt.Errorf("hunt: %w: %d bytes of inputs, and a tick has %d; give "+
				"each game a corpus of its own", ErrCorpus, len(f.Inputs), size)
			w.hunt.mutex.Unlock()
			w.hunt.stop.Store(true)
		} else if len(f.Inputs) > 0 && (f.Property != "" || !w.imports.known[f.Digest]) {
			w.replay(&f)
		}
	}
}

// replay plays the inputs of a find, and keeps the state that they lead to if it is new here. A find
// of the same build leads to the same everywhere.
func (w *worker) replay(f *Find) {
	p, size, broken := w.player, w.player.game.size(), f.Property != ""
	p.restore(p.first)
	found, then := p.play(f.Inputs), []byte(nil)
	if found == nil && broken {
		found, then = p.deeply()
	} else if found != nil {
		f.Inputs = f.Inputs[:found.tick*size]
	}
	digest := world.Digest(p.state)
	w.imports.note(digest)
	if same := f.Build == w.hunt.shared.build; found == nil && same && broken {
		found = &fault{property: everywhere, err: fmt.Errorf("%s, elsewhere, and not here", f.Property)}
	} else if found == nil && same && f.Digest != digest {
		found = &fault{property: everywhere, err: fmt.Errorf("the inputs lead to digest %016x, and "+
			"elsewhere to %016x", digest, f.Digest)}
	}
	if found != nil {
		w.hunt.report(found, slices.Concat(f.Inputs, then), broken)
	} else if w.cover() && w.nodes.keep(nil, f.Inputs, p.state) != nil {
		w.hunt.states.Add(1)
	}
}

func (i *imports) note(digest uint64) {
	if i.known == nil {
		i.known = map[uint64]bool{}
	}
	i.known[digest] = true
}

// export adds the state of the player, which inputs from a node lead to, to the corpus.
func (w *worker) export(from *node, inputs []byte) {
	if w.hunt.options.Corpus == nil {
		return
	}
	digest := world.Digest(w.player.state)
	w.imports.note(digest)
	w.hunt.mutex.Lock()
	defer w.hunt.mutex.Unlock()
	w.hunt.add(Find{Inputs: append(from.path(), inputs...), Digest: digest})
}
