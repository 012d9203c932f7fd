package link_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world/link"
)

// carried sends the numbers 0 to n-1, one per step, and returns in which step each came.
func carried(n int, c link.Conditions) map[byte][]int {
	network := link.NewNetwork(2, c)
	from, to := network.Link(0, 1), network.Link(1, 0)
	came := map[byte][]int{}
	for step := range n + 20 {
		network.Step()
		if step < n {
			from.Send([]byte{byte(step)})
		}
		for {
			datagram, ok := to.Receive()
			if !ok {
				break
			}
			came[datagram[0]] = append(came[datagram[0]], step)
		}
	}
	return came
}

func TestNetworkDelays(t *testing.T) {
	for step, came := range carried(100, link.Conditions{Delay: 6}) {
		assert.Equal(t, []int{int(step) + 6}, came)
	}
}

func TestNetworkLosesRepeatsBreaksAndReorders(t *testing.T) {
	assert.Empty(t, carried(100, link.Conditions{Loss: 1}))
	assert.InDelta(t, 80, len(carried(100, link.Conditions{Loss: 0.2, Seed: 1})), 12)
	twice, overtaken, last := 0, 0, 0
	came := carried(100, link.Conditions{Delay: 2, Jitter: 4, Duplicates: 0.3, Seed: 1})
	for number := range byte(100) {
		steps := came[number]
		if len(steps) == 2 {
			twice++
		}
		if steps[0] < last {
			overtaken++
		}
		last = steps[0]
		assert.GreaterOrEqual(t, slices.Min(steps), int(number)+2)
		assert.LessOrEqual(t, slices.Max(steps), int(number)+6)
	}
	assert.InDelta(t, 30, twice, 15)
	assert.Greater(t, overtaken, 10)
	for number := range carried(1, link.Conditions{Broken: 1, Seed: 1}) {
		assert.NotZero(t, number)
	}
	assert.Equal(t, came, carried(100, link.Conditions{Delay: 2, Jitter: 4, Duplicates: 0.3, Seed: 1}),
		"the same seed, the same network")
}

func TestNetworkThatIsFullLoses(t *testing.T) {
	network := link.NewNetwork(2, link.Conditions{})
	from, to := network.Link(0, 1), network.Link(1, 0)
	for range 1000 {
		from.Send([]byte{1})
	}
	n := 0
	for _, ok := to.Receive(); ok; _, ok = to.Receive() {
		n++
	}
	assert.Equal(t, 128, n)
	assert.PanicsWithValue(t,
		"link: a link from 0 to 2; have two of the 2 ends of NewNetwork",
		func() { network.Link(0, 2) })
}

// What happens on a wire does not depend on what is sent on others, and thousands of ends are fine.
func TestNetworkWiresAreIndependent(t *testing.T) {
	came := func(beside bool) (steps []int) {
		network := link.NewNetwork(5000, link.Conditions{Jitter: 5, Loss: 0.2, Duplicates: 0.2, Seed: 3})
		from, to, other := network.Link(7, 4999), network.Link(4999, 7), network.Link(7, 2)
		for step := range 100 {
			network.Step()
			from.Send([]byte{1})
			if beside {
				other.Send([]byte{2})
			}
			for _, ok := to.Receive(); ok; _, ok = to.Receive() {
				steps = append(steps, step)
			}
		}
		return steps
	}
	assert.Equal(t, came(false), came(true))
	assert.PanicsWithValue(t, "link: this Network is nil, or was not made; make one by NewNetwork",
		func() { new(link.Network).Step() })
}
