//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe that somebody reads is written, and not put in the place of by a file.
func TestLabWritesToAPipe(t *testing.T) {
	const line = "lab schelling --seeds 2 --steps 2"
	want, pipe := played(t, line), filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	played(t, line+" --out "+pipe)
	text, err := io.ReadAll(reader)
	require.NoError(t, errors.Join(err, reader.Close()))
	require.Equal(t, want, string(text))
}
