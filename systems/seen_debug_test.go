//go:build ecsdebug

package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/manager"
)

// TestDebugFindsWritesThroughViews: at the next call that takes the State, unless that is Touch.
func TestDebugFindsWritesThroughViews(t *testing.T) {
	s, ids := mixed(t, 100)
	row := sure(RowOf(s, ids[1], kindA))
	View(s, fieldA)[row][1] = 42
	panicsWith(t, func() { Has(s, ids[1], kindA) }, `field a of kind A was written through a View`, "Edit", "Touch")
	assert.True(t, Has(s, ids[1], kindA), "told once")

	View(s, fieldA)[row][1] = 43
	s = touch(s, kindA, row, 1)
	assert.Equal(t, float32(43), View(s, fieldA)[row][1])
	a, c := View(s, fieldA), View(s, fieldC)
	a[row][1], c[sure(RowOf(s, ids[0], kindC))][1] = 44, 45
	s = touch(touch(s, kindA, row, 1), kindC, 0, 100)
	View(s, fieldC)[0][0]++
	panicsWith(t, func() { s = touch(s, kindA, row, 1); Live(s) }, `field c of kind C was written through a View`)
	s = sure(Set(s, ids[1], fieldA, [3]float32{1, 2, 3}))
	assert.True(t, Has(s, ids[1], kindA), "what was set was not written through the View")
}

// TestDebugForgivesWritesBeforeClose: there they are of no matter any more.
func TestDebugForgivesWritesBeforeClose(t *testing.T) {
	s, _ := mixed(t, 100)
	View(s, fieldA)[0][0]++
	Close(s)
}

func touch(s State, k Kind, row Row, n int) State {
	return Written(s, k, func(m *manager.Manager) { m.Touch(uint32(row), uint32(n)) })
}
