package save

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/program"
)

// ErrLate is the error of a save that is offered while the previous one is still being written.
var ErrLate = errors.New("the previous save is still being written")

// ErrClosed is the error of a closed [Saver].
var ErrClosed = errors.New("the saver is closed")

// A Saver saves a world repeatedly while the program continues: the caller copies the used bytes,
// into memory allocated once, and a goroutine writes the copy. It belongs to the goroutine that
// created it.
type Saver struct {
	// Frame is [Options.Frame] of the next save.
	Frame uint64

	path     string
	options  Options
	snapshot *systems.Snapshot
	state    systems.State // of snapshot
	due      chan struct{}
	done     chan error
	ended    sync.WaitGroup
	writing  bool
	closed   bool
	tick     uint64 // tick of the save being written
	counts   SaverCounts
}

// SaverCounts counts the saves of a [Saver].
type SaverCounts struct {
	Saved, Late, Failed uint64
}

// NewSaver returns a saver of worlds with the counts of s, to a path. It takes as much memory as
// the world. It returns [systems.ErrMemory], [fs.ErrNotExist] if the folder does not exist, and the
// errors of [Saver.Offer], wrapped.
func NewSaver(path string, s systems.State, o Options) (*Saver, error) {
	if err := Sweep(path); errors.Is(err, fs.ErrNotExist) { // the folder is missing
		return nil, err
	}
	v := &Saver{
		Frame: o.Frame, path: path, options: o, due: make(chan struct{}), done: make(chan error),
	}
	var err error
	if v.snapshot, err = systems.NewSnapshot(s); err != nil {
		return nil, err
	}
	if err := v.take(s); err != nil { // commits the memory before the first save
		v.snapshot.Close()
		return nil, err
	}
	v.ended.Go(v.write)
	return v, nil
}

// write writes offered worlds until the saver is closed. It turns a panic of a codec, or of
// Progress, into an error.
func (v *Saver) write() {
	for range v.due {
		var err error
		p := program.Caught("save", func() { err = Save(v.path, v.state, v.options) })
		if p != nil {
			err = p
		}
		v.done <- err
	}
}

func (v *Saver) take(s systems.State) error {
	if err := tool.Settled(s); err != nil {
		return err
	}
	if err := v.snapshot.Take(s); err != nil {
		return err
	}
	v.state = v.snapshot.State()
	return nil
}

// mustBeOpen returns v. It panics if v is nil or was not created by NewSaver.
func (v *Saver) mustBeOpen() *Saver {
	if v == nil || v.due == nil {
		panic("save: this Saver is nil, or was not made; make one by NewSaver")
	}
	return v
}

// Offer starts to save s. If the previous save is still being written, the error wraps [ErrLate],
// and s is not saved: offer the world again later, or see [Saver.Wait]. If a previous save failed,
// its error is returned, and s is not saved. Other errors wrap [ErrClosed], [systems.ErrWalking],
// [tool.ErrUnapplied] or [systems.ErrOther].
func (v *Saver) Offer(s systems.State) error {
	v.mustBeOpen()
	if v.closed {
		return fmt.Errorf("save: %s at tick %d: %w; make another by NewSaver",
			v.path, systems.Tick(s), ErrClosed)
	}
	if v.writing {
		select {
		case err := <-v.done:
			if err := v.wrote(err); err != nil {
				return err
			}
		default:
			v.counts.Late++
			return fmt.Errorf("save: %s at tick %d: %w, that of tick %d; save less often, or Wait",
				v.path, systems.Tick(s), ErrLate, v.tick)
		}
	}
	if err := v.take(s); err != nil {
		return err
	}
	v.tick, v.writing, v.options.Frame = systems.Tick(s), true, v.Frame
	v.due <- struct{}{}
	return nil
}

// wrote counts a finished save.
func (v *Saver) wrote(err error) error {
	v.writing = false
	if err != nil {
		v.counts.Failed++
		return fmt.Errorf("%w; it was tick %d", err, v.tick)
	}
	v.counts.Saved++
	return nil
}

// Wait waits for the save being written, and returns the error of the last save.
func (v *Saver) Wait() error {
	if !v.mustBeOpen().writing {
		return nil
	}
	return v.wrote(<-v.done)
}

// Counts returns the numbers of saves so far.
func (v *Saver) Counts() SaverCounts { return v.mustBeOpen().counts }

// Close waits for the save being written, ends the goroutine, and releases the memory of v. Closing
// twice is allowed.
func (v *Saver) Close() error {
	err := v.Wait()
	if v.closed {
		return err
	}
	v.closed = true
	close(v.due)
	v.ended.Wait()
	v.snapshot.Close()
	return err
}
