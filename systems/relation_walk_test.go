package systems

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParentsAreUpdatedInWalksByDepth: downwards and of one depth as upwards, and in no other walk.
func TestParentsAreUpdatedInWalksByDepth(t *testing.T) {
	s, ids := forest(t, 9, 2000)
	count := func(b Batch) { UpdateParents(b, burden, func(_ int, parent *uint32) { *parent++ }) }
	for b := range summed.Down(s, childOf) {
		count(b)
	}
	for depth := range Depth(s, childOf) {
		for b := range summed.AtDepth(s, childOf, depth) {
			count(b)
		}
	}
	for _, id := range ids {
		require.Equal(t, 2*ChildCount(s, childOf, id), int(sure(Get(s, id, burden))))
	}
	for b := range summed.In(s) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	for b := range summed.ChildrenOf(s, childOf, parentOf(s, ids[500])) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	Close(s)
}
