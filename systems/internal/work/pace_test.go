package work

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// burn works for so long at least.
func burn(d time.Duration) {
	for began := time.Now(); time.Since(began) < d; {
		pause()
	}
}

func TestAsManyAreWokenAsTheWorkIsWorth(t *testing.T) {
	processorsSet(t, 3)
	for _, c := range []struct {
		unit  float64 // nanoseconds
		units int
		want  int
	}{
		{0, 100, math.MaxInt},
		{1, 100, 1},
		{990, 100, 1},
		{1000, 100, 2},
		{1450, 100, 2},
		{1500, 100, 3},
		{1e6, 100, 3},
		{1e6, 0, 1},
	} {
		p := &Pace{unit: c.unit}
		assert.Equal(t, c.want, p.most(c.units, worthWaking), "%+v", c)
	}
	assert.Equal(t, math.MaxInt, (*Pace)(nil).most(100, worthWaking))
	assert.Equal(t, 2, (&Pace{unit: 200}).most(100, worthLooking))
}

func TestOneProcessorIsNotSharedOnceTheWorkIsKnown(t *testing.T) {
	processorsSet(t, 1)
	assert.Equal(t, 1, (&Pace{unit: 1e9}).most(1, worthWaking))
}

// TestAPaceFollowsTheWork: down at once, up by and by.
func TestAPaceFollowsTheWork(t *testing.T) {
	var pool Pool
	pool.Start(1)
	defer pool.Close()
	var set Set
	var pace Pace
	run := func(d time.Duration) float64 {
		set.Begin(4, func(int) { burn(d) }, nil)
		pool.Run(&set, &pace, 40)
		return pace.unit * 40
	}
	long := float64(4 * time.Millisecond)
	assert.GreaterOrEqual(t, run(time.Millisecond), long)
	for range 20 {
		run(0)
	}
	short := pace.unit * 40
	assert.Less(t, short, long/10)
	after := run(time.Millisecond)
	assert.Greater(t, after, short)
	assert.Less(t, after, long/2, "one long run may be another program's")
	for range 60 {
		run(time.Millisecond)
	}
	assert.GreaterOrEqual(t, pace.unit*40, long*.9)
	set.Begin(0, func(int) {}, nil)
	before := pace
	pool.Run(&set, &pace, 0)
	assert.Equal(t, before, pace)
}

func TestASetIsOfferedToAsManyAsDrawn(t *testing.T) {
	p := started(t, 4, 0)
	var set Set
	var ran atomic.Int64
	for _, n := range []int{1, 2, 4} {
		p.Draw(func(most int) int {
			assert.Equal(t, 4, most)
			return n
		})
		p.run(&set, 100, &ran)
	}
	assert.EqualValues(t, 300, ran.Load())
}
