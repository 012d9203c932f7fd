package manager

import (
	"github.com/flatecs/flatecs/layout"
)

// Freed is added to numbers of elements: see [Lists].
const Freed = uint32(1) << 31

// StampedLists records that elements of the lists were stamped.
func StampedLists(m *Manager) {
	for _, l := range m.Data.Heaps {
		l.Stamped()
	}
}

// CheckLists returns an error if there is no room for the lists of a copy of an object.
func CheckLists(m *Manager, object uint32) error {
	for _, l := range m.Data.Heaps {
		if err := l.checkCopy(m, object); err != nil {
			return err
		}
	}
	return nil
}

// CheckEachList is CheckLists for copies of several objects, some of which may not have the
// component. sizes is scratch for one number per object.
func CheckEachList(m *Manager, objects, sizes []uint32) error {
	for _, l := range m.Data.Heaps {
		for i, o := range objects {
			sizes[i] = uint32(l.lengthOf(m, o))
		}
		if err := l.Fit(sizes[:len(objects)]); err != nil {
			return err
		}
	}
	return nil
}

// ListsOf returns the lists of a field, or nil if m has another kind.
//
//go:noinline
func ListsOf(m *Manager, f *layout.FieldSpec) Lists {
	for _, l := range m.Data.Heaps {
		if l.Of() == f {
			return l
		}
	}
	return nil
}

// EachListed calls with.Redirect for each id of a game object in the lists of an object.
func EachListed(m *Manager, object uint32, with Redirects) {
	for _, l := range m.Data.Heaps {
		if row, ok := m.RowOf(object); ok {
			l.EachID(m, row, with)
		}
	}
}
