package suite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEverybodyComesToTheSame(t *testing.T) {
	for _, d := range Definitions() {
		for _, n := range []int{1, 16, 300} {
			t.Run(fmt.Sprintf("%s/%d", d.Name, n), func(t *testing.T) {
				var first Result
				for _, c := range Contenders() {
					if !d.Has(c.Name) || c.Peer == C {
						continue
					}
					got := outcome(d, c, n)
					if first == (Result{}) {
						first = got
					}
					assert.Equal(t, first, got, c.Name)
					assert.NotZero(t, got.Count, c.Name)
				}
			})
		}
	}
}

// outcome is what a case has come to after three runs.
func outcome(d Definition, c Contender, n int) Result {
	work := d.Make(c, n)
	defer work.Close()
	for range 3 {
		work.Run()
		if work.Reset != nil {
			work.Reset()
		}
	}
	return work.Check()
}

// What a world of one object takes drowns in what the process does, and may be less than nothing.
func TestMemoryOfOneObject(t *testing.T) {
	for _, d := range Definitions() {
		if d.Unit != Bytes {
			continue
		}
		for _, c := range Contenders() {
			if d.Has(c.Name) {
				work := d.Make(c, 1)
				assert.InDelta(t, 0, work.Value(), 1<<30, "%s %s", d.Name, c.Name)
				work.Close()
			}
		}
	}
}
