package manager

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A survey visits the parts of a world in order. It adds up their sizes, and lists them if parts is
// not nil.
type survey struct {
	units [perPage + 1]int64 // number of units per extent
	size  int64              // bytes so far, with padding; above buffer.MaxSize: too large
	parts []Part             // or nil

	counted int64 // bytes that have memory from the start
}

// An owner is what several parts belong to: a kind, a watcher, the objects.
type owner struct {
	name  string
	kind  *layout.KindSpec
	place int
	free  bool // without a count
}

func newSurvey(objects, pools int) (s survey) {
	blocks := (objects + 63) / 64
	groups := (blocks + 63) / 64
	s.units[perPart] = 1
	s.units[perPool], s.units[perPoolGroup] = int64(pools), int64(pools*groups)
	s.units[perObject], s.units[perBlock], s.units[perGroup] = int64(objects), int64(blocks),
		int64(groups)
	return s
}

// world visits the parts of a whole world.
func (s *survey) world(a *Arena) {
	s.all(worldParts, owner{name: "world"})
	s.all(objectParts, owner{name: "game objects"})
	s.add(&Part{Name: "kinds per block", Unit: 8 * a.words(), per: perBlock}, owner{name: "world"})
	for i, n := range a.sizes.Kinds {
		s.kind(n, i)
	}
	for i := range a.sizes.Watchers {
		name := "watcher"
		if s.parts != nil {
			name = fmt.Sprint("watcher ", i)
		}
		s.all(watcherParts, owner{name: name, place: i})
	}
}

// kind visits the region of one kind.
func (s *survey) kind(c layout.Count, place int) {
	kind, n := c.Kind.Spec(), int64(c.Rows)
	o := owner{kind.Name, kind, place, c.Free}
	if kind.Mark {
		s.all(markParts, o)
		return
	}
	s.units[perRow], s.units[per64Rows], s.units[per4096Rows] = n, (n+63)/64, (n+4095)/4096
	s.units[perPage] = min(n, s.units[perBlock])
	s.all(rowParts, o)
	for _, f := range kind.Fields {
		s.add(&Part{Name: f.Name, Field: f, Truth: true, Unit: f.Stride, per: perRow}, o)
	}
	s.all(blockParts, o)
}

func (s *survey) all(parts []Part, o owner) {
	for i := range parts {
		s.add(&parts[i], o)
	}
}

func (s *survey) add(p *Part, o owner) {
	n := s.units[p.per] * int64(p.Unit)
	if !o.free && p.counted() {
		s.counted = min(s.counted+n, buffer.MaxSize+1)
	}
	if s.parts != nil {
		named := *p
		named.Owner, named.Kind, named.Place, named.Free = o.name, o.kind, o.place, o.free
		named.at, named.size = int(s.size), int(n)
		s.parts = append(s.parts, named)
	}
	s.size = min((s.size+n+buffer.Align-1)&^(buffer.Align-1), buffer.MaxSize+1)
}

// total returns the number of bytes visited, or an error that wraps [ErrMemory].
func (s *survey) total(what string) (int, error) {
	if s.size > min(buffer.MaxSize, math.MaxInt) {
		return 0, &Error{ErrMemory, what, 0, int(min(s.size, math.MaxInt))}
	}
	return int(s.size), nil
}
