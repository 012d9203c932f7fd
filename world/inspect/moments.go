package inspect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

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
