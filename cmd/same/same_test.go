package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// The digests of the tree are what this host computes; with FLATECS_FULL also that of all ticks.
func TestGoldenDigests(t *testing.T) {
	for ticks, want := range golden {
		if ticks > 1_000 && (testing.Short() || os.Getenv("FLATECS_FULL") == "") {
			continue
		}
		var out bytes.Buffer
		require.NoError(t, prove(&out, ticks, []string{"elsewhere=" + want}))
		assert.Contains(t, out.String(), "the same as elsewhere\nthe same as the tree's golden digest\n")
	}
	assert.NotEmpty(t, golden[most], "what the page steps")
}

// The world is whole after a while: all marbles are there, some are new, and none left its bowl.
func TestTheMarblesStayInTheirBowls(t *testing.T) {
	s := world.Must(begin())
	for range 1_000 {
		s = world.Must(step(s))
	}
	defer world.Close(s)
	require.NoError(t, tool.Verify(s))
	assert.Equal(t, objects, world.Len(s))
	reborn := 0
	for b := range moving.In(s) {
		for i, p := range world.Column(b, place) {
			assert.True(t, p.X > -3 && p.X < 3 && p.Y > -3 && p.Y < 3, "%v", p)
			if b.ID(i).Generation() > 0 {
				reborn++
			}
		}
	}
	assert.Greater(t, reborn, 50)
}

// A bit that differs anywhere is found where it is.
func TestAFlippedBitIsFound(t *testing.T) {
	const ticks = 60
	random := rand.New(rand.NewPCG(1, 2))
	flips := []flip{{1, 0, false}, {ticks, objects - 1, true}}
	for range 8 {
		flips = append(flips,
			flip{1 + random.Uint64N(ticks), random.IntN(objects), random.IntN(2) > 0})
	}
	for _, f := range flips {
		t.Run(fmt.Sprint(f), func(t *testing.T) {
			var want world.GameObject
			d, err := find(ticks, func(int) {}, step, func(s world.State) (world.State, error) {
				s, err := f.step(s)
				if ticksOf(s) == f.tick {
					want = nth(s, f.nth)
				}
				return s, err
			})
			require.NoError(t, err)
			assert.Equal(t, [2]uint64{f.tick + 1, f.tick + 1}, d.Tick)
			assert.Equal(t, want, d.Object)
			assert.Equal(t, map[bool]string{false: "speed.X", true: "speed.Y"}[f.y], d.Part)
		})
	}
}

// What does not differ is not found, and a flip beyond the run is none.
func TestRunsThatEndAlike(t *testing.T) {
	var out bytes.Buffer
	require.ErrorIs(t, findFlip(&out, 20, flip{tick: 21}), errNone)
	require.NoError(t, findFlip(&out, 20, flip{tick: 20}))
	assert.Contains(t, out.String(), "speed.X, first after tick 20: ")
}

func TestOtherDigestsAreRefused(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, compare(&out, "ab", []string{"wasm=ab", "arm64=ab"}))
	assert.Equal(t, "the same as wasm\nthe same as arm64\n", out.String())
	err := compare(&out, "ab", []string{"wasm=ac", "arm64=ab", "amd64=ad"})
	require.ErrorContains(t, err, "wasm has ac, and this machine ab")
	require.ErrorContains(t, err, "amd64 has ad")
	require.ErrorContains(t, prove(&out, most, []string{"arm64"}), "give a name and a digest")
}
