package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// clearDead sets references of relations to nobody if their objects have died: a program that did
// not know the relation kept them as they were while it disposed objects. Ids that no object ever
// had stay; the check of the world refuses them.
func (l *loader) clearDead() error {
	for i, k := range l.kinds {
		if k.Spec() == nil {
			continue
		}
		for _, f := range k.Fields() {
			if f.Relation == nil {
				continue
			}
			column := l.columnIn(f)
			if n := l.clearColumn(column[:int(l.rows[i])*f.Stride]); n > 0 {
				l.report.Cleared = append(l.report.Cleared, fmt.Sprintf("%s: %d", layout.Quoted(
					k.String()), n))
			}
		}
	}
	return nil
}

func (l *loader) clearColumn(column []byte) (cleared int) {
	generations := l.dst[place{owner: ofObjects, name: "generations"}]
	for ; len(column) > 0; column = column[8:] {
		id := systems.GameObject(little.Uint64(column))
		if id == 0 {
			continue
		}
		at := id.Index()
		if id.Recorded() || uint64(at) >= l.objects {
			continue
		}
		if id.Generation() < little.Uint32(generations[4*at:]) {
			little.PutUint64(column, 0)
			cleared++
		}
	}
	return cleared
}
