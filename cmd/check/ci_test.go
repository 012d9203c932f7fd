//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// programs is a directory with the programs of a machine on which nothing is installed; those that
// are given are scripts.
func programs(t *testing.T, scripts files) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "dirname", "grep", "ln", "mktemp", "rm", "sed", "sh"} {
		there, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(there, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	scripts["dpkg-query"] = "exit 1"
	for name, text := range scripts {
		text = "#!" + filepath.Join(dir, "bash") + "\n" + text + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheFirstRunTellsWhatToInstall(t *testing.T) {
	const install = "apt-get install --yes --no-install-recommends qemu-user-static python3 "
	for name, c := range map[string]struct {
		scripts files
		code    int
		want    string
	}{
		"without root": {files{"id": "echo 1000", "apt-get": "echo tried"}, 1, "\n" +
			"apt-get update && " + install},
		"without apt-get": {files{"id": "echo 0"}, 1, "as Debian calls them: qemu-user-static "},
		"as root": {files{
			"id": "echo 0", "apt-get": "echo apt-get $*", "go": "echo go $*",
			"df": "echo Avail; echo 100",
		}, 0, "apt-get update\n" + install},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := findRoot(".")
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(root, ".ci", "run")
			if _, err := os.ReadFile(script); err != nil { // and so the test's result depends on it
				t.Fatal(err)
			}
			dir := programs(t, c.scripts)
			cmd := exec.Command(filepath.Join(dir, "bash"), script)
			cmd.Env = []string{"PATH=" + dir}
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, %v", code, err)
			}
			if text := string(out); !strings.Contains(text, c.want) || strings.Contains(text, "tried") ||
				strings.Contains(text, "\ngo test ./...\n") != (c.code == 0) {
				t.Errorf("printed\n%s", text)
			}
		})
	}
}

// The README's second command is run where only Go and a shell are found.
func TestTheBareRunFindsNoOtherProgram(t *testing.T) {
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := programs(t, files{"go": `
		for name in ls sed python3 python gcc cc node; do
			command -v $name && echo found $name
		done
		command -v sh && command -v go && echo $* $CGO_ENABLED`})
	cmd := exec.Command(filepath.Join(dir, "sh"), filepath.Join(root, ".ci", "bare"))
	cmd.Env = []string{"PATH=" + dir}
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil || strings.Contains(text, "found") ||
		!strings.HasSuffix(text, "\ntest ./... 0\n") {
		t.Errorf("%v\n%s", err, text)
	}
}
