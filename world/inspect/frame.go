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
	snapshot *world.Snapshot
	number   uint64 // of the frames published
	tick     uint64
	at       time.Duration
	given    given
	client   client
	holds    int // readers; guarded by frames.mutex, as is what follows
	retired  bool

	mutex sync.Mutex // readers take turns: a State belongs to one goroutine
	known uint64     // number of the frame that the following are of
	kinds []kindView
	names map[string]int // place in kinds
	parts map[part]tool.Part
}

var errClosed = errors.New("inspect: this Inspector was closed")

// A part names the column of a field.
type part struct{ kind, field string }

// frames are slots, which are used in turn.
type frames struct {
	mutex   sync.Mutex
	slots   []*frame
	turn    int
	latest  *frame
	waiting []chan struct{}
}

// renew gives up the slots for others; who holds one may go on.
func (f *frames) renew(slots []*frame) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, s := range f.slots {
		s.retired = true
		f.closeIdle(s)
	}
	f.slots, f.turn = slots, 0
}

// close gives up all slots; who holds one may go on.
func (f *frames) close() {
	f.renew(nil)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	last := f.latest
	f.latest = nil
	f.closeIdle(last)
}

// closeIdle closes a slot that was given up, when nobody holds or would get it.
func (f *frames) closeIdle(s *frame) {
	if s != nil && s.retired && s.holds == 0 && s != f.latest {
		s.snapshot.Close()
	}
}

// spare returns a slot that nobody holds or would get, or nil.
func (f *frames) spare() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for range f.slots {
		f.turn = (f.turn + 1) % len(f.slots)
		if s := f.slots[f.turn]; s != f.latest && s.holds == 0 {
			return s
		}
	}
	return nil
}

// put makes a slot the latest, and wakes who waits for it.
func (f *frames) put(s *frame) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	last := f.latest
	f.latest = s
	f.closeIdle(last)
	for _, c := range f.waiting {
		c <- struct{}{} // it has room for one
	}
	clear(f.waiting)
	f.waiting = f.waiting[:0]
}

// hold returns the latest slot, which stays as it is until it is let go, or nil where there is none
// any more.
func (f *frames) hold() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.latest != nil {
		f.latest.holds++
	}
	return f.latest
}

func (f *frames) letGo(s *frame) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	s.holds--
	f.closeIdle(s)
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
	held := i.frames.hold()
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
