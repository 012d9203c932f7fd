package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The go command runs vet for each package separately, and passes on the facts about imported
// packages.
func TestGoVetRunsEveryCheck(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "vet.exe")
	out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "vet", "-vettool="+tool, "./testdata/every").CombinedOutput()
	require.Error(t, err)
	var found []string
	for line := range strings.Lines(string(out)) {
		if _, what, ok := strings.Cut(line, "every.go:"); ok {
			found = append(found, strings.TrimSpace(what))
		}
	}
	require.Len(t, found, 7, "%s", out)
	for _, want := range []string{
		`20:3: lifts is outside the world`,
		`20:11: this column is kept in lifts of the package`,
		`21:3: the query lifting only reads Lift`,
		`23:2: the State that world.Advance returns is dropped`,
		`24:13: s was invalidated by world.Advance on line 23; write s = world.Advance(s, …) there`,
		`25:2: there is no check ""; write //flatecs:allow check reason`,
		`26:2: time.Now reads the clock`,
	} {
		assert.Contains(t, strings.Join(found, "\n"), want)
	}
	out, err = exec.Command("go", "vet", "-vettool="+tool, "./testdata/rowwise").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(tool, "-rowwise", "./testdata/rowwise").CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 2, strings.Count(string(out), "treats each row on its own"), "%s", out)
}

// A module outside of the checkout has systems of random sums. They are found, mended, the same
// when they are mended again, of the same values, and fused by no compiler.
func TestRandomSystemsAreMended(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	tool := filepath.Join(t.TempDir(), "vet.exe")
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Env = append(cmd.Environ(), "GOAMD64=v1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("go", "build", "-o", tool, ".")
	require.NoError(t, err, out)

	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write("main.go", randomSystems(rand.New(rand.NewPCG(3, 4))))
	write("go.mod", "module sums\n\ngo 1.26\n\nrequire github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+root+"\n")
	out, err = run("go", "mod", "tidy")
	require.NoError(t, err, out)
	before, err := run("go", "run", ".")
	require.NoError(t, err, before)

	out, err = run(tool, ".")
	require.Error(t, err)
	require.Greater(t, strings.Count(out, "this product and a sum are rounded once"), 50)
	out, err = run(tool, "-fix", "./...")
	require.NoError(t, err, out)
	mended, err := os.ReadFile("main.go")
	require.NoError(t, err)
	for range 2 {
		out, err = run(tool, ".")
		require.NoError(t, err, out)
		out, err = run(tool, "-fix", ".")
		require.NoError(t, err, out)
		again, err := os.ReadFile("main.go")
		require.NoError(t, err)
		assert.Equal(t, string(mended), string(again))
	}
	out, err = run("gofmt", "-l", ".")
	require.NoError(t, err)
	assert.Empty(t, out)
	after, err := run("go", "run", ".")
	require.NoError(t, err, after)
	assert.Equal(t, before, after)
	out, err = run(tool, "fused", "-arch=arm64", "./...")
	require.NoError(t, err, out)
}

// randomSystems returns a program of systems, which prints what they return.
func randomSystems(r *rand.Rand) string {
	var systems, calls strings.Builder
	for i := range 60 {
		name := []string{"float32", "float64", "speed"}[r.IntN(3)]
		fmt.Fprintf(&systems, "\nfunc f%d(s world.State, a, b, c %s) (world.State, %[2]s) {\n", i, name)
		fmt.Fprintf(&systems, "\tp := b * (%s)\n\ta += %s\n\tb = p - %s\n\tc -= %s\n\treturn s, %s\n}\n",
			sum(r, 3), sum(r, 3), sum(r, 2), sum(r, 4), sum(r, 4))
		fmt.Fprintf(&calls, "\ts, x%d := f%[1]d(s, 1/3., 1/7., -1/11.)\n\tprintln(x%[1]d)\n", i)
	}
	return "package main\n\nimport \"github.com/flatecs/flatecs/world\"\n\ntype speed float64\n" +
		systems.String() + "\nfunc main() {\n\tvar s world.State\n" + calls.String() + "\t_ = s\n}\n"
}

// sum returns an expression with a limited depth of operators.
func sum(r *rand.Rand, deep int) string {
	if deep == 0 {
		return []string{"a", "b", "c", "1.7", "4", "2"}[r.IntN(6)]
	}
	x, y := sum(r, deep-1), sum(r, deep-1)
	return []string{
		x + " * " + y, x + " * " + y, x + " + " + y, "(" + x + ") - (" + y + ")", "-(" + x + ")",
		"(" + x + ") / 2", "(" + x + ") / a", "(" + x + ") * (" + y + ")",
	}[r.IntN(8)]
}
