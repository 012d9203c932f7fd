package inspect

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Names of moments that are no number of a frame.
const (
	momentNow   = "now"   // the world between two steps
	momentOther = "other" // the other future
)

const maxMoments = 4 // that are open, each a copy of the world's used bytes

// A moment is a copy of the world at a frame of the past, at present, or in another future.
type moment struct {
	frame

	number int    // in the order of moments.slots
	past   int    // the frame; less than 0: of none any more
	used   uint64 // by the count of uses
}

// moments are those that are open. The world's goroutine writes those that nobody holds.
type moments struct {
	mutex sync.Mutex
	slots []*moment
	uses  uint64
}

// find returns moments of the past that are open, and holds them; or nothing, unless all are.
func (m *moments) find(names []string) (all []*moment) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, name := range names {
		frame, err := strconv.Atoi(name)
		at := slices.IndexFunc(m.slots, func(s *moment) bool { return s.past == frame })
		if err != nil || frame < 0 || at < 0 {
			return nil
		}
		all = append(all, m.slots[at])
	}
	for _, s := range all {
		m.hold(s)
	}
	return all
}

func (m *moments) hold(s *moment) {
	m.uses++
	s.holds, s.used = s.holds+1, m.uses
}

func (m *moments) letGo(all []*moment) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, s := range all {
		if s.holds--; s.retired && s.holds == 0 {
			s.snapshot.Close()
		}
	}
}

// spare returns the slot that was not used for longest, and holds it, or nil.
func (m *moments) spare() *moment {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.slots) < maxMoments {
		m.slots = append(m.slots, &moment{number: len(m.slots), past: -1})
		m.hold(m.slots[len(m.slots)-1])
		return m.slots[len(m.slots)-1]
	}
	idle := slices.DeleteFunc(slices.Clone(m.slots), func(s *moment) bool { return s.holds > 0 })
	if len(idle) == 0 {
		return nil
	}
	s := slices.MinFunc(idle, func(a, b *moment) int { return cmp.Compare(a.used, b.used) })
	s.past = -1
	m.hold(s)
	return s
}

// forget makes frames from one on open again.
func (m *moments) forget(from int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, s := range m.slots {
		if s.past >= from {
			s.past = -1
		}
	}
}

// close gives up all; who holds one may go on.
func (m *moments) close() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, s := range m.slots {
		if s.retired = true; s.holds == 0 && s.snapshot != nil {
			s.snapshot.Close()
		}
	}
	m.slots = nil
}

// take copies a world into a slot that this goroutine holds.
func (s *moment) take(from world.State) error {
	if s.snapshot != nil {
		err := s.snapshot.Take(from)
		if !errors.Is(err, systems.ErrOther) {
			return err
		}
		s.snapshot.Close() // of a world of other counts
		s.snapshot, s.parts = nil, nil
	}
	p, err := world.NewSnapshot(from)
	if err != nil {
		return err
	}
	s.snapshot = p
	return p.Take(from)
}

// open copies a moment. It belongs to the goroutine of the world, which is that of now.
func (i *Inspector) open(name string, now world.State) (*moment, error) {
	from, frame := now, -1
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
		frame = n
	}
	s := i.moments.spare()
	if s == nil {
		return nil, &refusal{
			http.StatusServiceUnavailable, "too many worlds of the past are being read; try again",
		}
	}
	if err := s.take(from); err != nil {
		i.moments.letGo([]*moment{s})
		return nil, err
	}
	i.number++
	s.frame.number, s.tick, s.at = i.number, world.Tick(from), i.options.Clock()
	i.moments.mutex.Lock()
	defer i.moments.mutex.Unlock()
	s.past = frame
	return s, nil
}

// hold opens moments, and holds them.
func (i *Inspector) hold(ctx context.Context, names ...string) (all []*moment, err error) {
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
				found = []*moment{one}
			}
			all = append(all, found...)
		}
		return s, ctx.Err()
	})
	if err != nil {
		i.moments.letGo(all)
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
	defer i.moments.letGo(all)
	once := slices.Clone(all)
	slices.SortFunc(once, func(a, b *moment) int { return cmp.Compare(a.number, b.number) })
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
		views = append(views, &view{&m.frame, m.snapshot.State()})
	}
	return f(views...)
}
