//go:build ecsdebug

package manager

import (
	"hash/maphash"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// LendsWatched says that writes through a column that View returned are detected.
const LendsWatched = true

var lentSeed = maphash.MakeSeed()

// A Lent lists the columns that View returned since the world was last used, each with a hash of
// its values.
type Lent []lentColumn

type lentColumn struct {
	manager *Manager
	field   *layout.FieldSpec
	sum     uint64
	written uint64 // of the manager: a Writer writes without a State
}

// Show records that View returned a column.
func (l *Lent) Show(m *Manager, f *layout.FieldSpec) {
	*l = append(*l, lentColumn{m, f, lentSum(m, f), m.Stamps.Written})
}

// lentSum hashes the rows of a column that View shows.
func lentSum(m *Manager, f *layout.FieldSpec) uint64 {
	return maphash.Bytes(lentSeed, m.Data.Columns[f.Index].Bytes[:m.Data.Shown()*f.Stride])
}

// Check panics if a column that View returned was written.
func (l *Lent) Check() {
	shown := *l
	if len(shown) == 0 {
		return // several goroutines may read
	}
	*l = shown[:0] // report it once
	for _, c := range shown {
		if c.manager.Stamps.Written == c.written && lentSum(c.manager, c.field) != c.sum {
			panic("flatecs: field " + c.field.Name + " of kind " + c.manager.Kind.Name +
				" was written through a View, which is to be read; " +
				"write by Edit or SetRow, or call Touch next")
		}
	}
}

// TakeOthers forgets all columns. It returns the columns of kinds other than k, which was written
// on purpose.
func (l *Lent) TakeOthers(k *layout.KindSpec) (others Lent) {
	others = slices.DeleteFunc(*l, func(c lentColumn) bool { return c.manager.Kind == k })
	*l = nil
	return others
}
