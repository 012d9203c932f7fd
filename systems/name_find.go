package systems

import (
	"cmp"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A named is an object that was found by its name.
type named struct {
	order uint64
	id    GameObject
}

// finds are reusable lists for loops over Named: one for each loop that was ever open at once.
type finds struct {
	mutex sync.Mutex
	idle  [][]named
}

// newFinds returns a list with room for every name.
func newFinds(names int) *finds {
	return &finds{idle: [][]named{make([]named, 0, names)}}
}

// take returns an unused list.
func (f *finds) take() (list []named) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if n := len(f.idle); n > 0 {
		list, f.idle = f.idle[n-1], f.idle[:n-1]
	}
	return list
}

func (f *finds) give(list []named) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.idle = append(f.idle, list[:0])
}

// eachNamed yields the objects with a name.
func (j *job) eachNamed(name string, yield func(GameObject) bool) {
	m := j.Find(NameKind.Spec())
	if m == nil {
		panic(errNoNames.Error())
	}
	finds := j.root().finds
	found := j.findNamed(finds.take(), m, name)
	defer finds.give(found)
	if !slices.IsSortedFunc(found, named.compare) {
		slices.SortFunc(found, named.compare)
	}
	for _, f := range found {
		if text, err := j.nameOf(f.id); err == nil && string(text) == name && !yield(f.id) {
			return
		}
	}
}

// findNamed appends the objects with a name to dst, rows ascending.
func (j *job) findNamed(dst []named, m *manager.Manager, name string) []named {
	text, hashes := manager.Column(m, nameText), manager.Column(m, nameHash)
	orders, hash := manager.Column(m, nameOrder), hashOf(name)
	for row, n := range m.Runs() {
		for end := row + n; ; row++ {
			next := indexOf(hashes[row:end], hash)
			if next < 0 {
				break
			}
			row += next
			if string(nameIn(&text[row])) == name {
				object, _ := m.ObjectOf(layout.Row(row))
				dst = append(dst, named{orders[row], j.Objects.At(object)})
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
