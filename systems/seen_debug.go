//go:build ecsdebug

package systems

import (
	"hash/maphash"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const watching = true // what is written through a View is found

var viewSeed = maphash.MakeSeed()

// A seenList is the columns that [View] handed out since the world was last used, each with a hash
// of what it held.
type seenList []seenColumn

type seenColumn struct {
	manager *manager.Manager
	field   *layout.FieldSpec
	sum     uint64
}

// show notes that a column is handed out to be read.
func (j *job) show(m *manager.Manager, f *layout.FieldSpec) {
	j.seen = append(j.seen, seenColumn{m, f, sumOf(m, f)})
}

// sumOf hashes the rows of a column that are shown.
func sumOf(m *manager.Manager, f *layout.FieldSpec) uint64 {
	return maphash.Bytes(viewSeed, m.Columns[f.Index].Bytes[:m.Shown()*f.Stride])
}

// check panics when a column that was handed out to be read was written.
func (l *seenList) check() {
	seen := *l
	if len(seen) == 0 {
		return // several goroutines may ask
	}
	*l = seen[:0] // told once
	for _, c := range seen {
		if sumOf(c.manager, c.field) != c.sum {
			panic("systems: field " + c.field.Name + " of kind " + c.manager.Kind.Name +
				" was written through a View, which is to be read; " +
				"write by Edit or SetRow, or call Touch next")
		}
	}
}

// touched forgets the columns of a kind that was written on purpose, and takes the others aside,
// which may be touched next.
func (s State) touched(k Kind) (others seenList) {
	if s.job != nil {
		others = slices.DeleteFunc(s.job.seen, func(c seenColumn) bool {
			return c.manager.Kind == k.Spec()
		})
		s.job.seen = nil
	}
	return others
}
