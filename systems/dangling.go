package systems

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Dangling returns the number of references in s to game objects that do not exist any more: ids in
// fields of mounted, loose and suspended components, and of resources. Nobody does not count, and
// events are not searched, because they report the past. A recorded id counts once there are no
// commands left to apply. Dangling visits every row of each kind that has references.
func Dangling(s State) (n int) {
	j := s.look()
	for i := range j.Managers {
		m := &j.Managers[i]
		if j.isRing(m) {
			continue
		}
		for f, spec := range m.Kind.Fields {
			if len(spec.Refs) > 0 {
				n += j.dangling(m, f, spec.Refs)
			}
		}
	}
	return n
}

// isRing reports whether the rows of m are events.
func (j *job) isRing(m *manager.Manager) bool {
	for _, r := range j.root().rings {
		if r != nil && r.Manager == m {
			return true
		}
	}
	return false
}

// dangling counts the dangling references in one field.
func (j *job) dangling(m *manager.Manager, field int, refs []int) (n int) {
	c := &m.Columns[field]
	for row := range m.MaxIndex() {
		if use, _ := m.Use(layout.Row(row)); use == manager.RowUnused {
			continue
		}
		value := c.Bytes[row*c.Stride:][:c.Stride]
		for _, at := range refs {
			if j.gone(GameObject(binary.LittleEndian.Uint64(value[at:]))) {
				n++
			}
		}
	}
	return n
}

// gone reports whether id names an object that does not exist any more, or was never created.
func (j *job) gone(id GameObject) bool {
	if id.Recorded() {
		return j.root().commands.used == 0
	}
	return id != 0 && !j.Objects.Alive(id)
}
