package work

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// processorsSet sets how many there are until the test ends. It skips the test where there can only
// be one, as in a browser.
func processorsSet(t *testing.T, n int) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	if n > 1 && processors() == 1 {
		t.Skip("there is only one processor")
	}
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func started(t *testing.T, count int, patience time.Duration) *Pool {
	t.Helper()
	p := &Pool{}
	p.SetPatience(patience)
	p.Start(count)
	t.Cleanup(p.Close)
	return p
}

// lookingNow returns how many goroutines of a pool look for work.
func (p *Pool) lookingNow() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.looking
}

// run runs n counting tasks on the pool.
func (p *Pool) run(set *Set, n int, ran *atomic.Int64) {
	set.Begin(n, func(int) { ran.Add(1) }, nil)
	p.Run(set, nil, n)
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	require.Eventually(t, done, time.Minute, time.Millisecond, what)
}

func TestEachTaskRunsOnceWhateverThePatience(t *testing.T) {
	for _, patience := range []time.Duration{0, time.Nanosecond, 20 * time.Microsecond, time.Second} {
		for _, count := range []int{1, 2, 5} {
			p := started(t, count, patience)
			var set Set
			var ran atomic.Int64
			want := int64(0)
			for i := range 300 {
				n := i % 7
				p.run(&set, n, &ran)
				want += int64(n)
				require.Equal(t, want, ran.Load(), "%d goroutines, %v", count, patience)
				if i%50 == 0 {
					time.Sleep(50 * time.Microsecond)
				}
			}
			p.Close()
		}
	}
}

// A polling goroutine finds the work itself: no sleeping goroutine has to be woken.
func TestWhoLooksTakesWork(t *testing.T) {
	processorsSet(t, 2)
	p := started(t, 2, time.Hour)
	eventually(t, "looks", func() bool { return p.lookingNow() == 1 })
	var set Set
	both := make(chan struct{}) // a task waits for the other one, so two goroutines are needed
	set.Begin(2, func(task int) {
		if task == 0 {
			both <- struct{}{}
		} else {
			<-both
		}
	}, nil)
	p.Run(&set, nil, 2)
	eventually(t, "looks again", func() bool { return p.lookingNow() == 1 })
	runtime.GC() // which stops all goroutines
}

func TestOneProcessorIsLeftToOthers(t *testing.T) {
	processorsSet(t, 3)
	p := started(t, 8, time.Hour)
	eventually(t, "two look", func() bool { return p.lookingNow() == 2 })
	for range 100 {
		require.LessOrEqual(t, p.lookingNow(), 2)
		runtime.Gosched()
	}
}

func TestNobodyLooksWithOneProcessorOrWithoutPatience(t *testing.T) {
	for _, c := range []struct {
		processors int
		patience   time.Duration
	}{{1, time.Hour}, {4, 0}, {4, -time.Hour}} {
		processorsSet(t, c.processors)
		p := started(t, 3, c.patience)
		var set Set
		var ran atomic.Int64
		for range 20 {
			p.run(&set, 3, &ran)
			assert.Zero(t, p.lookingNow())
		}
		p.mutex.Lock()
		assert.False(t, p.mayLook())
		p.mutex.Unlock()
	}
}

// After the patience all goroutines sleep, even if the pool is not closed, and a closed pool has no
// polling goroutines.
func TestPatienceEnds(t *testing.T) {
	processorsSet(t, 2)
	p := started(t, 2, time.Millisecond)
	var set Set
	var ran atomic.Int64
	p.run(&set, 2, &ran)
	asleep := 0 // consecutive times: a goroutine that wakes late polls once more
	eventually(t, "sleeps", func() bool {
		if asleep++; p.lookingNow() != 0 {
			asleep = 0
		}
		return asleep == 10
	})

	p.SetPatience(time.Hour)
	p.run(&set, 2, &ran)
	p.run(&set, 2, &ran) // a goroutine that woke too late for a set polls for the next
	eventually(t, "looks", func() bool { return p.lookingNow() == 1 })
	p.Close()
	eventually(t, "ends", func() bool { return p.lookingNow() == 0 })
}

func TestLookUntil(t *testing.T) {
	asked := 0
	assert.True(t, lookUntil(time.Hour, func() bool { asked++; return asked == 100 }))
	assert.Equal(t, 100, asked)
	assert.False(t, lookUntil(0, func() bool { return false }))
}
