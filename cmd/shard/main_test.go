package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain is the command where a run starts its own program again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "join") {
		main()
		return
	}
	os.Exit(m.Run())
}

// digest returns what a run writes.
func digest(t *testing.T, f runFlags) (out, log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	require.NoError(t, f.run(ctx, &stdout, &stderr), stderr.String())
	return stdout.String(), stderr.String()
}

// Killed processes, the server's among them, change nothing; and no folder stays.
func TestARunHasTheDigestOfOneProcess(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := runFlags{simulation: simulation{
		Shards: 1, Objects: 3000, Ticks: 80, Seed: 3, Speed: 1, Every: 15, Workers: 1,
	}}
	want, _ := digest(t, f)
	assert.Regexp(t, `^digest ticks=80 objects=3000 sum=[0-9a-f]{16}\n$`, want)

	f.Shards, f.Kill, f.Prove = 3, 6, true
	got, log := digest(t, f)
	assert.Equal(t, want+"equal to one process: yes\n", got)
	assert.Equal(t, 6, strings.Count(log, "killing"), log)
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "flatecs-shard*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A digest that is not that of one process is said, and an error.
func TestAnotherDigestIsSaid(t *testing.T) {
	f := runFlags{simulation: simulation{Shards: 2, Objects: 100, Ticks: 3, Seed: 1, Workers: 1}}
	var out bytes.Buffer
	require.ErrorContains(t, f.prove(t.Context(), 1, &out, io.Discard), "one process has sum=")
	assert.Equal(t, "equal to one process: no\n", out.String())
	f.Shards, f.Prove = 1, true
	require.ErrorContains(t, f.run(t.Context(), &out, io.Discard), "give --shards from 2")
}

// A store that is kept goes on where it ended. It has one snapshot, at the end: a second one is left
// out while the first is still being written.
func TestARunGoesOn(t *testing.T) {
	f := runFlags{Dir: t.TempDir(), simulation: simulation{
		Shards: 2, Objects: 1000, Ticks: 40, Seed: 1, Speed: 1, Every: 40, Workers: 1,
	}}
	first, _ := digest(t, f)
	again, _ := digest(t, f)
	assert.Equal(t, first, again)
	f.Ticks = 55
	longer, log := digest(t, f)
	assert.Contains(t, log, "shard 1 continues from tick 40 of "+f.Dir)
	f.Shards, f.Dir = 1, ""
	want, _ := digest(t, f)
	assert.Equal(t, want, longer)
}

// A store that was begun with other flags gives no digest as that of these.
func TestAStoreOfAnotherRunIsRefused(t *testing.T) {
	f := runFlags{Dir: t.TempDir(), simulation: simulation{
		Shards: 2, Objects: 1000, Ticks: 20, Seed: 1, Speed: 1, Every: 20, Workers: 1,
	}}
	digest(t, f)
	for name, x := range map[string]struct {
		change func(f *runFlags)
		says   string
	}{
		"objects":   {func(f *runFlags) { f.Objects = 900 }, "objects=1000 seed=1 speed=1"},
		"seed":      {func(f *runFlags) { f.Seed = 2 }, `not \"scene=crowd objects=1000 seed=2`},
		"speed":     {func(f *runFlags) { f.Speed = .5 }, "speed=0.5"},
		"every":     {func(f *runFlags) { f.Every = 10 }, "Every 20, not 10"},
		"shards":    {func(f *runFlags) { f.Shards = 3 }, "Shards 2, not 3"},
		"ticks":     {func(f *runFlags) { f.Ticks = 5 }, "at tick 20, and --ticks is 5"},
		"one shard": {func(f *runFlags) { f.Shards = 1 }, "stores nothing"},
		"one alone": {func(f *runFlags) { f.Shards, f.Dir, f.Kill = 1, "", 3 }, "stores nothing"},
	} {
		other := f
		x.change(&other)
		var out, log bytes.Buffer
		err := other.run(t.Context(), &out, &log)
		require.Error(t, err, name)
		assert.Contains(t, strings.ReplaceAll(err.Error()+log.String(), `"`, `\"`), x.says, name)
		assert.Empty(t, out.String(), name)
	}
	f.Workers = 2 // which changes nothing
	digest(t, f)
}

func TestAProcessEndsWithItsStdin(t *testing.T) {
	in, end := io.Pipe()
	ctx := attached(t.Context(), in)
	require.NoError(t, ctx.Err())
	require.NoError(t, end.Close())
	<-ctx.Done()
}

func TestAProcessThatFailsEndsTheRun(t *testing.T) {
	f := runFlags{simulation: simulation{Shards: 50, Objects: 1000, Ticks: 5, Seed: 1, Workers: 1}}
	var log bytes.Buffer
	require.ErrorContains(t, f.run(t.Context(), io.Discard, &log), "ended")
	assert.Contains(t, log.String(), "the borders are too narrow")
}

func TestNumbersThatNoRunHasAreRefused(t *testing.T) {
	for _, s := range []simulation{
		{Objects: 9}, {Shards: -1, Objects: 9}, {Shards: 2000, Objects: 9}, {Shards: 2}, {Shards: 2, Objects: -1},
	} {
		f := runFlags{simulation: s}
		assert.ErrorContains(t, f.run(t.Context(), io.Discard, io.Discard), "give 1 to 1024 shards, and 1 object or more")
	}
}
