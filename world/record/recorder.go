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
	batches    = 4         // between a Recorder and its writer
	batchBytes = 256 << 10 // bytes of inputs, or one longer input
	batchMarks = 1 << 10
)

// A Recorder records a world: the inputs of its steps, and from time to time the world. The caller
// copies; a goroutine encodes and writes. It belongs to the goroutine of the world.
//
//	Record ─▶ batch: inputs, digests, a snapshot ─▶ writer: blocks ─▶ files
//	  ▲                                               │
//	  └──────── empty batches, and snapshots ◀────────┘
type Recorder struct {
	options Options
	to      *output
	size    int    // bytes of an input; -1 until the first one
	segment int    // steps per segment
	next    int    // frame
	began   int    // first frame of the segment
	tick    uint64 // before the last step
	room    int    // bytes of the world; they change if it is resized
	changed bool
	batch   *batch // nil: with the writer
	empty   chan *batch
	full    chan *batch
	spare   chan *world.Snapshot
	writer  sync.WaitGroup
	failed  context.Context // its cause ended the recording
	stop    context.CancelCauseFunc
	ended   bool // the error was returned, or Close was called
}

// Create starts a recording in a folder, which it creates: a file with the head, and a file per
// segment. It returns [fs.ErrExist], wrapped, if the folder contains a recording, and the errors of
// the file system and of [systems.NewSnapshot].
func Create(folder string, s world.State, o Options) (*Recorder, error) {
	to, err := newFolder(folder)
	if err != nil {
		return nil, err
	}
	return start(to, s, o)
}

// New starts a recording in one file. Options.Keep must be 0. Options.Sync requires that w has a
// Sync method, like an os.File. The Recorder does not close w.
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

// finish releases the batches and snapshots that the writer returned.
func (r *Recorder) finish() {
	r.fail(r.next, r.to.close())
	for len(r.spare) > 0 {
		(<-r.spare).Close()
	}
}

// mustBeOpen returns r. It panics if r is nil or was not created by [Create] or [New].
func (r *Recorder) mustBeOpen() *Recorder {
	if r == nil || r.to == nil {
		program.Refuse("record: this Recorder is nil, or was not made; make one by Create")
	}
	return r
}

// Step records an input and takes the step. It returns the error of [Recorder.Record]; even then it
// takes the step.
func (r *Recorder) Step(s world.State, input []byte, step Step) (world.State, error) {
	err := r.Record(s, input)
	return program.Kept(s, step(s, input), "record: the step", ""), err
}

// Record records the input of the next step, and for some steps the world before it. All inputs
// must be as long as the first one. An error ends the recording, and is returned once: the error of
// the disk, [ErrSlow], that there were 2,147,483,647 steps, or the error of a world that is being
// walked or has unapplied commands. The recording contains all earlier steps unless the disk
// failed. After an error Record does nothing.
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
		r.hand() // the previous steps
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

// ready starts a segment if one is due, and makes sure that the batch has room.
func (r *Recorder) ready(s world.State) error {
	if err := r.failure(); err != nil {
		return err
	}
	if r.next == maxFrame {
		return fmt.Errorf("a recording has at most %d steps; begin another one", maxFrame)
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

// begin starts a segment with a copy of the world. After a change outside of steps, it waits for
// the writer.
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
	if err = p.Take(s); errors.Is(err, systems.ErrOther) { // the world was resized
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

// receive returns a value from the writer. If there is none, it waits, or returns ErrSlow.
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

// offer hands the batch to the writer when it is due, unless the writer is busy and the batch has
// room. A world is due immediately.
func (r *Recorder) offer() {
	b := r.batch
	packed := cap(b.inputs)-len(b.inputs) < max(r.size, 1) || len(b.marks) == cap(b.marks)
	due := b.steps >= min(r.options.StepRate, batchBytes) || b.world != nil
	if packed || due && len(r.empty) > 0 {
		r.hand()
	}
}

// hand hands the batch to the writer. The channel has room for every batch.
func (r *Recorder) hand() {
	if r.batch != nil {
		r.full <- r.batch
		r.batch = nil
	}
}

// Changed announces a change of the world outside of a step, such as an edit in the inspector: the
// next Record stores the world. It is not needed after world.Resized.
func (r *Recorder) Changed() { r.mustBeOpen().changed = true }

// Frame returns the number of the next step, from 0.
func (r *Recorder) Frame() int { return r.mustBeOpen().next }

// failure returns what ended the recording, or nil.
func (r *Recorder) failure() error { return context.Cause(r.failed) }

// fail ends the recording before a step, unless it has ended already.
func (r *Recorder) fail(frame int, err error) {
	if err != nil {
		r.stop(fmt.Errorf("record: the recording ended before step %d: %w", frame, err))
	}
}

// Note writes a note, and waits until it is on disk.
func (r *Recorder) Note(n Note) error {
	if r.mustBeOpen().ended {
		return nil
	}
	r.last(&n, false)
	r.flush()
	return r.failure()
}

// flush waits until the writer has written everything.
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

// last hands the writer a note, or the end of the recording.
func (r *Recorder) last(n *Note, ends bool) {
	r.hand()
	_ = r.take(true) // cannot fail: it waits
	r.batch.note, r.batch.ends = n, ends
	r.hand()
}

// Recover records the panic of a step, with its stack, ends the recording and panics again; call it
// with defer. The last recorded step is the one that panicked.
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

// End records the world after the last step, so that a replay compares it, and closes the
// recording. It returns the errors of Record and Close.
func (r *Recorder) End(s world.State) error {
	if !r.mustBeOpen().ended {
		r.tick = world.Tick(s)
		r.fail(r.next, r.begin(s))
	}
	return r.Close()
}

// Close writes the remaining steps, and ends the recording. Closing twice is allowed. It returns
// the error that ended the recording, unless Record returned it already.
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
