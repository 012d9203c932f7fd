//go:build ecsdebug

package seen

import (
	"hash/maphash"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Watching says that what is written through a column that was shown is found.
const Watching = true

var seed = maphash.MakeSeed()

// A List is the columns that were shown since the world was last used, each with a hash of what it
// held.
type List []column

type column struct {
	manager *manager.Manager
	field   *layout.FieldSpec
	sum     uint64
	written uint64 // of the manager: a Writer writes without a State
}

// Show records that View returned a column.
func (l *List) Show(m *manager.Manager, f *layout.FieldSpec) {
	*l = append(*l, column{m, f, sumOf(m, f), m.Written})
}

// sumOf hashes the rows of a column that View shows.
func sumOf(m *manager.Manager, f *layout.FieldSpec) uint64 {
	return maphash.Bytes(seed, m.Columns[f.Index].Bytes[:m.Shown()*f.Stride])
}

// Check panics if a column that View returned was written.
func (l *List) Check() {
	shown := *l
	if len(shown) == 0 {
		return // several goroutines may read
	}
	*l = shown[:0] // report it once
	for _, c := range shown {
		if c.manager.Written == c.written && sumOf(c.manager, c.field) != c.sum {
			panic("flatecs: field " + c.field.Name + " of kind " + c.manager.Kind.Name +
				" was written through a View, which is to be read; " +
				"write by Edit or SetRow, or call Touch next")
		}
	}
}

// TakeOthers forgets all columns, and returns those of other kinds than one that was written on
// purpose.
func (l *List) TakeOthers(k *layout.KindSpec) (others List) {
	others = slices.DeleteFunc(*l, func(c column) bool { return c.manager.Kind == k })
	*l = nil
	return others
}
