package tool

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Empty resets a world to its state after creation, in the same memory, except for the first
// keep(p) bytes of each part p, a whole number of units. The caller writes those bytes next and
// then calls [Rebuild]. The error wraps [systems.ErrWalking].
func Empty(s systems.State, keep func(p *Part) int) (systems.State, error) {
	return systems.ToolsOf(s).Renewed(keep)
}

// Rebuild rebuilds all derived parts from the truth, after the truth was written by other means
// than systems, such as from a file. It accepts any bytes; the error names the first inconsistency,
// and the world is then unusable: close it. State outside the bytes, the values of [layout.Values]
// kinds and recorded commands, is unchanged.
func Rebuild(s systems.State) (systems.State, error) { return systems.ToolsOf(s).Derived() }

// Touch stamps n rows of a kind from row on, which were written in place through [systems.View]. It
// skips rows that were never used: they hold the defaults and have no stamps. It panics if the rows
// are out of range, if the world does not have the kind, and in a walk.
func Touch(s systems.State, k layout.Kind, row layout.Row, n int) systems.State {
	return systems.Written(s, k, func(m *manager.Manager) {
		if n < 0 || int64(n) > int64(m.Data.Shown())-int64(row) {
			panic(fmt.Sprintf("flatecs: Touch of %d rows from %d of %s, which has %d; touch "+
				"written rows", n, row, k, m.Data.Shown()))
		}
		m.Stamps.Touch(uint32(row), uint32(max(0, min(n, m.Rows.High()-int(row)))))
	})
}

// ResetIdle sets the rows of a kind that are not in use to the defaults, as [Rebuild] requires,
// after its columns were written by other means than systems. It panics if the world does not have
// the kind, and in a walk.
func ResetIdle(s systems.State, k layout.Kind) systems.State {
	return systems.Written(s, k, func(m *manager.Manager) {
		if !m.Kind.Mark {
			manager.ResetIdle(m)
		}
	})
}

// FillNew writes the default of a field to every row of its kind that was ever used, for a field
// that the source of the rows lacked. It panics if f belongs to no kind, if the world does not have
// its kind, and in a walk.
func FillNew(s systems.State, f *layout.FieldSpec) systems.State {
	if f == nil || f.Kind == nil {
		panic(fmt.Sprintf("flatecs: FillNew of %s, of no kind; give it to layout.NewKind", f))
	}
	return systems.Written(s, f.Kind.Handle(), func(m *manager.Manager) { m.Data.FillNew(f.Index) })
}

// SetResimulating sets whether the next steps repeat earlier ones; see [systems.Resimulating]. The
// setting is outside the world's bytes, and is not copied, digested or saved. Histories call it.
// It panics in a task.
func SetResimulating(s systems.State, on bool) systems.State {
	return systems.ToolsOf(s).Resimulate(on)
}
