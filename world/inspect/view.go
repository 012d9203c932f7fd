package inspect

import (
	"errors"
	"sync"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A view is one goroutine's access to a frame.
type view struct {
	*frame
	state world.State
}

func newView(f *frame, s world.State) *view {
	v := &view{f, s}
	v.know()
	return v
}

// usedBytes returns the number of bytes of the world that were ever used.
func (v *view) usedBytes() (n int) {
	for _, p := range tool.Parts(v.state) {
		n += len(tool.Used(v.state, &p))
	}
	return n
}

// A frame is a slot with a copy of the world. It is overwritten only while no reader holds it.
type frame struct {
	snapshot *world.Snapshot // nil: empty
	number   uint64          // unique per copy
	tick     uint64
	at       time.Duration
	given    given
	client   client

	past    int    // frame of a moment, or negative; slots guard it and the fields below
	holds   int    // number of readers, plus one for the latest frame
	used    uint64 // the value of the counter at the last use
	retired bool

	mutex sync.Mutex // serializes readers: a State belongs to one goroutine
	known known
}

// take copies a world into a slot that the calling goroutine holds.
func (f *frame) take(from world.State) error {
	if f.snapshot != nil {
		err := f.snapshot.Take(from)
		if !errors.Is(err, systems.ErrOther) {
			return err
		}
		f.snapshot.Close() // it belongs to a world with other counts
		f.snapshot, f.known = nil, known{}
	}
	var err error
	f.snapshot, err = program.Snapshot(from)
	return err
}

// look calls do with a frame that the calling goroutine holds.
func (f *frame) look(do func(*view) error) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return do(newView(f, f.snapshot.State()))
}

// closeIdle closes a replaced slot when no reader holds it.
func (f *frame) closeIdle() {
	if f.retired && f.holds == 0 && f.snapshot != nil {
		f.snapshot.Close()
	}
}

// slots are frames that are reused in turn and held by readers.
type slots struct {
	mutex sync.Mutex
	all   []*frame
	uses  uint64
}

// replace replaces the slots. Readers may still hold the old ones.
func (s *slots) replace(all []*frame) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range s.all {
		f.retired = true
		f.closeIdle()
	}
	s.all = all
}

// idle returns the least recently used slot that no reader holds, or nil.
func (s *slots) idle() (found *frame) {
	for _, f := range s.all {
		if f.holds == 0 && (found == nil || f.used < found.used) {
			found = f
		}
	}
	return found
}

func (s *slots) hold(f *frame) {
	s.uses++
	f.holds, f.used = f.holds+1, s.uses
}

func (s *slots) release(all ...*frame) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range all {
		f.holds--
		f.closeIdle()
	}
}
