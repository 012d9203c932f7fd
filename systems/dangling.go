package systems

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Dangling returns how many references in s name a game object that is gone: ids in the fields of
// components, of objects and loose or suspended ones, and of resources. Nobody is not gone, and
// events are not asked: they tell of what was. An id that was recorded is gone when there is
// nothing to apply any more. It looks at every row of each kind whose fields have references in
// them.
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

// isRing reports whether rows of m are events.
func (j *job) isRing(m *manager.Manager) bool {
	for _, r := range j.root().rings {
		if r != nil && r.Rows == m {
			return true
		}
	}
	return false
}

// dangling counts the references in a field of the rows in use whose objects are gone.
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

// gone reports whether id named an object, or was to name one, and names none now.
func (j *job) gone(id GameObject) bool {
	if id.Recorded() {
		return j.root().commands.Recorded() == 0
	}
	return id != 0 && !j.Objects.Alive(id)
}
