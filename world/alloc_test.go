package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Nothing that a frame does allocates, once each query has found its columns.
func TestAllocsOfEveryOperation(t *testing.T) {
	s, ids := busyWorld()
	for _, o := range operations(ids) {
		t.Run(o.name, func(t *testing.T) {
			assert.Zero(t, testing.AllocsPerRun(20, func() { s = o.run(s) }))
		})
	}
}
