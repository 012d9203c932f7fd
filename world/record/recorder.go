package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

const (
	batches    = 4         // that travel between a Recorder and its writer
	batchBytes = 256 << 10 // of inputs, or one input if that is longer
	batchMarks = 1 << 10
)

// A Recorder records a world: its steps' inputs, and now and then the world. The caller copies; a
// goroutine encodes and writes. It belongs to the goroutine of the world.
//
//	Record ─▶ batch: inputs, digests, a snapshot ─▶ writer: blocks ─▶ files
//	  ▲                                               │
//	  └──────── empty batches, and snapshots ◀────────┘
type Recorder struct {
	options Options
	to      *output
	size    int    // bytes of an input; -1 until the first one
	segment int    // steps
	next    int    // frame
	began   int    // frame at which the segment begins
	tick    uint64 // before the last step
	room    int    // bytes of the world: another number if it is resized
	changed bool
	batch   *batch // nil: the writer has it
	empty   chan *batch
	full    chan *batch
	spare   chan *world.Snapshot
	writer  sync.WaitGroup
	failed  context.Context // ends with what ended the recording
	stop    context.CancelCauseFunc
	ended   bool // the error was told, or Close was called
}

// Create begins a recording in a folder, which it makes: a file with the head, and a file per
// segment. The error wraps [fs.ErrExist] if the folder contains a recording, or is that of the file
// system, or of [systems.NewSnapshot].
func Create(folder string, s world.State, o Options) (*Recorder, error) {
	to, err := newFolder(folder)
	if err != nil {
		return nil, err
	}
	return start(to, s, o)
}

// New begins a recording in one file. Options.Keep must be 0; Options.Sync needs a Sync method,
// such as that of an os.File. The Recorder does not close w.
func New(w io.Writer, s world.State, o Options) (*Recorder, error) {
	if w == nil || o.Keep != 0 {
		program.Refuse("record: New without a writer, or with Options.Keep, which removes files; " +
			"give a writer, or Create a folder")
	}
	return start(&output{to: w}, s, o)
}

func start(to *output, s world.State, o Options) (*Recorder, error) {
	o = o.filled()
	r := &Recorder{
		options: o, to: to, size: -1, segment: o.steps(o.Segment),
		empty: make(chan *batch, batches), full: make(chan *batch, batches),
		spare: make(chan *world.Snapshot, 2), room: len(world.Bytes(s)), changed: true,
	}
	r.failed, r.stop = context.WithCancelCause(context.Background())
	for range cap(r.spare) {
		p, err := program.Snapshot(s)
		if err != nil {
			r.finish()
			return nil, err
		}
		r.spare <- p
	}
	for range batches {
		r.empty <- &batch{inputs: make([]byte, 0, batchBytes), marks: make([]mark, 0, batchMarks)}
	}
	r.writer.Go(func() {
		(&writer{rec: r, code: newCoder()}).run()
		r.finish()
	})
	return r, nil
}

// finish releases what the writer has given back.
func (r *Recorder) finish() {
	r.fail(r.next, r.to.close())
	for len(r.spare) > 0 {
		(<-r.spare).Close()
	}
}

// mustBeOpen returns r. It panics if r is nil or was not made.
func (r *Recorder) mustBeOpen() *Recorder {
	if r == nil || r.to == nil {
		program.Refuse("record: this Recorder is nil, or was not made; make one by Create")
	}
	return r
}

// Step records an input, and takes the step. The error is that of [Recorder.Record]; the step is
// taken nevertheless.
func (r *Recorder) Step(s world.State, input []byte, step Step) (world.State, error) {
	err := r.Record(s, input)
	return program.Kept(s, step(s, input), "record: the step", ""), err
}

// Record records the input of the next step, and for some steps the world before it. Inputs are all
// as long as the first one. An error ends the recording and is returned once: that of the disk, or
// [ErrSlow], or that of a world that is being walked or has commands that are not applied. The
// recording has all steps before, unless the disk failed. After the error Record does nothing.
func (r *Recorder) Record(s world.State, input []byte) error {
	if r.mustBeOpen().ended {
		return nil
	}
	if r.size < 0 && len(input) <= maxInputs {
		r.size = len(input)
		r.segment = min(r.segment, maxInputs/max(r.size, 1))
	}
	if len(input) != r.size {
		panic(fmt.Sprintf("record: an input of %d bytes for a recording of inputs of %d; they are "+
			"all as long as the first one, of %d at most", len(input), r.size, maxInputs))
	}
	r.tick = world.Tick(s)
	if err := r.ready(s); err != nil {
		r.fail(r.next, err)
		r.ended = true
		r.hand() // the steps before this one
		close(r.full)
		return r.failure()
	}
	b := r.batch
	if d := r.options.Digests; d > 0 && r.next > r.began && (r.next-r.began)%d == 0 {
		b.marks = append(b.marks, mark{b.steps, world.Digest(s)})
	}
	b.inputs = append(b.inputs, input...)
	b.steps++
	r.next++
	if r.offer(); r.options.Sync == SyncStep {
		r.flush()
	}
	return nil
}

