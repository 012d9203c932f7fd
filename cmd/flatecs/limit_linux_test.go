package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
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
		text := string(out)
		if code := codeOf(t, err); code != 1 || strings.Count(text, "\n") != 1 ||
			!strings.HasPrefix(text, want) || !strings.Contains(text, "has for this program") {
			t.Errorf("%s: exit code %d, %q", line, code, text)
		}
	}
}

// atFirst is how many bytes of addresses the test has at its beginning: about as many as the program.
var atFirst = func() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.Atoi(pages)
	return n * os.Getpagesize()
}()
