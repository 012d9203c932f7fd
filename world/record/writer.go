package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/save"
)

// A writer is the goroutine of a [Recorder]: it makes blocks of batches, and writes them.
type writer struct {
	rec     *Recorder
	code    *coder
	head    Head
	deltas  delta.Coder
	last    *world.Snapshot // with which the segment before began
	inputs  *stepCoder
	payload []byte
	out     []byte // blocks to write at once
	since   int    // steps since the last synchronization
	worlds  []stored
}

// A stored is a world on disk, with which a segment begins.
type stored struct {
	frame int
	full  bool
}

func newWriter(r *Recorder, h Head) *writer {
	return &writer{rec: r, code: newEncoder(), head: h, inputs: newStepCoder(r.size)}
}

// run writes batches until there are no more. After an error it gives them back unwritten.
func (w *writer) run() {
	w.rec.fail(0, w.begins())
	for b := range w.rec.full {
		if w.rec.failure() == nil {
			var err error
			p := program.Caught("record", func() { err = w.write(b) }) // a codec may panic
			if p != nil {
				err = p
			}
			w.rec.fail(b.frame, err)
		}
		if b.world != nil {
			w.giveBack(b.world)
		}
		*b = batch{inputs: b.inputs[:0], marks: b.marks[:0]}
		w.rec.empty <- b
	}
	w.giveBack(nil)
}

// giveBack keeps a snapshot for the next delta, and gives the one before back.
func (w *writer) giveBack(p *world.Snapshot) {
	if w.last != nil {
		w.rec.spare <- w.last
	}
	w.last = p
}

// begins writes the head.
func (w *writer) begins() error {
	text, err := json.Marshal(w.head)
	if err != nil {
		return err
	}
	w.out = w.code.append(append(w.out[:0], magic...), block{kind: headBlock}, text)
	w.code.seed = xxh3.Hash(text)
	return w.rec.to.write(w.out, w.rec.options.Sync != SyncNever)
}

// write writes a batch.
func (w *writer) write(b *batch) (err error) {
	w.out = w.out[:0]
	if b.world != nil {
		if err := w.rec.to.next(len(w.worlds)); err != nil {
			return err
		}
		if err := w.world(b); err != nil {
			return err
		}
	}
	at := block{frame: b.frame, tick: b.tick, steps: b.steps}
	if b.steps > 0 {
		at.kind = stepsBlock
		w.payload = w.inputs.append(w.payload[:0], b.inputs, b.steps, b.marks)
		w.out = w.code.append(w.out, at, w.payload)
	}
	if at.kind = noteBlock; b.note != nil {
		text, err := json.Marshal(b.note)
		if err != nil {
			return err
		}
		w.out = w.code.append(w.out, at, text)
	}
	if at.kind = endBlock; b.ends {
		w.out = w.code.append(w.out, at, nil)
	}
	if w.since += b.steps; b.note != nil || b.ends {
		w.since = maxFrame
	}
	how := w.rec.options.Sync
	due := how == SyncStep || how == SyncSecond && w.since >= w.rec.second
	if due {
		w.since = 0
	}
	return w.rec.to.write(w.out, due)
}

// world appends the world with which a segment begins, and lets old segments go.
func (w *writer) world(b *batch) (err error) {
	at := block{kind: worldBlock, frame: b.frame, tick: b.tick}
	w.inputs.reset(true)
	w.payload = appendDigest(w.payload[:0], b.world.Digest())
	full := b.full || w.last == nil || beside(b.world.State())
	if !full {
		w.payload, err = w.deltas.Append(w.payload, w.last.State(), b.world.State())
		at.flags |= isDelta
	} else {
		buffer := bytes.NewBuffer(w.payload)
		o := w.rec.options.Save
		o.Compress, o.Frame, o.Progress = true, uint64(b.frame), nil
		err = save.Write(buffer, b.world.State(), o)
		w.payload = buffer.Bytes()
	}
	if err == nil && len(w.payload) > math.MaxInt32 {
		err = fmt.Errorf("a world of %d bytes: %w; record a smaller one", len(w.payload),
			systems.ErrMemory)
	}
	if err != nil {
		return err
	}
	if b.outside {
		at.flags |= outside
	}
	w.out = w.code.append(w.out, at, w.payload)
	w.worlds = append(w.worlds, stored{b.frame, full})
	return w.forget(b.frame)
}

// beside reports whether a world has Go values, which deltas lack.
func beside(s world.State) bool {
	for _, u := range tool.KindUses(s) {
		if column, _ := tool.ValueColumn(s, u.Kind); column != nil {
			return true
		}
	}
	return false
}

// forget removes the segments before the last full world that is as old as Options.Keep says.
func (w *writer) forget(frame int) error {
	if w.rec.options.Keep == 0 {
		return nil
	}
	first := 0
	for i, s := range w.worlds {
		if s.full && frame-s.frame >= w.rec.options.steps(w.rec.options.Keep) {
			first = i
		}
	}
	for i := range first {
		if w.worlds[i].frame >= 0 {
			w.worlds[i].frame = -1
			if err := w.rec.to.remove(i); err != nil {
				return err
			}
		}
	}
	return nil
}
