package peers_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/peers"
)

func TestEverybodyComesToTheSame(t *testing.T) {
	for _, c := range peers.Subject().Cases {
		for _, n := range []int{1, 16, 300} {
			t.Run(fmt.Sprintf("%s/%d", c.Name, n), func(t *testing.T) {
				var first harness.Result
				for i, who := range c.Who {
					work, err := c.Work(who, n)
					require.NoError(t, err)
					got := harness.Outcome(work)
					work.Close()
					if i == 0 {
						first = got
					}
					assert.Equal(t, first, got, who)
					assert.NotZero(t, got.Count, who)
				}
			})
		}
	}
}
