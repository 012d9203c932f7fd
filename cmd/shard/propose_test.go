package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A player is a shard that was told to join.
type player struct {
	out, log bytes.Buffer
	err      error
}

// joinBoth runs two shards to a tick, and returns their common result and what they logged.
func joinBoth(t *testing.T, f joinFlags, ticks uint64) (all result, logs []string) {
	t.Helper()
	f.Ticks = ticks
	players, done := [2]player{}, make(chan bool)
	for i := range players {
		go func() {
			mine, p := f, &players[i]
			mine.Shard = i
			p.err = mine.run(t.Context(), nil, &p.out, &p.log)
			done <- true
		}()
	}
	<-done
	<-done
	for i := range players {
		p := &players[i]
		require.NoError(t, p.err, p.log.String())
		var r result
		require.NoError(t, r.parse(p.out.String()))
		all.sum += r.sum
		all.objects += r.objects
		logs = append(logs, p.log.String())
	}
	return all, logs
}

// Borders that were moved from the command line change nothing but who computes what.
func TestBordersAreMovedFromTheCommandLine(t *testing.T) {
	s, err := server.Start(server.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	at := client{URL: s.URL()}
	f := joinFlags{client: at, Patience: 2 * time.Minute, simulation: simulation{
		Shards: 2, Objects: 1000, Seed: 2, Speed: 1, Every: 10, Workers: 1,
	}}
	joinBoth(t, f, 20)

	var out bytes.Buffer
	p := proposeFlags{client: at, Name: theCrowd, X: []float32{20}, After: 30}
	require.NoError(t, p.run(t.Context(), &out))
	require.Equal(t, "tick 30\n", out.String())
	moved, logs := joinBoth(t, f, 40)
	for _, log := range logs {
		assert.Equal(t, 1, strings.Count(log, `msg="borders moved"`), log)
		assert.Contains(t, log, "tick=30 x=[20] y=[]")
	}

	one, _ := digest(t, runFlags{simulation: simulation{
		Shards: 1, Objects: 1000, Ticks: 40, Seed: 2, Speed: 1, Every: 10, Workers: 1,
	}})
	assert.Equal(t, fmt.Sprintf("digest ticks=40 objects=%d sum=%016x\n", moved.objects, moved.sum),
		one)
}

func TestAPlanThatCannotBeIsRefused(t *testing.T) {
	s, err := server.Start(server.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	p := proposeFlags{client: client{URL: s.URL()}, Name: "nobody", X: []float32{20}}
	require.ErrorIs(t, p.run(t.Context(), new(bytes.Buffer)), shard.ErrPlan)
	p.CA = "propose.go"
	require.ErrorContains(t, p.run(context.Background(), new(bytes.Buffer)), "no certificate")
}
