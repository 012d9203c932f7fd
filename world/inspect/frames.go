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
	share     = 100                    // at most this part of the time is spent copying
	longest   = 5 * time.Second        // longest time until a frame is published nevertheless
	stillFrom = 300 * time.Millisecond // without a frame the world counts as paused
)

var errClosed = errors.New("inspect: this Inspector was closed")

// frames are the published frames: the latest, which readers see, and slots for the next.
type frames struct {
	slots
	latest *frame    // held
	newer  sync.Cond // there is another

	options  *Options
	every    time.Duration // shortest time between published frames
	describe func(*frame)  // adds to a copy what the program tells beside its world
	looked   atomic.Int64  // time of the last request, plus 1; 0: never
	called   atomic.Int64  // time of the last Publish
	copied   atomic.Int64  // duration of the last copy in nanoseconds
	skipped  atomic.Uint64

	next  time.Duration
	count uint64 // of all copies
	asked bool   // Publish was called: the program may be asked
	stale bool   // the page lacks what changed between two steps
}

func newFrames(o *Options) *frames {
	f := &frames{options: o, every: time.Second / time.Duration(o.Rate)}
	f.newer.L = &f.mutex
	f.called.Store(int64(o.Clock() - stillFrom)) // no frame has ended
	return f
}

// renew makes slots for a world, and shows it.
func (f *frames) renew(s world.State) error {
	all := make([]*frame, 3)
	for n := range all {
		all[n] = &frame{}
		if err := all[n].take(s); err != nil { // each, so that its memory is committed
			(&slots{all: all[:n+1]}).replace(nil)
			return err
		}
	}
	f.replace(all)
	f.put(all[0], s)
	return nil
}

// publish notes that a frame ended now, and shows the world when a page is due to see it.
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

// still reports whether no frame has ended for a while.
func (f *frames) still(now time.Duration) bool {
	return now-time.Duration(f.called.Load()) >= stillFrom
}

// show copies the world for the page.
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

// stamp tells a copy of s from all others.
func (f *frames) stamp(slot *frame, s world.State) {
	f.count++
	slot.number, slot.tick, slot.at = f.count, world.Tick(s), f.options.Clock()
}

// put makes what was copied the frame that readers see.
func (f *frames) put(slot *frame, s world.State) {
	f.stamp(slot, s)
	if f.asked {
		f.describe(slot)
	}
	f.setLatest(slot)
}

// spare returns a slot that nobody holds or would get, or nil.
func (f *frames) spare() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.idle()
}

// setLatest makes a slot the latest, or none, and wakes who waits for it.
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

// holdLatest returns the latest slot, which stays as it is until it is let go, or nil after close.
func (f *frames) holdLatest() *frame {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.latest != nil {
		f.hold(f.latest)
	}
	return f.latest
}

// await waits for the frame after one, or for the end of ctx.
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

// look has do look at the newest frame. When nobody looked for a while and the world runs, it waits
// for the next.
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
