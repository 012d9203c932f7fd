package names

import (
	"cmp"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
)

// A named is a search result: an object and the order of its name.
type named struct {
	order uint64
	id    gameobject.ID
}

// Lists are scratch for the results of searches: a list per search that was open at the same time.
type Lists struct {
	mutex sync.Mutex
	idle  [][]named
}

// NewLists returns a list with room for names names.
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

// Each yields the objects with a name, in the order in which they were first named. It skips
// objects that have lost the name meanwhile. w has the tables of the world.
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
