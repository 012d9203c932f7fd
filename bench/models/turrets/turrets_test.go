package turrets

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/bench/harness"
)

func TestAllWaysComeToTheSame(t *testing.T) {
	for _, c := range Cases() {
		want := harness.Outcome(c.Make(c.Who[0], 300))
		for _, who := range c.Who[1:] {
			got := harness.Outcome(c.Make(who, 300))
			assert.InDelta(t, want.Sum, got.Sum, 1e-2, "%s, %s", c.Name, who)
			assert.NotZero(t, got.Sum, "%s, %s", c.Name, who)
		}
	}
}
