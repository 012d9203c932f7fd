//go:build !ecsdebug

package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A seenList does nothing; see the one for -tags ecsdebug.
type seenList struct{}

const watching = false // writes through a View are not detected

func (seenList) check() {}

// show does nothing without -tags ecsdebug.
func (*job) show(*manager.Manager, *layout.FieldSpec) {}

// touched does nothing without -tags ecsdebug.
func (State) touched(Kind) (others seenList) { return others }
