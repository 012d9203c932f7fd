package scene

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// small returns a scene's defaults with fewer objects, enough for several parts.
func small(s *Scene, variant string) Options {
	o := s.Defaults
	o.Count, o.Supers, o.Variant = min(o.Count, 3000), min(o.Supers, 30), variant
	return o
}

// variants returns every scene in each of its variants.
func variants() (all []variant) {
	for _, s := range All() {
		for _, name := range append([]string{""}, s.Variants...) {
			all = append(all, variant{strings.TrimSpace(s.Name + " " + name), s, small(s, name)})
		}
	}
	return all
}

type variant struct {
	name  string
	scene *Scene
	o     Options
}

// inputAt is an input for each step, so that every bit is on now and then.
func inputAt(step int) Input { return Input(step*step>>3) & Input(step) }

func TestTheBytesDoNotDependOnWorkers(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.scene, c.o
			if s == Cubes {
				o.Count = 70_000 * 4 // parts enough to wake other goroutines
			}
			var want []byte
			for _, workers := range []int{1, 2, 8} {
				o.Workers = workers
				p, state := opened(t, s, o)
				for step := range 20 {
					state = p.Step(state, inputAt(step))
				}
				if want == nil {
					want = bytes.Clone(world.Bytes(state))
				}
				require.True(t, bytes.Equal(want, world.Bytes(state)), "%d workers", workers)
				require.NoError(t, world.Verify(state))
				p.Close(state)
			}
		})
	}
}

func TestTheSameStateAndInputGiveTheSameBytes(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.scene, c.o
			p, state := opened(t, s, o)
			for step := range 100 {
				state = p.Step(state, inputAt(step))
			}
			twin, err := world.Clone(state)
			require.NoError(t, err)
			for step := range 100 {
				state = p.Step(state, inputAt(step))
			}
			for step := range 100 {
				twin = p.Step(twin, inputAt(step)|^Input(1<<len(s.Inputs)-1))
			}
			require.True(t, bytes.Equal(world.Bytes(state), world.Bytes(twin)),
				"bits that name nothing are ignored")
		})
	}
}

func TestAnotherSeedGivesAnotherWorld(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.scene, c.o
			worldOf := func(seed uint64) []byte {
				o.Seed = seed
				p, state := opened(t, s, o)
				for range 200 {
					state = p.Step(state, 0)
				}
				return world.Bytes(state)
			}
			assert.True(t, bytes.Equal(worldOf(3), worldOf(3)))
			assert.False(t, bytes.Equal(worldOf(3), worldOf(4)))
			worldOf(0)
		})
	}
}

func TestAllocsStep(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.scene, c.o
			for _, o.Workers = range []int{1, 2} {
				p, state := opened(t, s, o)
				step := 0
				play := func() {
					state = p.Step(state, inputAt(step))
					step++
				}
				for range 300 {
					play()
				}
				assert.Zero(t, testing.AllocsPerRun(300, play), "%d workers", o.Workers)
			}
		})
	}
}

func TestTimesOfTheJobs(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.scene, c.o
			start := time.Now()
			o.Clock = func() time.Duration { return time.Since(start) }
			p, state := opened(t, s, o)
			p.Step(state, 0)
			times := p.Schedule.Times(Pipeline)
			require.NotEmpty(t, times)
			for _, job := range times {
				assert.Equal(t, 1, job.Runs, job.Name)
			}
		})
	}
}

func TestOptionsThatAScenceCannotBeOpenedWith(t *testing.T) {
	for _, s := range All() {
		for _, o := range []Options{{Variant: "no such"}, {Count: -1}, {Supers: -1}} {
			_, err := s.Open(o)
			require.ErrorIs(t, err, ErrOptions)
			require.ErrorContains(t, err, s.Name)
		}
	}
	_, err := Cubes.Open(Options{Count: 1 << 40})
	require.ErrorIs(t, err, world.ErrCount)
	_, err = Cubes.Open(Options{})
	require.NoError(t, err, "no cubes")
}

func TestByName(t *testing.T) {
	for _, s := range All() {
		got, err := ByName(s.Name)
		require.NoError(t, err)
		assert.Same(t, s, got)
	}
	_, err := ByName("chess")
	require.ErrorIs(t, err, ErrOptions)
	assert.ErrorContains(t, err, "cubes")
}
