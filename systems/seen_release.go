//go:build !ecsdebug

package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A seenList finds what is written through a [View], under -tags ecsdebug.
type seenList struct{}

const watching = false // what is written through a View is not found

func (seenList) check() {}

// show notes, under -tags ecsdebug, that a column is handed out to be read.
func (*job) show(*manager.Manager, *layout.FieldSpec) {}

// touched forgets, under -tags ecsdebug, the columns of a kind that was written on purpose.
func (State) touched(Kind) (others seenList) { return others }
