package neighbours

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/bench/harness"
)

func TestAllWaysComeToTheSame(t *testing.T) {
	for _, c := range Cases() {
		var first harness.Result
		for i, who := range c.Who {
			n := min(c.Sizes[0], 3_000)
			work := c.Make(who, n)
			got := harness.Outcome(work)
			if i == 0 {
				first = got
			}
			assert.Equal(t, first.Count, got.Count, "%s, %s", c.Name, who)
			assert.InDelta(t, first.Sum, got.Sum, 1e-3, "%s, %s", c.Name, who)
			assert.NotZero(t, got.Count, "%s, %s", c.Name, who)
			work.Close()
		}
	}
}
