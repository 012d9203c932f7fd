package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
)

func TestSeed_B5_TwoFixedStepsAndOneUpdate(t *testing.T) {
	var j journal
	l := documentB(&j)
	s := world.Must(l.Launch(world.State{}))
	j.read()
	l.Update(l.FixedUpdate(l.FixedUpdate(s, 0.02), 0.02), 0.04, 0)
	assert.Equal(t, journal{
		"logic 0.02", "physics 0.02", "logic 0.02", "physics 0.02", "render 0.04 0",
	}, j)
}
