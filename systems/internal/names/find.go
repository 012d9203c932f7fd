package names

import (
	"cmp"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A named is an object that was found by its name.
type named struct {
	order uint64
	id    gameobject.ID
}

// Lists are what searches find: a list for each of those that were ever open at once.
type Lists struct {
	mutex sync.Mutex
	idle  [][]named
}

// NewLists returns a list that has room for every one of so many names.
func NewLists(names int) *Lists {
	return &Lists{idle: [][]named{make([]named, 0, names)}}
}

// take returns an unused list.
func (l *Lists) take() (list []named) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if n := len(l.idle); n > 0 {
		list, l.idle = l.idle[n-1], l.idle[:n-1]
	}
	return list
}

func (l *Lists) give(list []named) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.idle = append(l.idle, list[:0])
}

// Each yields the objects of a name, in the order in which they were first named, those that have
// lost it meanwhile left out.
func (l *Lists) Each(a *manager.Arena, name string, yield func(gameobject.ID) bool) {
	m := a.Find(Kind.Spec())
	if m == nil {
		panic(ErrNone.Error())
	}
	found := find(l.take(), a.Objects, m, name)
	defer l.give(found)
	if !slices.IsSortedFunc(found, named.compare) {
		slices.SortFunc(found, named.compare)
	}
	for _, f := range found {
		if !a.Objects.Alive(f.id) {
			continue
		}
		if text, err := Of(m, f.id.Index()); err == nil && string(text) == name && !yield(f.id) {
			return
		}
	}
}

// find appends the objects with a name to dst, rows ascending.
func find(dst []named, objects *gameobject.Registry, m *manager.Manager, name string) []named {
	text, hash := manager.Column(m, texts), manager.Column(m, hashes)
	order, wanted := manager.Column(m, orders), hashOf(name)
	for row, n := range m.Runs() {
		for end := row + n; ; row++ {
			next := indexOf(hash[row:end], wanted)
			if next < 0 {
				break
			}
			row += next
			if string(inText(&text[row])) == name {
				object, _ := m.ObjectOf(layout.Row(row))
				dst = append(dst, named{order[row], objects.At(object)})
			}
		}
	}
	return dst
}

func (n named) compare(other named) int {
	if c := cmp.Compare(n.order, other.order); c != 0 {
		return c
	}
	return cmp.Compare(n.id.Index(), other.id.Index())
}

// indexOf returns the index of the first equal hash, or -1. Comparing eight at a time halves the
// time.
func indexOf(hashes []uint32, hash uint32) int {
	i := 0
	for ; len(hashes)-i >= 8; i += 8 {
		h := (*[8]uint32)(hashes[i:])
		if h[0] == hash || h[1] == hash || h[2] == hash || h[3] == hash ||
			h[4] == hash || h[5] == hash || h[6] == hash || h[7] == hash {
			break
		}
	}
	for ; i < len(hashes); i++ {
		if hashes[i] == hash {
			return i
		}
	}
	return -1
}
