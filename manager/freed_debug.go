//go:build ecsdebug

package manager

import (
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
)

// A freed lists the rows of a kind that were freed last. A pointer or column that is kept beyond a
// disposal usually shows one of them.
type freed struct {
	rows [256]uint32
	n    int // freed so far
}

// noteFreed records that n rows were freed.
func noteFreed(m *Manager, row, n uint32) {
	for i := range n {
		m.freed.rows[m.freed.n%len(m.freed.rows)] = row + i
		m.freed.n++
	}
}

// CheckFreed panics if one of the rows that were freed last was written since.
func (a *Arena) CheckFreed() {
	for i := range a.Managers {
		m := &a.Managers[i]
		for _, row := range m.freed.rows[:min(m.freed.n, len(m.freed.rows))] {
			if use, _ := m.Rows.use(row); use == RowUnused && row < m.count.High {
				checkFresh(m, row, 1)
			}
		}
	}
}

// checkFresh panics if one of n free rows does not hold the defaults just before its next use.
func checkFresh(m *Manager, row, n uint32) {
	for row, end := row, row+n; row < end; row++ {
		if !isDefault(m, row) {
			panicWritten(m, row)
		}
	}
}

// checkKept is checkFresh for the rows first+i for each bit i of x.
func checkKept(m *Manager, first uint32, x uint64) {
	for x != 0 {
		s, n, rest := NextRun(x)
		x = rest
		checkFresh(m, first+s, n)
	}
}

// panicWritten panics because a free row was written.
func panicWritten(m *Manager, row uint32) {
	m.freed.n = 0 // report it once
	for i := range m.Data.Columns {
		f := m.Kind.Fields[i]
		value := m.Data.Columns[i].Bytes[int(row)*f.Stride:][:f.Stride]
		if string(value) != string(f.Default) {
			panic(fmt.Sprintf("flatecs: field %s of kind %s was written in row %d, which is free: "+
				"%s; a pointer or a column was kept until its component was disposed: look it up "+
				"again after each change of structure", f.Name, m.Kind.Name, row,
				partsNaming(f, value, gameobject.ID.String)))
		}
	}
}
