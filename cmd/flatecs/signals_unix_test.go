//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
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
			begun = !os.SameFile(before, world.Must(os.Stat(path)))
		}
		time.Sleep(time.Duration(i*7919%20000) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		assert.Contains(t, played(t, "verify "+path), ": ok, tick ")
		left := len(world.Must(os.ReadDir(dir))) - 1
		orphans += left
		require.LessOrEqual(t, left, 1, "the start before has swept")
	}
	played(t, "run cubes --count 500 --frames 1 --save "+path)
	assert.Len(t, world.Must(os.ReadDir(dir)), 1)
	t.Logf("%d kills left %d unfinished files", n, orphans)
}

// TestAFullDiskLeavesTheFile lets a program write no more than half of what it saves.
func TestAFullDiskLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 5000 --frames 1 --save "+path)
	before := content(path)
	whole := program(t, strings.Fields("run cubes --count 5000 --frames 2 --save "+path)...)
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 200; exec "$0" "$@"`}, whole.Args...)...)
	cmd.Env = whole.Env
	fails(t, cmd, "file too large", path, before)
}

// TestAReadOnlyFolderLeavesTheFile saves without the right to write to the folder.
func TestAReadOnlyFolderLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	played(t, "run cubes --count 50 --frames 1 --save "+path)
	before := content(path)
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	cmd := program(t, strings.Fields("run cubes --count 50 --frames 2 --save "+path)...)
	if os.Geteuid() == 0 { // root may write anywhere
		asNobody(t, cmd, dir)
	}
	fails(t, cmd, "permission denied", path, before)
}

// asNobody makes a command run without rights, and creates a program and a folder that it cannot
// read.
func asNobody(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	self := world.Must(os.ReadFile(cmd.Path))
	bin := world.Must(os.MkdirTemp("", "flatecs")) //nolint:usetesting // not readable
	t.Cleanup(func() { _ = os.RemoveAll(bin) })
	cmd.Path = filepath.Join(bin, "flatecs")
	require.NoError(t, os.WriteFile(cmd.Path, self, 0o755))
	for _, d := range []string{bin, filepath.Dir(dir)} {
		require.NoError(t, os.Chmod(d, 0o755))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Dir = bin
}

// fails runs a program that cannot save, and checks that the folder has one file, which is as
// before.
func fails(t *testing.T, cmd *exec.Cmd, why, path, before string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	assert.Equal(t, 1, codeOf(t, err), "%s", out)
	assert.Contains(t, string(out), why)
	assert.Zero(t, strings.Compare(before, content(path)), "it is another file")
	assert.Len(t, world.Must(os.ReadDir(filepath.Dir(path))), 1)
}

// codes are the exit codes after the signals that ask the program to end. The tests themselves may
// run under nohup.
var codes = func() map[syscall.Signal]int {
	all := map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143}
	if !signal.Ignored(syscall.SIGHUP) {
		all[syscall.SIGHUP] = 129
	}
	return all
}()

// endedBy starts a program, waits until it has written a text, sends it a signal, and returns its
// exit code.
func endedBy(t *testing.T, cmd *exec.Cmd, begun string, s syscall.Signal) int {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out := world.Must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(out)
	for line := ""; !strings.Contains(line, begun); {
		line = world.Must(lines.ReadString('\n'))
	}
	require.NoError(t, cmd.Process.Signal(s))
	_, _ = io.Copy(io.Discard, lines)
	code := codeOf(t, cmd.Wait())
	assert.Empty(t, stderr.String())
	return code
}

func TestSignalsSaveAndCloseTheRecording(t *testing.T) {
	for s, want := range codes {
		t.Run(s.String(), func(t *testing.T) {
			dir := t.TempDir()
			save, record := filepath.Join(dir, "a.flat"), filepath.Join(dir, "recording")
			cmd := program(t, strings.Fields("run cubes --count 500 --frames 1000000000000 "+
				"--digest every --save "+save+" --record "+record)...)
			assert.Equal(t, want, endedBy(t, cmd, "digest frame=5 ", s))
			assert.Contains(t, played(t, "verify "+save), ": ok, tick ")
			assert.Regexp(t, `^\d+ steps, `, played(t, "replay "+record))
		})
	}
}

// TestAskedWhileItSaves asks a program that saves all the time to end, at some moment, many times:
// it leaves a whole file and nothing beside it.
func TestAskedWhileItSaves(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	n := *kills
	if testing.Short() {
		n = 4
	}
	for i := range n {
		s := []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT}[i%3]
		_ = os.Remove(path)
		cmd := program(t, strings.Fields(
			"run cubes --count 500 --frames 1000000000000 --save-every 1 --save "+path)...)
		require.NoError(t, cmd.Start())
		for begun := false; !begun; time.Sleep(time.Millisecond) {
			_, err := os.Stat(path)
			begun = err == nil
		}
		time.Sleep(time.Duration(i*7919%20000) * time.Microsecond)
		require.NoError(t, cmd.Process.Signal(s))
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM), "again")
		require.NotZero(t, codeOf(t, cmd.Wait()))
		assert.Contains(t, played(t, "verify "+path), ": ok, tick ")
		require.Len(t, world.Must(os.ReadDir(dir)), 1)
	}
}

// A program that ignores hang-ups continues after one.
func TestAnIgnoredHangUpIsIgnored(t *testing.T) {
	whole := program(t, "run", "heroes", "--act", "3", "--frames", "1000000000000")
	cmd := exec.Command("sh", append([]string{"-c", `trap "" HUP; kill -HUP $$; exec "$0" "$@"`}, whole.Args...)...)
	cmd.Env = whole.Env
	out := world.Must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(out)
	world.Must(lines.ReadString('\n'))
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	for range 1000 { // more than was written before
		world.Must(lines.ReadString('\n'))
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_, _ = io.Copy(io.Discard, lines)
	assert.Equal(t, 143, codeOf(t, cmd.Wait()))
}

// What has nothing to bring to an end ends at once, whatever it is about.
func TestSignalsEndWhatOnlyReads(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join(dir, "recording")
	played(t, "run cubes --count 10 --frames 3 --record "+recorded)
	head := world.Must(os.ReadFile(recorded))
	for s, want := range codes {
		for _, sent := range []string{"", string(head[:20]), string(head[:len(head)-3])} {
			path := filepath.Join(dir, "pipe"+strconv.Itoa(want)+strconv.Itoa(len(sent)))
			require.NoError(t, syscall.Mkfifo(path, 0o600))
			writer := world.Must(os.OpenFile(path, os.O_RDWR, 0))
			world.Must(writer.WriteString(sent))
			cmd := program(t, "replay", path)
			var said bytes.Buffer
			cmd.Stderr = &said
			require.NoError(t, cmd.Start())
			require.NoError(t, cmd.Process.Signal(syscall.Signal(0)))
			asked := time.NewTicker(20 * time.Millisecond) // the first may come before it listens
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for over := false; !over; {
				select {
				case err := <-ended:
					over = true
					if code := cmd.ProcessState.ExitCode(); code != -1 { // before it listened
						assert.Equal(t, want, code, "%v: %s", err, &said)
					}
				case <-asked.C:
					_ = cmd.Process.Signal(s)
				}
			}
			asked.Stop()
			require.NoError(t, writer.Close())
		}
	}
}

// A recording may come from a program that writes it meanwhile, as shells name it.
func TestARecordingFromAPipe(t *testing.T) {
	recorded := filepath.Join(t.TempDir(), "recording")
	played(t, "run cubes --count 10 --frames 30 --record "+recorded)
	text := world.Must(os.ReadFile(recorded))
	reader, writer := world.Must2(os.Pipe())
	defer func() { _ = reader.Close() }()
	go func() {
		for len(text) > 0 {
			n, _ := writer.Write(text[:min(len(text), 100)])
			text = text[n:]
			time.Sleep(time.Millisecond)
		}
		_ = writer.Close()
	}()
	assert.Equal(t, "30 steps, and all digests are equal\n",
		played(t, fmt.Sprintf("replay /dev/fd/%d", reader.Fd())))
}

// A second signal ends what cannot end, such as one whose reader reads no more.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	cmd := program(t, "run", "heroes", "--act", "3", "--frames", "1000000000000")
	out := world.Must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	world.Must(out.Read(make([]byte, 1)))
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				_ = cmd.Process.Signal(syscall.SIGTERM)
			}
		}
	}()
	state, err := cmd.Process.Wait()
	close(stop)
	require.NoError(t, err)
	assert.Equal(t, 143, state.ExitCode())
}

// A go that is killed, or interrupted, leaves its files.
func TestAnInterruptedBuildLeavesNothing(t *testing.T) {
	bin, temp := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\n[ $1 = list ] && exit\nmkdir -p ${GOTMPDIR:-$TMPDIR/x}/go-build && exec sleep 1000\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o700))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("TMPDIR", temp)
	for name, run := range map[string]func(context.Context, streams) error{
		"dev":    (&dev{Package: "./game"}).Run,
		"export": (&export{Out: filepath.Join(bin, "site")}).Run,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			for begun := false; !begun; time.Sleep(time.Millisecond) {
				files, _ := filepath.Glob(temp + "/*/go-build")
				begun = len(files) > 0
			}
			cancel(interruption{syscall.SIGTERM})
		}()
		err := run(ctx, streams{out: io.Discard, err: io.Discard})
		assert.Equal(t, 143, exitCode(err, io.Discard), name)
		assert.Empty(t, world.Must(os.ReadDir(temp)), name)
	}
}
