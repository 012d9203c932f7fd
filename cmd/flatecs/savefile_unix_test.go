//go:build unix

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

var kills = flag.Int("save.kills", 20, "how often a program that saves is killed")

// TestKilledWhileItSaves kills a program at some moment of a save, many times: there is always a
// whole file, and the next start sweeps what the one before left.
func TestKilledWhileItSaves(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	played(t, "run cubes --count 500 --frames 1 --save "+path)
	n := *kills
	if testing.Short() {
		n = 3
	}
	orphans := 0
	for i := range n {
		cmd := program(t, strings.Fields("run cubes --count 500 --frames 1000000000000 --save-every 1 --save "+path)...)
		before := world.Must(os.Stat(path))
		require.NoError(t, cmd.Start())
		for begun := false; !begun; time.Sleep(time.Millisecond) {
			now := world.Must(os.Stat(path))
			begun = !os.SameFile(before, now)
		}
		time.Sleep(time.Duration(i*7919%20000) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		assert.Contains(t, played(t, "verify "+path), ": ok, tick ")
		entries := world.Must(os.ReadDir(dir))
		orphans += len(entries) - 1
		require.LessOrEqual(t, len(entries), 2, "the start before has swept")
	}
	played(t, "run cubes --count 500 --frames 1 --save "+path)
	entries := world.Must(os.ReadDir(dir))
	assert.Len(t, entries, 1)
	t.Logf("%d kills left %d unfinished files", n, orphans)
}

// TestAFullDiskLeavesTheFile lets a program write no more than half of what it saves.
func TestAFullDiskLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	played(t, "run cubes --count 5000 --frames 1 --save "+path)
	before := world.Must(os.ReadFile(path))
	whole := program(t, strings.Fields("run cubes --count 5000 --frames 2 --save "+path)...)
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 200; exec "$0" "$@"`}, whole.Args...)...)
	cmd.Env = whole.Env
	out, err := cmd.CombinedOutput()
	assert.Equal(t, 1, codeOf(t, err), "%s", out)
	assert.Contains(t, string(out), "file too large")
	unchanged(t, dir, path, before)
}

// TestAReadOnlyFolderLeavesTheFile lets somebody save who may not write to the folder.
func TestAReadOnlyFolderLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	played(t, "run cubes --count 50 --frames 1 --save "+path)
	before := world.Must(os.ReadFile(path))
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	cmd := program(t, strings.Fields("run cubes --count 50 --frames 2 --save "+path)...)
	if os.Geteuid() == 0 { // who may write anywhere
		asNobody(t, cmd, dir)
	}
	out, err := cmd.CombinedOutput()
	assert.Equal(t, 1, codeOf(t, err), "%s", out)
	assert.Contains(t, string(out), "permission denied")
	unchanged(t, dir, path, before)
}

// asNobody makes a command run without rights, a program and a folder that nobody may read.
func asNobody(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	self := world.Must(os.ReadFile(cmd.Path))
	bin := world.Must(os.MkdirTemp("", "flatecs")) //nolint:usetesting // nobody may read that one
	t.Cleanup(func() { _ = os.RemoveAll(bin) })
	cmd.Path = filepath.Join(bin, "flatecs")
	require.NoError(t, os.WriteFile(cmd.Path, self, 0o755))
	for _, d := range []string{bin, filepath.Dir(dir)} {
		require.NoError(t, os.Chmod(d, 0o755))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Dir = bin
}

// unchanged checks that a folder has one file, which is as before.
func unchanged(t *testing.T, dir, path string, before []byte) {
	t.Helper()
	after := world.Must(os.ReadFile(path))
	assert.Len(t, after, len(before))
	assert.Equal(t, string(before), string(after))
	entries := world.Must(os.ReadDir(dir))
	assert.Len(t, entries, 1)
}
