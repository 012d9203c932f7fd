package inspect

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

const (
	lookFor   = 3 * time.Second        // a page counts as open this long after a request
	share     = 100                    // copying takes at most 1/share of the time
	longest   = 5 * time.Second        // a frame is published at least this often
	stillFrom = 300 * time.Millisecond // after this time without a frame the world counts as paused
)

var errClosed = busy("inspect: this Inspector was closed")

// frames manages the published frames: the latest frame, which clients see, and slots for the next.
type frames struct {
	slots
	latest *frame    // held
	newer  sync.Cond // signals a newer frame

	options  *Options
	every    time.Duration // shortest time between published frames
	describe func(*frame)  // adds data of the program to a copy
	looked   atomic.Int64  // time of the last request, plus 1; 0: never
	called   atomic.Int64  // time of the last Publish
	copied   atomic.Int64  // duration of the last copy in nanoseconds
	skipped  atomic.Uint64

	next  time.Duration
	count uint64 // of all copies
	asked bool   // Publish was called, so sources may be called
	stale bool   // the page has not seen a change between two steps
}

func newFrames(o *Options) *frames {
	f := &frames{options: o, every: time.Second / time.Duration(o.Rate)}
	f.newer.L = &f.mutex
	f.called.Store(int64(o.Clock() - stillFrom)) // before the first frame
	return f
}

// renew allocates slots for a world, and publishes it.
func (f *frames) renew(s world.State) error {
	all := make([]*frame, 3)
	for n := range all {
		all[n] = &frame{}
		if err := all[n].take(s); err != nil { // commits the memory of every slot
			(&slots{all: all[:n+1]}).replace(nil)
			return err
		}
	}
	f.replace(all)
	f.put(all[0], s)
	return nil
}

// close releases all copies; readers may still hold some.
func (f *frames) close() {
	f.replace(nil)
	f.setLatest(nil)
}

// publish notes the end of a frame at now, and copies the world if a page is due for an update.
func (f *frames) publish(s world.State, now time.Duration) error {
	f.asked = true
	f.called.Store(int64(now))
	if now < f.next || !f.watched(now) {
		return nil
	}
	return f.show(s, now)
}

// watched reports whether a page is open.
func (f *frames) watched(now time.Duration) bool {
	looked := f.looked.Load()
	return looked != 0 && now-time.Duration(looked) <= lookFor
}

// still reports whether the last frame ended a while ago.
func (f *frames) still(now time.Duration) bool {
	return now-time.Duration(f.called.Load()) >= stillFrom
}

// show publishes a copy of the world.
func (f *frames) show(s world.State, now time.Duration) error {
	slot := f.spare()
	if slot == nil {
		f.skipped.Add(1)
		return nil
	}
	err := slot.snapshot.Take(s)
	switch {
	case errors.Is(err, systems.ErrOther):
		return f.renew(s)
	case err != nil:
		return err
	}
	f.put(slot, s)
	took := slot.at - now
	f.copied.Store(int64(took))
	f.next = now + max(f.every, min(share*took, longest))
	f.stale = false
	return nil
}

// refresh copies the world again if it changed between two steps.
func (f *frames) refresh(s world.State) {
	if now := f.options.Clock(); f.stale && f.watched(now) {
		_ = f.show(s, now) // a failed copy is repeated later
	}
}

// stamp numbers a copy of s.
func (f *frames) stamp(slot *frame, s world.State) {
	f.count++
	slot.number, slot.tick, slot.at = f.count, world.Tick(s), f.options.Clock()
}

// put publishes a copy as the latest frame.
func (f *frames) put(slot *frame, s world.State) {
	f.stamp(slot, s)
	if f.asked {
		f.describe(slot)
	}
	f.setLatest(slot)
}

// spare returns a slot that is neither held nor the latest, or nil.
func (f *frames) spare() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.idle()
}

// setLatest sets the latest slot, which may be nil, and wakes the waiting readers.
func (f *frames) setLatest(slot *frame) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if last := f.latest; last != nil {
		last.holds--
		defer last.closeIdle()
	}
	if f.latest = slot; slot != nil {
		f.hold(slot)
	}
	f.newer.Broadcast()
}

// holdLatest returns the latest slot, or nil after close. The slot is not overwritten until it is
// released.
func (f *frames) holdLatest() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.latest != nil {
		f.hold(f.latest)
	}
	return f.latest
}

// await waits for a frame after the given one, or until ctx ends.
func (f *frames) await(ctx context.Context, after uint64) {
	defer context.AfterFunc(ctx, func() {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.newer.Broadcast()
	})()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for f.latest != nil && f.latest.number <= after && ctx.Err() == nil {
		f.newer.Wait()
	}
}

// look calls do with the newest frame. If no page was open and the world runs, it waits for the
// next frame first.
func (f *frames) look(ctx context.Context, do func(*view) error) error {
	now := f.options.Clock()
	waits := !f.still(now) && !f.watched(now)
	f.looked.Store(int64(now) + 1)
	held := f.holdLatest()
	if held == nil {
		return errClosed
	}
	if waits {
		number := held.number
		f.release(held)
		ctx, cancel := context.WithTimeout(ctx, stillFrom)
		f.await(ctx, number)
		cancel()
		if held = f.holdLatest(); held == nil {
			return errClosed
		}
	}
	defer f.release(held)
	return held.look(do)
}
