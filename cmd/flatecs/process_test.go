package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

func TestAClosedPipeEndsItQuietly(t *testing.T) {
	for _, line := range []string{
		"run heroes --act 3 --summary",
		"run heroes --act 3 --frames 1000000000000",
		"run heroes --frames 1000000000000 --render none --state every",
		"run heroes --act 1 --frames 1000000000000",
		"--help",
		"run cubes --frames 1000000000000 --count 10 --digest every",
		"run flappy --frames 2 --render term",
		"run cubes --frames 2 --count 10 --digest last --summary",
	} {
		var stderr bytes.Buffer
		cmd := program(t, strings.Fields(line)...)
		read, write := world.Must2(os.Pipe())
		cmd.Stdout, cmd.Stderr = write, &stderr
		_ = read.Close()
		err := cmd.Run()
		_ = write.Close()
		if err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v, stderr %q", line, err, &stderr)
		}
	}
}

// A full disk is an error of one line, which names the file and the cure, whatever is written.
func TestAFullDiskIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	const cubes, lab = "run cubes --count 9 --frames 9 --render ", "lab forestfire --steps 1 "
	for line, begin := range map[string]string{
		"run heroes --act 3":                  "/dev/stdout",
		lab:                                   "lab: write the table: /dev/stdout",
		lab + "--out /dev/full":               "lab: write the table: /dev/full",
		cubes + "none --record /dev/full":     "record: the recording ended before step 0: /dev/full",
		cubes + "none --cpuprofile=/dev/full": "/dev/full",
		cubes + "none --trace-jobs=/dev/full": "/dev/full",
		cubes + "png --out /dev/full":         "png: /dev/full could not be written: /dev/full",
	} {
		var stderr bytes.Buffer
		cmd := program(t, strings.Fields(line)...)
		cmd.Stdout, cmd.Stderr = full, &stderr
		assert.Equal(t, 1, codeOf(t, cmd.Run()), line)
		assert.Equal(t, "flatecs: "+begin+": no space left on device; make room there, and run "+
			"the command again\n", stderr.String(), line)
	}
}

func TestAnInterruptStillWritesTheProfileAndTheSummary(t *testing.T) {
	for scene, cost := range map[string]string{"heroes": "allocations per frame", "cubes": "Physics"} {
		profile := filepath.Join(t.TempDir(), "cpu")
		cmd := program(t, "run", scene, "--frames", "1000000000000", "--digest", "every", "--summary",
			"--cpuprofile", profile)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out := world.Must(cmd.StdoutPipe())
		require.NoError(t, cmd.Start())
		lines := bufio.NewReader(out)
		_, _ = lines.ReadString('\n') // it has begun
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Skip(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		assert.Equal(t, 130, codeOf(t, cmd.Wait()), "%s", &stderr)
		assert.Contains(t, stderr.String(), cost)
		file := world.Must(os.Stat(profile))
		assert.NotZero(t, file.Size())
	}
}

func codeOf(t *testing.T, err error) int {
	t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	require.NoError(t, err)
	return 0
}
