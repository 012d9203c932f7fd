package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
)

// More than a limit leaves is refused in one line, before anything is made.
func TestALimitOfMemory(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --count 16000000 --frames 1":                  "flatecs: world: ",
		"run heroes --count 40000000 --frames 1":                 "flatecs: world: ",
		"run heroes --act 1 --count 2000000000 --render none":    "flatecs: act 1: ",
		"run heroes --act 2 --count 40000000 --render none":      "flatecs: act 2: ",
		"run heroes --count 40000000 --render none --state none": "flatecs: world: ",
	} {
		whole := program(t, strings.Fields(line)...)
		limit := strconv.Itoa((atFirst + 1<<30) >> 10) // a GB more than it begins with
		cmd := exec.Command("sh", append([]string{
			"-c", `ulimit -v "$0"; exec "$@"`, limit,
		}, whole.Args...)...)
		cmd.Env = whole.Env
		out, err := cmd.CombinedOutput()
		assert.Equal(t, 1, codeOf(t, err), line)
		assert.Regexp(t, "^"+want+".*has for this program.*\n$", string(out), line)
	}
}

// atFirst is how many bytes of addresses the test has at its beginning: about as many as the program.
var atFirst = func() int {
	pages, _, _ := strings.Cut(content("/proc/self/statm"), " ")
	return world.Must(strconv.Atoi(pages)) * os.Getpagesize()
}()

func TestWatchLooksAtWhatIsPublished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	play(t, "run cubes --count 100 --frames 5 --publish "+path).says(t, 0)
	r := play(t, "watch --lines 3 "+path)
	r.says(t, 0, "has ended")
	assert.Contains(t, r.out, "frame 6  tick ")
	assert.Contains(t, r.out, "Cube 100")
	play(t, "watch "+filepath.Join(t.TempDir(), "none")).says(t, 1, "none")
}
