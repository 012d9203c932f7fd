package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
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

// A batch is the unit of work for the writer: an optional world, and the steps that follow.
type batch struct {
	frame   int
	tick    uint64 // of the world before the first step
	world   *world.Snapshot
	outside bool // the world was changed outside of steps
	inputs  []byte
	steps   int
	marks   []mark
	note    *Note
	ends    bool
}

// A writer is the goroutine of a [Recorder]: it encodes batches as blocks, and writes them.
type writer struct {
	rec     *Recorder
	code    *coder
	inputs  *stepCoder
	deltas  delta.Coder
	last    *world.Snapshot // first world of the previous segment
	room    int             // room for objects of the first world
	payload []byte
	out     []byte // blocks to write at once
	since   int    // steps since the last sync
	next    int    // segment
	oldest  int    // the oldest segment on disk
	full    []full
}

// A full is a stored segment that begins with a whole world.
type full struct{ segment, frame int }

// run writes batches until the channel is closed, including batches before an error of the caller.
// After an error of its own it returns the batches unwritten.
func (w *writer) run() {
	failed := false
	for b := range w.rec.full {
		if !failed {
			var err error
			p := program.Caught("record", func() { err = w.write(b) }) // a codec may panic
			if p != nil {
				err = p
			}
			w.rec.fail(b.frame, err)
			failed = err != nil
		}
		if b.world != nil {
			w.keep(b.world)
		}
		*b = batch{inputs: b.inputs[:0], marks: b.marks[:0]}
		w.rec.empty <- b
	}
	w.keep(nil)
}

// keep keeps a snapshot for the next delta, and returns the previous one.
func (w *writer) keep(p *world.Snapshot) {
	if w.last != nil {
		w.rec.spare <- w.last
	}
	w.last = p
}

// head writes the head and the first world.
func (w *writer) head(s world.State) error {
	size := max(w.rec.size, 0)
	text, err := json.Marshal(w.rec.options.headOf(s, size))
	if err != nil {
		return err
	}
	w.inputs, w.room = newStepCoder(size), tool.Capacity(s)
	head := w.code.append([]byte(magic), header{Kind: headBlock}, text)
	w.code.seed = xxh3.Hash(text)
	return w.rec.to.write(head, w.rec.options.Sync != SyncNever)
}

// write writes a batch.
func (w *writer) write(b *batch) error {
	w.out = w.out[:0]
	if b.world != nil {
		if err := w.begin(b); err != nil {
			return err
		}
	}
	if w.next == 0 {
		return nil // no step was recorded
	}
	if b.steps > 0 {
		w.payload = w.inputs.append(w.payload[:0], b.inputs, b.steps, b.marks)
		w.add(b, header{Kind: stepsBlock, Steps: uint32(b.steps)}, w.payload)
	}
	if b.note != nil {
		text, err := json.Marshal(b.note)
		if err != nil {
			return err
		}
		w.add(b, header{Kind: noteBlock}, text)
	}
	if b.ends {
		w.add(b, header{Kind: endBlock}, nil)
	}
	w.since += b.steps
	due := w.since >= w.rec.options.StepRate || b.note != nil || b.ends
	if how := w.rec.options.Sync; how == SyncNever || how == SyncSecond && !due {
		return w.rec.to.write(w.out, false)
	}
	w.since = 0
	return w.rec.to.write(w.out, true)
}

// add appends a block of a batch.
func (w *writer) add(b *batch, h header, payload []byte) {
	h.Frame, h.Tick = uint64(b.frame), b.tick
	w.out = w.code.append(w.out, h, payload)
}

// begin starts a segment with a world, and removes old segments.
func (w *writer) begin(b *batch) (err error) {
	s := b.world.State()
	if w.next == 0 {
		if err := w.head(s); err != nil {
			return err
		}
	}
	h := header{Kind: worldBlock, Flags: isDelta}
	if b.outside {
		h.Flags |= outside
	}
	if room := tool.Capacity(s); room != w.room {
		h.Steps = uint32(room)
	}
	digest := binary.LittleEndian.AppendUint64(w.payload[:0], b.world.Digest())
	err = systems.ErrOther // force a whole world
	if o := &w.rec.options; len(o.Save.Codecs) == 0 && w.next%o.Full != 0 {
		w.payload, err = w.deltas.Append(digest, w.last.State(), s)
	}
	if errors.Is(err, systems.ErrOther) { // no delta is due, or the world was resized
		h.Flags &^= isDelta
		w.full = append(w.full, full{w.next, b.frame})
		w.payload, err = w.save(digest, s, b.frame)
	}
	if err == nil && len(w.payload) > math.MaxInt32 {
		err = fmt.Errorf("a world of %d bytes: %w; record a smaller one", len(w.payload),
			systems.ErrMemory)
	}
	if err != nil {
		return err
	}
	clear(w.inputs.before)
	w.add(b, h, w.payload)
	err = w.rec.to.next(w.next)
	w.next++
	return errors.Join(err, w.forget(b.frame))
}

// save appends a world as a save file.
func (w *writer) save(dst []byte, s world.State, frame int) ([]byte, error) {
	to := bytes.NewBuffer(dst)
	o := w.rec.options.Save
	o.Compress, o.Frame, o.Progress = true, uint64(frame), nil
	err := save.Write(to, s, o)
	return to.Bytes(), err
}

// forget removes the segments before the last full world that is older than Options.Keep.
func (w *writer) forget(frame int) (err error) {
	o := &w.rec.options
	if o.Keep == 0 {
		return nil
	}
	for len(w.full) > 1 && frame-w.full[1].frame >= o.steps(o.Keep) {
		w.full = w.full[1:]
	}
	for ; w.oldest < w.full[0].segment && err == nil; w.oldest++ {
		err = w.rec.to.remove(w.oldest)
	}
	return err
}
