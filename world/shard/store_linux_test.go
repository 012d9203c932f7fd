package shard_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A disk without room to begin ends a shard at once, not a line of the log per attempt later.
func TestAFullDiskEndsTheBeginning(t *testing.T) {
	dir := worldtest.SmallDisk(t, 1<<20)
	filler := filepath.Join(dir, "filler")
	worldtest.Fill(t, filler)
	info := world.Must(os.Stat(filler))
	require.NoError(t, os.Truncate(filler, info.Size()-2*4096))
	var log syncBuffer
	s := serve(t, server.Options{
		Dir: filepath.Join(dir, "store"), MaxStore: 1 << 20,
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	_, err := start(t, connect(t, s), (&scene{}).options(t, 0, shard.Strips(1, 0, side)))
	require.ErrorIs(t, err, shard.ErrNoRoom)
	require.ErrorContains(t, err, "make room")
	require.Contains(t, log.String(), dir)
	require.Less(t, strings.Count(log.String(), "\n"), 10)
}

// A disk that gets full in the middle of a run.
func TestAFullDiskLosesNothing(t *testing.T) {
	// It has room for all messages, even if slow snapshots prevent their removal.
	dir := worldtest.SmallDisk(t, 32<<20)
	filler := filepath.Join(dir, "filler")
	fill := func(reached func(uint64) bool) {
		if _, err := os.Stat(filler); err == nil {
			return
		}
		for !reached(20) {
			time.Sleep(time.Millisecond)
		}
		worldtest.Fill(t, filler)
	}
	var log syncBuffer
	o := server.Options{
		Dir: filepath.Join(dir, "store"), Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	full := func(error) bool { return strings.Contains(log.String(), "no space left on device") }
	testFullStore(t, o, fill, full, func() { require.NoError(t, os.Remove(filler)) }, &o)
}
