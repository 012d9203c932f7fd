package shard_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/shard/server"
)

// A disk that gets full in the middle of a run, which needs the right to mount one.
func TestAFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	// It has room for all messages, where slow snapshots let none be removed.
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32m"); err != nil {
		t.Skipf("no disk can be mounted: %v", err)
	}
	disk, err := os.Open(dir)
	require.NoError(t, errors.Join(err, syscall.Unmount(dir, syscall.MNT_DETACH)))
	defer disk.Close()
	dir = fmt.Sprintf("/proc/self/fd/%d", disk.Fd()) // so that nothing is left if this is killed
	filler := filepath.Join(dir, "filler")
	fill := func(reached func(uint64) bool) {
		if _, err := os.Stat(filler); err == nil {
			return
		}
		for !reached(20) {
			time.Sleep(time.Millisecond)
		}
		f, err := os.Create(filler)
		require.NoError(t, err)
		defer f.Close()
		b := make([]byte, 4096)
		_, _ = rand.Read(b)
		for err == nil {
			_, err = f.Write(b)
		}
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
	var log syncBuffer
	o := server.Options{
		Dir: filepath.Join(dir, "store"), Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	full := func(error) bool { return strings.Contains(log.String(), "no space left on device") }
	testFullStore(t, o, fill, full, func() { require.NoError(t, os.Remove(filler)) }, &o)
}
