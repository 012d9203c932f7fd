//go:build !ecsdebug

package seen

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Watching says that what is written through a column that was shown is not found.
const Watching = false

// A List finds, under -tags ecsdebug, what is written through columns that were shown.
type List struct{}

// Show does nothing without -tags ecsdebug.
func (*List) Show(*manager.Manager, *layout.FieldSpec) {}

// Check panics, under -tags ecsdebug, when a column that was handed out to be read was written.
func (*List) Check() {}

// TakeOthers does nothing without -tags ecsdebug.
func (*List) TakeOthers(*layout.KindSpec) (others List) { return others }