// ready begins a segment if one is due, and sees to a batch with room.
func (r *Recorder) ready(s world.State) error {
	if err := r.failure(); err != nil {
		return err
	}
	if room := len(world.Bytes(s)); room != r.room {
		r.room, r.changed = room, true
	}
	switch {
	case r.changed || r.next-r.began >= r.segment:
		return r.begin(s)
	case r.batch == nil:
		return r.take(r.options.Wait)
	}
	return nil
}

// begin begins a segment with a copy of the world. What changed outside of steps waits for the
// writer.
func (r *Recorder) begin(s world.State) error {
	wait := r.options.Wait || r.changed
	if err := tool.Settled(s); err != nil {
		return err
	}
	r.hand()
	if err := r.take(wait); err != nil {
		return err
	}
	p, err := receive(r.spare, wait)
	if err != nil {
		return err
	}
	if err = p.Take(s); errors.Is(err, systems.ErrOther) { // it was resized
		p.Close()
		p, err = program.Snapshot(s)
	}
	if err != nil {
		return err
	}
	r.batch.world, r.batch.outside = p, r.changed
	r.began, r.changed = r.next, false
	return nil
}

// take takes an empty batch.
func (r *Recorder) take(wait bool) (err error) {
	if r.batch, err = receive(r.empty, wait); err == nil {
		r.batch.frame, r.batch.tick = r.next, r.tick
	}
	return err
}

// receive returns what the writer gave back. If there is nothing, it waits, or returns ErrSlow.
func receive[T any](c chan T, wait bool) (given T, err error) {
	select {
	case given = <-c:
	default:
		if !wait {
			return given, ErrSlow
		}
		given = <-c
	}
	return given, nil
}

// offer hands the batch to the writer when it is due, unless the writer is late and the batch has
// room. A world is due at once.
func (r *Recorder) offer() {
	b := r.batch
	packed := cap(b.inputs)-len(b.inputs) < max(r.size, 1) || len(b.marks) == cap(b.marks)
	due := b.steps >= min(r.options.StepRate, batchBytes) || b.world != nil
	if packed || due && len(r.empty) > 0 {
		r.hand()
	}
}

// hand hands the batch to the writer. There is room for every batch.
func (r *Recorder) hand() {
	if r.batch != nil {
		r.full <- r.batch
		r.batch = nil
	}
}

// Changed tells the recording that the world was changed outside of a step, for example by an edit
// in the inspector: the next Record records the world. It need not be told of world.Resized.
func (r *Recorder) Changed() { r.mustBeOpen().changed = true }

// Frame returns the number of the next step, from 0.
func (r *Recorder) Frame() int { return r.mustBeOpen().next }

// failure returns what ended the recording, or nil.
func (r *Recorder) failure() error { return context.Cause(r.failed) }

// fail ends the recording before a step, unless another error did.
func (r *Recorder) fail(frame int, err error) {
	if err != nil {
		r.stop(fmt.Errorf("record: the recording ended before step %d: %w", frame, err))
	}
}

// Note writes what happened, and waits until it is on disk.
func (r *Recorder) Note(n Note) error {
	if r.mustBeOpen().ended {
		return nil
	}
	r.last(&n, false)
	r.flush()
	return r.failure()
}

// flush waits until the writer has nothing left.
func (r *Recorder) flush() {
	r.hand()
	var all [batches]*batch
	for i := range all {
		all[i] = <-r.empty
	}
	for _, b := range all {
		r.empty <- b
	}
}

// last hands the writer what comes behind the last step.
func (r *Recorder) last(n *Note, ends bool) {
	r.hand()
	_ = r.take(true) // it waits
	r.batch.note, r.batch.ends = n, ends
	r.hand()
}

// Recover is to be deferred: it writes the panic of a step into the recording, with its stack, ends
// the recording and panics on. The last step of the recording is the one that panicked.
//
//	defer rec.Recover()
func (r *Recorder) Recover() {
	v := recover()
	if r.mustBeOpen(); v == nil {
		return
	}
	n := Note{r.next - 1, r.tick, "panic", fmt.Sprint(v), string(debug.Stack())}
	if err := errors.Join(r.Note(n), r.Close()); err != nil {
		v = fmt.Sprintf("%v; and %v", v, err)
	}
	panic(v)
}

// End records the world after the last step, so that a replay compares it, and is Close. The error
// is that of Record, or of Close.
func (r *Recorder) End(s world.State) error {
	if !r.mustBeOpen().ended {
		r.fail(r.next, r.begin(s))
	}
	return r.Close()
}

// Close writes what is left, and ends the recording. Closing twice is allowed. It returns the error
// that ended the recording, unless Record did.
func (r *Recorder) Close() error {
	if r.mustBeOpen().ended {
		r.writer.Wait()
		return nil
	}
	r.last(nil, true)
	close(r.full)
	r.writer.Wait()
	r.ended = true
	return r.failure()
}
