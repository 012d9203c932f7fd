package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world/stage"
)

func TestClock(t *testing.T) {
	now := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
	clock := stage.Clock(func() time.Time { return now })
	assert.Zero(t, clock())
	now = now.Add(3 * time.Second)
	assert.Equal(t, 3*time.Second, clock())
	now = now.Add(-5 * time.Second)
	assert.Equal(t, -2*time.Second, clock(), "as it is told")

	clock = stage.Clock(time.Now)
	first := clock()
	assert.LessOrEqual(t, first, clock())
}
