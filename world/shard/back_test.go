package shard_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A store that goes back to an older state, while shards run, stops all of them before they build
// on it. Started again, all of them, they go on from there without a loss.
func TestAStoreThatWentBackIsNamed(t *testing.T) {
	const ticks = 40
	dir, saved := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "saved")
	s := serve(t, server.Options{Dir: dir})
	nc := connect(t, s)
	again := func(between func()) {
		u, err := url.Parse(s.URL())
		require.NoError(t, err)
		port, err := strconv.Atoi(u.Port())
		require.NoError(t, err)
		require.NoError(t, s.Stop())
		between()
		s = serve(t, server.Options{Dir: dir, Port: port})
	}
	c, p := &scene{objects: 150}, shard.Strips(2, 0, side)
	shards := c.together(t, nc, p, 12, nil)
	again(func() { require.NoError(t, os.CopyFS(saved, os.DirFS(dir))) })
	stepBoth(t, shards, 23)
	awaitRenewal(t, nc, 2)
	restore := func() {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.CopyFS(dir, os.DirFS(saved)))
	}
	again(restore)
	for _, err := range stepBoth(t, shards, 1<<40) {
		require.ErrorIs(t, err, shard.ErrBack)
		require.ErrorContains(t, err, "start all shards again")
	}
	for _, s := range shards {
		s.Close()
	}
	again(restore) // what shards stored before they noticed goes, too
	got := c.together(t, nc, p, ticks, nil)
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, got...))
}

// awaitRenewal waits until the leases of some shards have been renewed.
func awaitRenewal(t *testing.T, nc *nats.Conn, shards int) {
	t.Helper()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	kv, err := js.KeyValue(t.Context(), "test")
	require.NoError(t, err)
	for i := range shards {
		first := uint64(0)
		require.Eventually(t, func() bool {
			entry, err := kv.Get(t.Context(), fmt.Sprint("lease.", i))
			if err == nil && first == 0 {
				first = entry.Revision()
			}
			return err == nil && entry.Revision() > first
		}, patience, 10*time.Millisecond)
	}
}

// stepBoth steps two shards to a tick, or until each has stopped.
func stepBoth(t *testing.T, shards []*shard.Shard, ticks uint64) (errs [2]error) {
	t.Helper()
	done := make(chan bool)
	for i := range errs {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			errs[i] = shards[i].Run(ctx, ticks)
			done <- true
		}()
	}
	<-done
	<-done
	return errs
}
