package inspect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
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

// Names of moments that are no number of a frame.
const (
	momentNow   = "now"   // the world between two steps
	momentOther = "other" // the other future
)

const maxMoments = 4 // that are open, each a copy of the world's used bytes

// moments are the slots of copies at frames of the past, at present, or in another future. The
// world's goroutine writes those that nobody holds.
type moments struct{ slots }

// find returns moments of the past that are open, and holds them; or nothing, unless all are.
func (m *moments) find(names []string) (all []*frame) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, name := range names {
		n, err := strconv.Atoi(name)
		at := slices.IndexFunc(m.all, func(f *frame) bool { return f.past == n })
		if err != nil || n < 0 || at < 0 {
			return nil
		}
		all = append(all, m.all[at])
	}
	for _, f := range all {
		m.hold(f)
	}
	return all
}

// spare returns a new slot, or the one that was not used for longest, and holds it, or nil.
func (m *moments) spare() *frame {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	f := m.idle()
	if len(m.all) < maxMoments {
		f = &frame{place: len(m.all)}
		m.all = append(m.all, f)
	}
	if f != nil {
		f.past = -1
		m.hold(f)
	}
	return f
}

// forget makes frames from one on open again.
func (m *moments) forget(from int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, f := range m.all {
		if f.past >= from {
			f.past = -1
		}
	}
}

// take copies a world into a slot that this goroutine holds.
func (f *frame) take(from world.State) error {
	if f.snapshot != nil {
		err := f.snapshot.Take(from)
		if !errors.Is(err, systems.ErrOther) {
			return err
		}
		f.snapshot.Close() // of a world of other counts
		f.snapshot, f.parts = nil, nil
	}
	var err error
	f.snapshot, err = program.Snapshot(from)
	return err
}

// open copies a moment. It belongs to the goroutine of the world, which is that of now.
func (i *Inspector) open(name string, now world.State) (*frame, error) {
	from, past := now, -1
	switch name {
	case momentNow:
	case momentOther:
		if i.course.other == nil {
			return nil, notFound("there is no other future; fork the world first")
		}
		from = i.course.other.state
	default:
		n, err := strconv.Atoi(name)
		if err != nil {
			return nil, badRequest("at is %.40q; give the number of a frame, now, or other", name)
		}
		first, next := i.options.Past.Frames()
		if n < first || n >= next {
			return nil, noFrame(n, first, next-1)
		}
		if from, err = i.at(n); err != nil {
			return nil, err
		}
		past = n
	}
	f := i.moments.spare()
	if f == nil {
		return nil, busy("too many worlds of the past are being read; try again")
	}
	if err := f.take(from); err != nil {
		i.moments.letGo(f)
		return nil, err
	}
	i.number++
	f.number, f.tick, f.at = i.number, world.Tick(from), i.options.Clock()
	i.moments.mutex.Lock()
	defer i.moments.mutex.Unlock()
	f.past = past
	return f, nil
}

// hold opens moments, and holds them.
func (i *Inspector) hold(ctx context.Context, names ...string) (all []*frame, err error) {
	if i.options.Past == nil {
		return nil, notFound("this program keeps no past; set Options.Past, and call Turn")
	}
	i.looked.Store(int64(i.options.Clock()) + 1)
	all = i.moments.find(names)
	if all != nil {
		return all, nil
	}
	err = i.inWorld(ctx, true, func(s world.State) (world.State, error) {
		for _, name := range names {
			if ctx.Err() != nil {
				break
			}
			found := i.moments.find([]string{name})
			if found == nil {
				one, err := i.open(name, s)
				if err != nil {
					return s, err
				}
				found = []*frame{one}
			}
			all = append(all, found...)
		}
		return s, ctx.Err()
	})
	if err != nil {
		i.moments.letGo(all...)
		return nil, err
	}
	return all, nil
}

// lookAt has f look at a moment: a frame of the past by its number, the world between two steps as
// "now", its other future as "other". Without a name it looks at the newest frame.
func (i *Inspector) lookAt(ctx context.Context, name string, f func(*view) error) error {
	if name == "" {
		return i.look(ctx, f)
	}
	return i.lookAtAll(ctx, []string{name}, func(all ...*view) error { return f(all[0]) })
}

// lookAtAll has f look at several moments at once.
func (i *Inspector) lookAtAll(
	ctx context.Context, names []string, f func(...*view) error,
) error {
	all, err := i.hold(ctx, names...)
	if err != nil {
		return err
	}
	defer i.moments.letGo(all...)
	once := slices.Clone(all)
	slices.SortFunc(once, func(a, b *frame) int { return cmp.Compare(a.place, b.place) })
	once = slices.Compact(once) // all lock in the same order
	for _, m := range once {
		m.mutex.Lock()
	}
	defer func() {
		for _, m := range once {
			m.mutex.Unlock()
		}
	}()
	var views []*view
	for _, m := range all {
		views = append(views, &view{m, m.snapshot.State()})
	}
	return f(views...)
}
