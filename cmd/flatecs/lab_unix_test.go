//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe is written, and not put in the place of by a file. What leads to a file stays a link.
func TestLabWritesToWhatIsThere(t *testing.T) {
	const line = "lab schelling --seeds 2 --steps 2"
	want, dir := played(t, line), t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	got := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		got <- string(text)
	}()
	played(t, line+" --out "+pipe)
	if text := <-got; text != want {
		t.Errorf("the pipe got %q", text)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("no pipe any more: %v, %v", info, err)
	}
	file, link := filepath.Join(dir, "table.csv"), filepath.Join(dir, "link.csv")
	require.NoError(t, os.Symlink("table.csv", link))
	played(t, line+" --out "+link)
	if text, err := os.ReadFile(file); err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("left behind: %v", left)
	}
}
