package main

import (
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// exits are command lines of the programs that read any, in a folder outside the tree, by their exit
// status: 2 is wrong usage, 1 another failure.
var exits = map[int]string{
	0: "bench --list,check -h,flatecs --version,heroes -h,shard --help,site --help",
	1: "bench --only random --out /dev/null/x,flatecs verify none,portal,site --out x," +
		"heroes -count -1,same -ticks 0,shard model --shards 0",
	2: "arena -x,bench --x,bench x,bench --only x,bench --sizes 0,check -x,check x,flatecs x," +
		"flatecs run heroes --frames -1,heroes -x,heroes x,portal -x,portal x,same -x,shard,shard x," +
		"site --x",
}

func TestWrongUsageEndsWith2AndAFailureWith1(t *testing.T) {
	if testing.Short() {
		t.Skip("links all programs that read a command line")
	}
	root := must(findRoot())
	dir := t.TempDir()
	ask := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		out := must(cmd.Output())
		return string(out)
	}
	build := []string{"build", "-ldflags=-s -w", "-o", dir + "/"}
	for line := range strings.Lines(ask("list", "-f", "{{if eq .Name `main`}}{{.ImportPath}} "+
		"{{range .Imports}}{{.}} {{end}}{{end}}", "./cmd/...", "./cmd/shard/...", "./bench/...")) {
		if name, imports, _ := strings.Cut(line, " "); strings.Contains(imports, "/kong ") ||
			strings.Contains(" "+imports, " flag ") {
			build = append(build, name)
			assert.Contains(t, ","+exits[2], ","+path.Base(name)+" ", "it has no row")
		}
	}
	ask(build...)
	for want, lines := range exits {
		for line := range strings.SplitSeq(lines, ",") {
			words := strings.Fields(line)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			cmd.Dir = dir
			said, _ := cmd.CombinedOutput()
			assert.Equal(t, want, cmd.ProcessState.ExitCode(), "%s: %s", line, said)
		}
	}
}
