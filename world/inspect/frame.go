package inspect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A frame is a slot with a copy of the world. It is written while nobody holds it.
type frame struct {
	snapshot *world.Snapshot // nil: there was no world yet
	number   uint64          // of the frames published
	tick     uint64
	at       time.Duration
	given    given
	client   client
	place    int // among the slots

	past    int    // of moments: the frame, or less than 0; guarded by the slots, as what follows
	holds   int    // readers, and one for the latest frame
	used    uint64 // by the count of uses
	retired bool

	mutex sync.Mutex // readers take turns: a State belongs to one goroutine
	known uint64     // number of the frame that the following are of
	kinds []kindView
	names map[string]int // place in kinds
	parts map[part]tool.Part
}

var errClosed = errors.New("inspect: this Inspector was closed")

// A part names the column of a field.
type part struct{ kind, field string }

// slots are frames that are used in turn, and held by readers.
type slots struct {
	mutex sync.Mutex
	all   []*frame
	uses  uint64
}

// renew gives up the slots for others; who holds one may go on.
func (s *slots) renew(all []*frame) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range s.all {
		f.retired = true
		f.closeIdle()
	}
	s.all = all
}

// closeIdle closes a slot that was given up, when nobody holds it.
func (f *frame) closeIdle() {
	if f.retired && f.holds == 0 && f.snapshot != nil {
		f.snapshot.Close()
	}
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

func (s *slots) letGo(all ...*frame) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range all {
		f.holds--
		f.closeIdle()
	}
}

// frames are the slots of published frames.
type frames struct {
	slots
	latest  *frame // held
	waiting []chan struct{}
}

// close gives up all slots; who holds one may go on.
func (f *frames) close() {
	f.renew(nil)
	f.put(nil)
}

// spare returns a slot that nobody holds or would get, or nil.
func (f *frames) spare() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.idle()
}

// put makes a slot the latest, or none, and wakes who waits for it.
func (f *frames) put(s *frame) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if last := f.latest; last != nil {
		last.holds--
		defer last.closeIdle()
	}
	if f.latest = s; s != nil {
		f.hold(s)
	}
	for _, c := range f.waiting {
		c <- struct{}{} // it has room for one
	}
	clear(f.waiting)
	f.waiting = f.waiting[:0]
}

// holdLatest returns the latest slot, which stays as it is until it is let go, or nil after close.
func (f *frames) holdLatest() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.latest != nil {
		f.hold(f.latest)
	}
	return f.latest
}

// newest returns the number of the latest frame.
func (f *frames) newest() uint64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.latest == nil {
		return 0
	}
	return f.latest.number
}

// await waits for the frame after one, or for the end of ctx.
func (f *frames) await(ctx context.Context, after uint64) {
	f.mutex.Lock()
	if f.latest == nil || f.latest.number > after {
		f.mutex.Unlock()
		return
	}
	c := make(chan struct{}, 1)
	f.waiting = append(f.waiting, c)
	f.mutex.Unlock()
	select {
	case <-c:
	case <-ctx.Done():
		f.mutex.Lock()
		if n := slices.Index(f.waiting, c); n >= 0 {
			f.waiting = slices.Delete(f.waiting, n, n+1)
		}
		f.mutex.Unlock()
	}
}

// A view is a frame that is being looked at, by one goroutine.
type view struct {
	*frame
	state world.State
}

// look has f look at the newest frame. When nobody looked for a while and the world runs, it waits
// for the next.
func (i *Inspector) look(ctx context.Context, f func(*view) error) error {
	now := i.options.Clock()
	before := i.looked.Swap(int64(now) + 1)
	if !i.still(now) && (before == 0 || now-time.Duration(before) > lookFor) {
		number := i.frames.newest()
		ctx, cancel := context.WithTimeout(ctx, stillFrom)
		i.frames.await(ctx, number)
		cancel()
	}
	held := i.frames.holdLatest()
	if held == nil {
		return errClosed
	}
	defer i.frames.letGo(held)
	held.mutex.Lock()
	defer held.mutex.Unlock()
	return f(&view{held, held.snapshot.State()})
}

// still reports whether no frame has ended for a while.
func (i *Inspector) still(now time.Duration) bool {
	return now-time.Duration(i.called.Load()) >= stillFrom
}
