package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// conflict panics when p writes what an open walk uses, or uses what an open walk writes.
//
//go:noinline
func (j *job) conflict(p *plan) {
	for d := range j.depth {
		if j.walks[d].ended {
			continue
		}
		for _, a := range p.columns {
			for _, b := range j.walks[d].columns {
				if a.field == b.field && (a.mode == write || b.mode == write) {
					clash(a.field)
				}
			}
		}
	}
}

func clash(f *layout.FieldSpec) {
	panic(fmt.Sprintf("flatecs: field %q of kind %q is written by one of two walks that are open "+
		"at once; close the outer one first, or copy what it reads", f.Name, f.Kind.Name))
}

// held reports whether an open walk writes a field.
func (j *job) held(f *layout.FieldSpec) bool {
	for d := range j.depth {
		if j.walks[d].ended {
			continue
		}
		for _, c := range j.walks[d].columns {
			if c.mode == write && c.field == f {
				return true
			}
		}
	}
	return false
}

// fixed reports whether the structure must not change now.
func (j *job) fixed() bool { return j.depth != 0 || j.whole != nil }

// free panics if an open walk writes a field.
func (j *job) free(f *layout.FieldSpec) {
	if j.depth != 0 && j.held(f) {
		panic("flatecs: field " + f.Name + " of kind " + f.Kind.Name +
			" is written by a walk that is open; " +
			"reach it through the walk's batches, or end the walk first")
	}
}

// own is free for a field about to be written, which a task does through batches only.
func (j *job) own(f *layout.FieldSpec) {
	if j.free(f); j.whole != nil {
		panic("flatecs: field " + f.Name + " of kind " + f.Kind.Name +
			" is written by id or row in a task; " +
			"write it through a query's batches")
	}
}

// still panics if the structure must not change now.
func (j *job) still() {
	if j.fixed() {
		panic(ErrWalking.Error())
	}
}
