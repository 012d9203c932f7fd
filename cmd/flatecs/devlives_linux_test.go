package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/save"
)

// A version of the example says its number and, if its balls have a spin, that of the first ball,
// which each step raises. It dies as it is told to when there is a file named now.
func (r *rehearsal) versionOf(n int, dies string, spins bool) string {
	say := fmt.Sprintf(`fmt.Printf("v%d `, n)
	text := strings.Replace(r.source, `fmt.Printf("`, say, 1)
	text = strings.Replace(text, "balls.Count(64)", "balls", 1)
	text = strings.Replace(text, "<-next.C", "<-next.C\n"+
		"\t\tif _, err := os.Stat(`now`); err == nil {\n\t\t\t"+dies+"\n\t\t}", 1)
	if spins {
		text = strings.Replace(text, "Y, Speed float32", "Y, Speed float32; Spin uint32", 1)
		text = strings.Replace(text, "all[i].Speed -=", "all[i].Spin++\n\t\t\tall[i].Speed -=", 1)
	}
	return text
}

// TestDevOutlivesItsPrograms: however late a version dies, the next one goes on with the world, and
// with the fields that versions between did not have.
func TestDevOutlivesItsPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds ten programs")
	}
	edits := 9
	if os.Getenv("FLATECS_FULL") != "" {
		edits = 30
	}
	r := rehearse(t, "--wait", "60s", "--trial", "1ms", "--keep", "10ms")
	r.wait(0, "tick 30,")
	ways := []string{"panic(`late`)", "os.Exit(3)", "os.Exit(0)", "syscall.Kill(os.Getpid(), 9)"}
	r.source = strings.Replace(r.source, `	"time"`, "\t\"syscall\"\n\t\"time\"", 1) +
		"\nvar _ = syscall.Kill\n"
	random, died, now := rand.New(rand.NewPCG(5, 6)), 0, filepath.Join(r.dir, "now")
	for n := range edits {
		from := len(r.log.text())
		r.save(r.versionOf(n, ways[n%len(ways)], n%2 == 0))
		r.wait(from, fmt.Sprintf("\nv%d tick ", n))
		if random.IntN(2) == 0 || n == 0 {
			from = len(r.log.text())
			require.NoError(t, os.WriteFile(now, nil, 0o600))
			r.wait(from, "or type u and Enter to undo")
			require.NoError(t, os.Remove(now))
			died++
		}
		if random.IntN(3) == 0 && n < edits-3 { // the last ones take a field aside and back
			from = len(r.log.text())
			r.press("u\n")
			// Of a version on trial the change is undone, and a build that is ready meanwhile is newer.
			r.wait(from, " plays again, at tick ", "it was undone", "another one is being started",
				"there is no change to undo")
		}
	}
	from := len(r.log.text())
	r.save(r.versionOf(edits, ways[0], true))
	r.wait(from, fmt.Sprintf("\nv%d tick ", edits))
	require.NoError(t, os.WriteFile(now, nil, 0o600))
	r.wait(from, "nobody plays")
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	_ = r.cmd.Wait()
	assert.Equal(t, 143, r.cmd.ProcessState.ExitCode(), r.log.text())
	assert.Equal(t, 1, strings.Count(r.log.text(), "tick 30,"), "it began once")
	assert.Contains(t, r.log.text(), "kept aside, and not used: ball.Spin")
	assert.Contains(t, r.log.text(), "back: ball.Spin")
	assert.Equal(t, died+1, strings.Count(r.log.text(), "nobody plays"))
	r.requireSpun()
}

// requireSpun checks that the world was saved, with a spin that no version has begun anew.
func (r *rehearsal) requireSpun() {
	r.Helper()
	f, err := save.Open(filepath.Join(r.dir, "keep.flat"))
	require.NoError(r, err)
	defer f.Close()
	assert.Greater(r, f.Tick(), uint64(60))
	b, field, err := f.Bytes("ball", "ball")
	require.NoError(r, err)
	require.Contains(r, field.Shape(), "Spin")
	spin := uint32(b[8]) | uint32(b[9])<<8 | uint32(b[10])<<16
	assert.Greater(r, spin, uint32(30), "%s", r.log.text())
}
