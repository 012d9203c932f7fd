package record

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

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
	to      output
	size    int // bytes of an input; -1 until the first one
	second  int // steps
	segment int // steps
	next    int // frame
	began   int // frame at which the segment begins
	changed bool
	worlds  int // that were copied
	batch   *batch
	empty   chan *batch
	full    chan *batch
	spare   chan *world.Snapshot
	writer  sync.WaitGroup
	failed  atomic.Pointer[error] // what ended the recording
	ended   bool                  // and it was told, or Close was called
	tick    uint64                // before the last step
}

// A batch is what the writer gets at once: perhaps a world, and the steps from there.
type batch struct {
	frame   int
	tick    uint64 // of the world before the first step
	world   *world.Snapshot
	full    bool // the world is not to be written as a difference
	outside bool // no step leads to the world
	inputs  []byte
	steps   int
	marks   []mark
	note    *Note
	ends    bool
}

// A Note is what happened to a world that was recorded: a panic, a failure.
type Note struct {
	Frame int    // of the step that it happened in
	Tick  uint64 // before that step
	What  string // such as "panic"
	Text  string
	Stack string `json:",omitempty"`
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
	return start(&stream{w}, s, o)
}

func start(to output, s world.State, o Options) (*Recorder, error) {
	o = o.filled()
	r := &Recorder{
		options: o, to: to, size: -1, second: o.StepRate, segment: o.steps(o.Segment),
		empty: make(chan *batch, batches), full: make(chan *batch, batches),
		spare: make(chan *world.Snapshot, 2), changed: true,
	}
	for range cap(r.spare) {
		p, err := program.Snapshot(s)
		if err != nil {
			r.finish()
			return nil, err
		}
		r.spare <- p
	}
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
// [ErrSlow], or that of a world that is being walked or has commands that are not applied. After it
// Record does nothing.
func (r *Recorder) Record(s world.State, input []byte) error {
	if r.mustBeOpen().ended {
		return nil
	}
	if r.size < 0 {
		r.open(s, len(input))
	}
	if len(input) != r.size {
		panic(fmt.Sprintf("record: an input of %d bytes for a recording of inputs of %d; they are "+
			"all as long as the first one", len(input), r.size))
	}
	r.tick = world.Tick(s)
	err := r.failure()
	if err == nil && (r.changed || r.next-r.began >= r.segment) {
		err = r.begin(s)
	}
	if err == nil && r.batch == nil {
		err = r.take(r.options.Wait)
	}
	if err != nil {
		r.fail(r.next, err)
		r.ended = true
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
	r.offer()
	return nil
}

// open starts the writer, once the size of inputs is known.
func (r *Recorder) open(s world.State, size int) {
	if size > maxInputs {
		program.Refuse(fmt.Sprintf("record: an input of %d bytes; give %d at most", size,
			maxInputs))
	}
	r.size = size
	r.segment = min(r.segment, maxInputs/max(size, 1))
	for range batches {
		r.empty <- &batch{
			inputs: make([]byte, 0, max(batchBytes, size)), marks: make([]mark, 0, batchMarks),
		}
	}
	w := newWriter(r, r.options.headOf(s, size))
	r.writer.Go(func() {
		w.run()
		r.finish()
	})
}

// begin begins a segment with a copy of the world.
func (r *Recorder) begin(s world.State) error {
	if err := tool.Settled(s); err != nil {
		return err
	}
	r.hand()
	if err := r.take(r.options.Wait || r.changed); err != nil {
		return err
	}
	var p *world.Snapshot
	select {
	case p = <-r.spare:
	default:
		if !r.options.Wait && !r.changed {
			return ErrSlow
		}
		p = <-r.spare // what changed outside of steps waits for the writer
	}
	if err := p.Take(s); err != nil {
		r.spare <- p
		return err
	}
	r.batch.world, r.batch.outside = p, r.changed
	r.batch.full = r.worlds%r.options.Full == 0
	r.began, r.changed = r.next, false
	r.worlds++
	return nil
}

// take takes an empty batch.
func (r *Recorder) take(wait bool) error {
	select {
	case r.batch = <-r.empty:
	default:
		if !wait {
			return ErrSlow
		}
		r.batch = <-r.empty
	}
	r.batch.frame, r.batch.tick = r.next, r.tick
	return nil
}

// offer hands the batch to the writer when it is due, unless the writer is late and the batch has
// room. A world is due at once.
func (r *Recorder) offer() {
	b := r.batch
	packed := cap(b.inputs)-len(b.inputs) < max(r.size, 1) || len(b.marks) == cap(b.marks)
	due := b.steps >= r.second || b.steps >= batchBytes || b.world != nil ||
		r.options.Sync == SyncStep
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
// in the inspector: the next Record records the world.
func (r *Recorder) Changed() { r.mustBeOpen().changed = true }

// Frame returns the number of the next step, from 0.
func (r *Recorder) Frame() int { return r.mustBeOpen().next }

// failure returns what ended the recording, or nil.
func (r *Recorder) failure() error {
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// fail ends the recording before a step, unless another error did.
func (r *Recorder) fail(frame int, err error) {
	if err != nil {
		err = fmt.Errorf("record: the recording ended before step %d: %w", frame, err)
		r.failed.CompareAndSwap(nil, &err)
	}
}

// Note writes what happened, and waits until it is on disk.
func (r *Recorder) Note(n Note) error {
	if r.mustBeOpen().ended || r.size < 0 {
		return nil
	}
	r.hand()
	r.batch = <-r.empty
	r.batch.note, r.batch.frame, r.batch.tick = &n, r.next, r.tick
	r.hand()
	var all [batches]*batch // the writer has nothing left when it gave these back
	for i := range all {
		all[i] = <-r.empty
	}
	for _, b := range all {
		r.empty <- b
	}
	return r.failure()
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
	if r.mustBeOpen().ended {
		return r.Close()
	}
	if r.size < 0 {
		r.open(s, 0)
	}
	err := r.begin(s)
	r.fail(r.next, err)
	return r.Close()
}

// Close writes what is left, and ends the recording. Closing twice is allowed. It returns the error
// that ended the recording, unless Record did.
func (r *Recorder) Close() error {
	switch {
	case r.mustBeOpen().ended:
		r.writer.Wait()
		return nil
	case r.size < 0:
		r.finish()
	default:
		r.hand()
		r.batch = <-r.empty
		r.batch.ends, r.batch.frame, r.batch.tick = true, r.next, r.tick
		r.hand()
		close(r.full)
		r.writer.Wait()
	}
	r.ended = true
	return r.failure()
}
