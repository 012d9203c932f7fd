//go:build ecsdebug

package systems

import (
	"hash/maphash"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const watching = true // writes through a View are detected

// A seenList holds the columns that [View] returned since the world was last used, each with a hash
// of its contents.
type seenList []seenColumn

type seenColumn struct {
	manager *manager.Manager
	field   *layout.FieldSpec
	sum     uint64
}

// show records that View returned a column.
func (j *job) show(m *manager.Manager, f *layout.FieldSpec) {
	j.seen = append(j.seen, seenColumn{m, f, sumOf(m, f)})
}

// sumOf hashes the rows of a column that View shows.
func sumOf(m *manager.Manager, f *layout.FieldSpec) uint64 {
	return maphash.Bytes(seed, m.Columns[f.Index].Bytes[:m.Shown()*f.Stride])
}

// check panics if a column that View returned was written.
func (l *seenList) check() {
	seen := *l
	if len(seen) == 0 {
		return // several goroutines may read
	}
	*l = seen[:0] // report it once
	for _, c := range seen {
		if sumOf(c.manager, c.field) != c.sum {
			panic("flatecs: field " + c.field.Name + " of kind " + c.manager.Kind.Name +
				" was written through a View, which is to be read; " +
				"write by Edit or SetRow, or call Touch next")
		}
	}
}

// touched drops the columns of a kind that was written on purpose, and returns the others, which
// may be touched next.
func (s State) touched(k Kind) (others seenList) {
	if s.job != nil {
		others = slices.DeleteFunc(s.job.seen, func(c seenColumn) bool {
			return c.manager.Kind == k.Spec()
		})
		s.job.seen = nil
	}
	return others
}
