package names

import (
	"cmp"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
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
// lost it meanwhile left out. w has the tables of the world.
func (l *Lists) Each(
	a *manager.Arena, w *index.World, name string, yield func(gameobject.ID) bool,
) {
	m := a.Find(Kind.Spec())
	if m == nil {
		panic(ErrNone.Error())
	}
	table := w.Of(hashes.Spec(), index.Values)
	if table == nil {
		table = w.Add(m, hashes.Spec(), index.Values, nil)
	}
	found := l.take()
	table.OfKey(uint64(hashOf(name)), func(id gameobject.ID) bool {
		row, _ := m.RowOf(id.Index())
		found = append(found, named{manager.Column(m, orders)[row], id})
		return true
	})
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

func (n named) compare(other named) int {
	return cmp.Or(cmp.Compare(n.order, other.order), cmp.Compare(n.id.Index(), other.id.Index()))
}
