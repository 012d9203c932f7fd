//go:build ecsdebug

package manager

import "fmt"

// checkRun panics if a free run, or rows that become one, do not hold zeros.
func checkRun(h *Heap, row, n uint32) {
	size := h.Chunk * h.stride
	if b := h.rows.Data.Columns[0].Bytes[int(row)*size : int(row+n)*size]; !noneSet(b) {
		panic(fmt.Sprintf("flatecs: elements of %s were written in rows %d to %d, which are no "+
			"list's: a list was kept until it grew, or until its object was disposed: look it up "+
			"again after each change", h.Field, row, row+n-1))
	}
}
