package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/memory"
)

func TestEverybodyComesToTheSame(t *testing.T) {
	for _, c := range memory.Subject().Cases {
		for _, n := range []int{1, 16, 300} {
			t.Run(fmt.Sprintf("%s/%d", c.Name, n), func(t *testing.T) {
				var first harness.Result
				for i, who := range c.Who {
					work, err := c.Work(who, n)
					require.NoError(t, err)
					got := harness.Outcome(work)
					if i == 0 {
						first = got
					}
					assert.Equal(t, first, got, who)
					assert.NotZero(t, got.Count, who)
					// What a world of one object takes drowns in what the process does, and may be
					// less than nothing.
					if work.Turn != nil && c.Name != "frames" {
						assert.InDelta(t, 0, work.Turn(time.Millisecond).Figures[0].Value, 1<<30, who)
					}
					work.Close()
				}
			})
		}
	}
}
