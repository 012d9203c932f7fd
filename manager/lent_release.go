//go:build !ecsdebug

package manager

import "github.com/flatecs/flatecs/layout"

// LendsWatched says that what is written through a column that was shown is not found.
const LendsWatched = false

// A Lent finds, under -tags ecsdebug, what is written through columns that were shown.
type Lent struct{}

// Show does nothing without -tags ecsdebug.
func (*Lent) Show(*Manager, *layout.FieldSpec) {}

// Check panics, under -tags ecsdebug, when a column that was handed out to be read was written.
func (*Lent) Check() {}

// TakeOthers does nothing without -tags ecsdebug.
func (*Lent) TakeOthers(*layout.KindSpec) (others Lent) { return others }
