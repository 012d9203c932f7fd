package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/turns"
)

// apart is the distance of Kolmogorov and Smirnov between two samples of one size.
func apart(a, b []float64) float64 {
	below := func(sorted []float64, x float64) float64 {
		n, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		return float64(n) / float64(len(sorted))
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	d := 0.0
	for _, x := range slices.Concat(a, b) {
		d = max(d, math.Abs(below(a, x)-below(b, x)))
	}
	return d
}

// Over many seeds, all programs end with the same numbers of happy agents, of sheep and wolves, and
// of burnt trees, and flatecs and plain Go with the same order of a flock.
// Ark's wolves act before the sheep in half of the steps, as in the comparison's program, which
// does not show within these bounds.
func TestDistributionsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and 120 seeds")
	}
	const seeds = 120
	bound := 1.95 * math.Sqrt(2./seeds) // once in a thousand times
	for _, c := range contests {
		if !strings.HasSuffix(c.name, ", small") {
			continue
		}
		var ours, arks, plains [][]float64
		for seed := range uint64(seeds) {
			ours, plains = append(ours, c.flatecs(seed+1)), append(plains, c.plain(seed+1))
			if ark := c.ark(seed + 1); ark != nil {
				arks = append(arks, ark)
			}
		}
		for k := range ours[0] {
			assert.Less(t, apart(column(ours, k), column(plains, k)), bound, "%s, %d", c.name, k)
			if arks != nil {
				assert.Less(t, apart(column(ours, k), column(arks, k)), bound, "%s, %d", c.name, k)
			}
		}
	}
	assert.InDelta(t, 1, apart([]float64{1, 2}, []float64{3, 4}), 0)
	assert.InDelta(t, 0.5, apart([]float64{1, 3}, []float64{3, 4}), 0)
	assert.Zero(t, apart([]float64{1, 3}, []float64{3, 1}))
}

// Of the large models, a few runs end alike in all programs.
func TestLargeModelsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine")
	}
	for _, c := range contests {
		if !strings.HasSuffix(c.name, ", large") || strings.HasPrefix(c.name, "Flocking") {
			continue
		}
		var ours, arks, plains float64
		for seed := range uint64(3) {
			ours, arks = ours+c.flatecs(seed + 1)[0], arks+c.ark(seed + 1)[0]
			plains += c.plain(seed + 1)[0]
		}
		assert.InEpsilon(t, ours, plains, .25, c.name)
		assert.InEpsilon(t, ours, arks, .25, c.name)
	}
}

func column(rows [][]float64, k int) (all []float64) {
	for _, r := range rows {
		all = append(all, r[k])
	}
	return all
}

func TestReport(t *testing.T) {
	dir := t.TempDir()
	o := options{Seeds: 1, JSON: filepath.Join(dir, "times.json"), Out: filepath.Join(dir, "out")}
	var text bytes.Buffer
	require.NoError(t, o.run(t.Context(), &text, io.Discard))
	for _, c := range contests {
		assert.Contains(t, text.String(), c.name)
	}
	assert.Contains(t, text.String(), "MASON was not given")
	chart, err := os.ReadFile(filepath.Join(o.Out, chartName))
	require.NoError(t, err)
	assert.NotContains(t, string(chart), "MASON")
	o.Mason, o.Java, o.Resume = "x", standIn(t, `echo "JobTime: 2500000000"`).java, true
	text.Reset()
	require.NoError(t, o.run(t.Context(), &text, io.Discard))
	assert.Contains(t, text.String(), "MASON: steps alone")
	assert.Contains(t, text.String(), "| 2,500 |")
	chart, err = os.ReadFile(filepath.Join(o.Out, chartName))
	require.NoError(t, err)
	assert.Contains(t, string(chart), "MASON")
}

// What was measured before an interrupt is not measured again.
func TestInterruptedRunsGoOn(t *testing.T) {
	o := options{Seeds: 1, JSON: filepath.Join(t.TempDir(), "times.json")}
	require.NoError(t, o.run(t.Context(), io.Discard, io.Discard))
	var r record
	r.Machine = turns.ThisMachine()
	require.NoError(t, r.resume(o.JSON))
	r.Results[0].Ark[0] = 12345
	require.NoError(t, turns.Keep(o.JSON, r))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	o.Seeds, o.Resume = 2, true
	require.ErrorContains(t, o.run(ctx, io.Discard, io.Discard), "abm: 1 of 2 seeds are kept in")
	require.NoError(t, o.run(t.Context(), io.Discard, io.Discard))
	require.NoError(t, r.resume(o.JSON))
	require.Len(t, r.Results[0].Ark, 2)
	assert.InDelta(t, 12345, r.Results[0].Ark[0], 0)
	r.Results[0].Name = "Life"
	require.NoError(t, turns.Keep(o.JSON, r))
	require.ErrorContains(t, o.run(t.Context(), io.Discard, io.Discard), "begin anew without --resume")
	require.NoError(t, os.WriteFile(o.JSON, []byte("{"), 0o644))
	require.ErrorContains(t, o.run(t.Context(), io.Discard, io.Discard), "times.json: ")
}

// A stand-in for Java says what MASON's programs do.
func standIn(t *testing.T, script string) mason {
	t.Helper()
	java := filepath.Join(t.TempDir(), "java")
	require.NoError(t, os.WriteFile(java, []byte("#!/bin/sh\n"+script), 0o755))
	return mason{java, "mason.jar:programs"}
}

func TestMason(t *testing.T) {
	m := standIn(t, `echo "$@" > "$0.args"; echo MASON; echo "JobTime: 2500000"; echo "JobTime: 1000000"`)
	times, err := m.times(t.Context(), "Wsg_small", 7, 100, 2)
	require.NoError(t, err)
	assert.Equal(t, []float64{2.5, 1}, times)
	args, err := os.ReadFile(m.java + ".args")
	require.NoError(t, err)
	assert.Equal(t, "-cp mason.jar:programs Wsg_small -seed 7 -for 100 -repeat 2 -quiet\n", string(args))
	for script, want := range map[string]string{
		`echo "JobTime: 1"`: "it reports 1 runs of 2",
		`echo "JobTime: x"`: "invalid syntax",
		`echo "Error: no class Wsg_small" >&2; echo more >&2; exit 3`: "exit status 3: Error: no class Wsg_small",
	} {
		_, err := standIn(t, script).times(t.Context(), "Wsg_small", 7, 100, 2)
		require.ErrorIs(t, err, errMason)
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err = mason{"/nowhere/java", "x"}.times(t.Context(), "Wsg_small", 7, 100, 2)
	require.ErrorIs(t, err, errMason)
	assert.ErrorContains(t, err, "/nowhere/java")
}
