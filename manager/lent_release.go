//go:build !ecsdebug

package manager

import "github.com/flatecs/flatecs/layout"

// LendsWatched says that writes through a column that View returned are not detected.
const LendsWatched = false

// A Lent detects, under -tags ecsdebug, writes through columns that View returned.
type Lent struct{}

// Show does nothing without -tags ecsdebug.
func (*Lent) Show(*Manager, *layout.FieldSpec) {}

// Check panics, under -tags ecsdebug, if a column that View returned was written.
func (*Lent) Check() {}

// TakeOthers does nothing without -tags ecsdebug.
func (*Lent) TakeOthers(*layout.KindSpec) (others Lent) { return others }
