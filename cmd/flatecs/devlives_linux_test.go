package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/save"
)

// versionOf returns a version of the example. It says its number and, if its balls have a spin, that
// of the first ball, which each step raises. It removes a file named now, if there is one, and dies
// in its own way.
// The number is a comment, and beside the program: see buildsOnce.
func (r *rehearsal) versionOf(n int, spins bool) string {
	r.Helper()
	text := r.source + fmt.Sprintf(`
var version int

func init() {
	path, _ := os.Executable()
	text, err := os.ReadFile(path + ".version")
	if _, none := fmt.Sscan(string(text), &version); err != nil || none != nil {
		panic("a version without a number")
	}
}

func die() {
	switch version %% 4 {
	case 0:
		panic("late")
	case 1:
		os.Exit(3)
	case 2:
		os.Exit(0)
	}
	_ = syscall.Kill(os.Getpid(), 9)
}

// number %d
`, n)
	edit := func(old, fresh string) {
		require.Contains(r, text, old)
		text = strings.Replace(text, old, fresh, 1)
	}
	edit("\t\"time\"", "\t\"syscall\"\n\t\"time\"")
	edit(`fmt.Printf("tick %d, %d bounces\n", `, `fmt.Printf("v%d tick %d, %d bounces\n", version, `)
	edit("balls.Count(64)", "balls")
	edit("<-next.C", "<-next.C\n\t\tif os.Remove(`now`) == nil {\n\t\t\tdie()\n\t\t}")
	if spins {
		edit("Y, Speed float32", "Y, Speed float32; Spin uint32")
		edit("all[i].Speed -=", "all[i].Spin++\n\t\t\tall[i].Speed -=")
	}
	return text
}

// buildsOnce has versions that differ in their number alone built once: building, which other tests
// do, would take most of the time.
func (r *rehearsal) buildsOnce() {
	r.Helper()
	const script = `#!/bin/sh
set -e
[ "$1" = build ] || exec %[1]s "$@"
built=%[2]s/$(sed '/^.. number [0-9]*$/d' game/main.go | cksum | tr ' ' -)
[ -e "$built" ] || %[1]s build -ldflags '-s -w' -o "$built" ./game
ln "$built" "$5"
sed -n 's/^.. number \([0-9]*\)$/\1/p' game/main.go >"$5.version"
`
	tool, err := exec.LookPath("go")
	require.NoError(r, err)
	bin := r.TempDir()
	//nolint:gosec // a program
	err = os.WriteFile(filepath.Join(bin, "go"), fmt.Appendf(nil, script, tool, bin), 0o700)
	require.NoError(r, err)
	r.cmd.Env = append(r.cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
}

// TestDevOutlivesItsPrograms: however late a version dies, the next one goes on with the world,
// whose fields come and go.
func TestDevOutlivesItsPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds three programs")
	}
	t.Parallel() // it waits
	edits := 9
	if os.Getenv("FLATECS_FULL") != "" {
		edits = 30
	}
	r := prepare(t, "--wait", "60s", "--trial", "1ms", "--keep", "10ms")
	r.buildsOnce()
	r.start()
	r.wait(0, "tick 30,")
	random, died, now := rand.New(rand.NewPCG(5, 6)), 0, filepath.Join(r.dir, "now")
	for n := range edits {
		from := len(r.log.text())
		r.save(r.versionOf(n, n%2 == 0))
		r.wait(from, fmt.Sprintf("\nv%d tick ", n))
		if random.IntN(2) == 0 || n == 0 {
			from = len(r.log.text())
			require.NoError(t, os.WriteFile(now, nil, 0o600))
			r.wait(from, "or type u and Enter to undo")
			died++
		}
		if random.IntN(3) == 0 && n < edits-3 { // the last ones drop a field and add it
			from = len(r.log.text())
			r.press("u\n")
			// Of a version on trial the change is undone, and a build that is ready meanwhile is newer.
			r.wait(from, " plays again, at tick ", "it was undone", "another one is being started",
				"there is no change to undo")
		}
	}
	from := len(r.log.text())
	r.save(r.versionOf(edits, true))
	r.wait(from, fmt.Sprintf("\nv%d tick ", edits))
	require.NoError(t, os.WriteFile(now, nil, 0o600))
	r.wait(from, "nobody plays")
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	_ = r.cmd.Wait()
	assert.Equal(t, 143, r.cmd.ProcessState.ExitCode(), r.log.text())
	assert.Equal(t, 1, strings.Count(r.log.text(), "tick 30,"), "it began once")
	assert.Contains(t, r.log.text(), "dropped: ball.Spin")
	assert.Contains(t, r.log.text(), "new: ball.Spin")
	assert.Equal(t, died+1, strings.Count(r.log.text(), "nobody plays"))
	r.requireSpun()
}

// requireSpun checks that the world was saved, with a spin that no version has begun anew.
func (r *rehearsal) requireSpun() {
	r.Helper()
	f, err := save.Open(filepath.Join(r.temp, "keep.flat"))
	require.NoError(r, err)
	defer f.Close()
	assert.Greater(r, f.Tick(), uint64(60))
	b, field, err := f.Bytes("ball", "ball")
	require.NoError(r, err)
	require.Contains(r, field.Shape(), "Spin")
	spin := uint32(b[8]) | uint32(b[9])<<8 | uint32(b[10])<<16
	assert.Greater(r, spin, uint32(30), "%s", r.log.text())
}
