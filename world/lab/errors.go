package lab

import (
	"errors"
	"fmt"
)

// ErrJournal is the error of a file that is not a journal, or belongs to another sweep or another
// build.
var ErrJournal = errors.New("it is not the journal of this sweep")

// ErrBusy is the error of a journal that another sweep is writing.
var ErrBusy = errors.New("another sweep is writing it")

// ErrDiffers is the error of a run that has two results in two journals.
var ErrDiffers = errors.New("one run has two results")

// ErrLimit is the error of a tree that would exceed its limit of bytes.
var ErrLimit = errors.New("the tree has no bytes left")

// A Failure is a failed run of a sweep; the error names the run.
type Failure struct {
	Run int // set × number of seeds + seed, from 0
	Err error
}

// A FailedError lists the failed runs of a sweep. The table contains the other runs, and the rows
// of failed runs up to the failure.
type FailedError struct {
	Runs     int // of the sweep, or of a part
	Failures []Failure
	part     bool // a part, which writes no table
}

// Error returns the number of failed runs, and the first failure.
func (e *FailedError) Error() string {
	if e == nil || len(e.Failures) == 0 {
		return "lab: no run failed; there is nothing to mend"
	}
	where := map[bool]string{false: "table", true: "journal"}[e.part]
	return fmt.Sprintf("lab: %d of %d runs failed; the first: %v; the others are in the %s",
		len(e.Failures), e.Runs, e.Failures[0].Err, where)
}

// Unwrap returns the errors of the runs.
func (e *FailedError) Unwrap() []error {
	if e == nil {
		return nil
	}
	var all []error
	for _, f := range e.Failures {
		all = append(all, f.Err)
	}
	return all
}
