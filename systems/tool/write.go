package tool

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Empty makes a world what it was when it was created, in the same memory, but for the first bytes
// of parts: as many as keep returns for a part, which has to be a whole number of units. They are
// to be written next, and the world to be made whole by [Rebuild]. The error wraps
// [systems.ErrWalking].
func Empty(s systems.State, keep func(p *Part) int) (systems.State, error) {
	return systems.ArenaOf(s).Renewed(keep)
}

// Rebuild makes everything that is derived anew from the truth, after that was written by other
// means than systems: from a file, or from another machine. It takes any bytes, and the error names
// the first thing that cannot be; the world is then unusable; close it. What is outside the
// bytes, the values of [layout.Values] kinds and recorded commands, stays.
func Rebuild(s systems.State) (systems.State, error) { return systems.ArenaOf(s).Derived() }

// Touch notes that n rows of a kind from row on were written in place, through [systems.View]. It
// panics when they are not rows of the kind, when the world has no such kind, and in a walk.
func Touch(s systems.State, k layout.Kind, row layout.Row, n int) systems.State {
	return systems.Written(s, k, func(m *manager.Manager) {
		if n < 0 || int64(n) > int64(m.Shown())-int64(row) {
			panic(fmt.Sprintf("flatecs: rows %d to %d of %s: it has %d; touch rows that were written",
				row, int64(row)+int64(n), k, m.Shown()))
		}
		m.Touch(uint32(row), uint32(n))
	})
}

// ResetIdle sets the rows of a kind that are not in use to the defaults, as [Rebuild] wants them,
// after its columns were written by other means than systems. It panics when the world has no such
// kind, and in a walk.
func ResetIdle(s systems.State, k layout.Kind) systems.State {
	return systems.Written(s, k, func(m *manager.Manager) {
		if !m.Kind.Mark {
			m.ResetIdle()
		}
	})
}

// SetResimulating says whether the steps to come were taken before; see [systems.Resimulating]. It
// lies beside the world's bytes: copies of the world are not resimulating, and no snapshot, digest
// or file knows of it. Histories call it. It panics in a task.
func SetResimulating(s systems.State, on bool) systems.State {
	return systems.ArenaOf(s).Resimulate(on)
}
