package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWordsThatComeNext(t *testing.T) {
	for line, want := range map[string]string{
		"her":                            "heroes",
		"run ":                           "heroes boids tanks cubes flappy",
		"ver":                            "verify",
		"run cubes --render ":            "auto none log term png gif",
		"run cubes --render g":           "gif",
		"cubes --render g":               "gif",
		"run cubes --render=gif --vari":  "--variant",
		"run cubes --count 3 --vari":     "--variant",
		"run cubes --gizmos --vari":      "--variant",
		"run cubes --count ":             "",
		"run cubes ":                     "",
		"lab ":                           "schelling wolfsheep flocking forestfire",
		"lab schelling ":                 "",
		"lab --large ":                   "schelling wolfsheep flocking forestfire",
		"serve t":                        "tanks",
		"hunt t":                         "tanks",
		"fork ":                          "flappy tanks",
		"completion ":                    "bash zsh fish",
		"nonsense --render ":             "",
		"run cubes --inspect 80 --every": "--every",
	} {
		r := playArgs(append([]string{"completion", "words", "--"}, strings.Split(line, " ")...)...)
		assert.Zero(t, r.code)
		assert.Equal(t, want, strings.Join(strings.Fields(r.out), " "), line)
	}
	assert.Contains(t, played(t, "completion words --"), "heroes")
}

// A shell completes with what the program prints.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "flatecs")))
	cmd := exec.Command(bash, "--norc", "-c", `eval "$(flatecs completion bash)"
		COMP_WORDS=(flatecs run cubes --render g) COMP_CWORD=4
		_flatecs
		echo "${COMPREPLY[@]}"
		complete -p flatecs`)
	cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "gif\ncomplete -o default -F _flatecs flatecs\n", string(out))
}
