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

// A view is a frame that is being looked at, by one goroutine.
type view struct {
	*frame
	state world.State
}

func newView(f *frame, s world.State) *view {
	v := &view{f, s}
	v.know()
	return v
}

// usedBytes returns how many bytes of the world were ever used.
func (v *view) usedBytes() (n int) {
	for _, p := range tool.Parts(v.state) {
		n += len(tool.Used(v.state, &p))
	}
	return n
}

// A frame is a slot with a copy of the world. It is written while nobody holds it.
type frame struct {
	snapshot *world.Snapshot // nil: there was no world yet
	number   uint64          // of all copies
	tick     uint64
	at       time.Duration
	given    given
	client   client

	past    int    // of moments: the frame, or less than 0; guarded by the slots, as what follows
	holds   int    // readers, and one for the latest frame
	used    uint64 // by the count of uses
	retired bool

	mutex sync.Mutex // readers take turns: a State belongs to one goroutine
	known known
}

// take copies a world into a slot that this goroutine holds.
func (f *frame) take(from world.State) error {
	if f.snapshot != nil {
		err := f.snapshot.Take(from)
		if !errors.Is(err, systems.ErrOther) {
			return err
		}
		f.snapshot.Close() // of a world of other counts
		f.snapshot, f.known = nil, known{}
	}
	var err error
	f.snapshot, err = program.Snapshot(from)
	return err
}

// look has f look at a frame that this goroutine holds.
func (f *frame) look(do func(*view) error) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return do(newView(f, f.snapshot.State()))
}

// closeIdle closes a slot that was given up, when nobody holds it.
func (f *frame) closeIdle() {
	if f.retired && f.holds == 0 && f.snapshot != nil {
		f.snapshot.Close()
	}
}

// slots are frames that are used in turn, and held by readers.
type slots struct {
	mutex sync.Mutex
	all   []*frame
	uses  uint64
}

// replace gives up the slots for others; who holds one may go on.
func (s *slots) replace(all []*frame) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range s.all {
		f.retired = true
		f.closeIdle()
	}
	s.all = all
}

// idle returns the slot that nobody holds and that was not used for longest, or nil.
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
