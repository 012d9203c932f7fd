package shard_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A disk that gets full in the middle of a run.
func TestAFullDiskLosesNothing(t *testing.T) {
	// It has room for all messages, where slow snapshots let none be removed.
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
