package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planted is a module of one package and its tests.
var planted = map[string]string{
	"go.mod": "module example.com/planted\n\ngo 1.26\n",
	"p/p.go": `package p

func Max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func Count(all []int) (n int) {
	for range all {
		n++
	}
	return n
}
`,
	"p/other.go": "//go:build planted\n\npackage p\n\nfunc Other() bool { return true }\n",
	"p/p_test.go": `package p

import "testing"

func Test(t *testing.T) {
	if Max(1, 2) != 2 || Max(2, 1) != 2 {
		t.Error("max")
	}
	Count(nil)
}
`,
}

func plant(t *testing.T, files map[string]string) Options {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return Options{
		Root: root, Package: "p", Limit: 10 * time.Minute, Env: []string{"GOWORK=off", "GOFLAGS="},
	}
}

// contents returns all files of a tree.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		all[filepath.ToSlash(name)] = string(b)
		return err
	}))
	return all
}

// outcomes runs all mutants of a planted package.
func outcomes(t *testing.T, o Options) map[string]Outcome {
	t.Helper()
	all, err := Package(o)
	require.NoError(t, err)
	got := map[string]Outcome{}
	require.NoError(t, Run(o, all, func(m *Mutant, outcome Outcome) { got[m.String()] = outcome }))
	return got
}

// TestSurvivorsAreWhatTestsDoNotSee: in the files that are compiled, none of which is touched.
func TestSurvivorsAreWhatTestsDoNotSee(t *testing.T) {
	o := plant(t, planted)
	before := contents(t, o.Root)
	assert.Equal(t, map[string]Outcome{
		"p/p.go:4: negates a > b": Killed,
		"p/p.go:4: > becomes >=":  Survived, // for no pair of numbers does it matter
		"p/p.go:12: drops n++":    Survived,
	}, outcomes(t, o))
	assert.Equal(t, before, contents(t, o.Root))
}

func TestMutantsThatDoNotEndOrCompile(t *testing.T) {
	files := map[string]string{
		"go.mod": planted["go.mod"],
		"p/p.go": "package p\n\nfunc P(n int) string {\n\tfor n > 0 {\n\t\tn--\n\t}\n\treturn \"a\" + \"b\"\n}\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {\n" +
			"\tif P(3) != \"ab\" {\n\t\tt.Error(\"p\")\n\t}\n}\n",
	}
	o := plant(t, files)
	all, err := Package(o)
	require.NoError(t, err)
	for _, m := range all {
		limit, want := 10*time.Minute, Unbuilt
		switch {
		case strings.Contains(m.Change, "drops n--"):
			limit, want = time.Second, TimedOut
		case !strings.Contains(m.Change, "+ becomes -"):
			continue
		}
		dir := t.TempDir()
		overlay, err := o.overlay(dir, &m)
		require.NoError(t, err)
		limited := o
		limited.tests = []string{"./p"}
		limited.Limit = limit
		outcome, out, err := limited.test("-overlay=" + overlay)
		require.NoError(t, err)
		assert.Equal(t, want, outcome, "%v: %s", &m, out)
	}
}

func TestPackagesWhoseTestsFailAreRefused(t *testing.T) {
	files := map[string]string{
		"go.mod": planted["go.mod"], "p/p.go": planted["p/p.go"],
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { t.Fatal(\"broken\") }\n",
	}
	o := plant(t, files)
	require.ErrorIs(t, Run(o, nil, nil), ErrTests)
	require.ErrorContains(t, Run(o, nil, nil), "broken")
	o.Package = "none"
	_, err := Package(o)
	require.ErrorContains(t, err, "none is no package")
}

// A package without tests is seen by those of the packages that import it.
func TestImportersTestsAreRun(t *testing.T) {
	o := plant(t, map[string]string{
		"go.mod": planted["go.mod"],
		"p/p.go": planted["p/p.go"],
		"q/q_test.go": strings.Replace(planted["p/p_test.go"], "package p\n\nimport \"testing\"",
			"package q\n\nimport (\n\t\"testing\"\n\n\t. \"example.com/planted/p\"\n)", 1),
	})
	assert.Equal(t, Killed, outcomes(t, o)["p/p.go:4: negates a > b"])
}
