package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	passing = step{name: "good", lines: []string{"go version"}}
	failing = step{name: "bad", lines: []string{"go no-such-command", "go version"}}
)

func TestStepsGoOnAndAreCounted(t *testing.T) {
	var out bytes.Buffer
	assert.False(t, runSteps([]step{passing, failing, passing}, &check{}, &out))
	assert.Equal(t, 2, strings.Count(out.String(), "good      ok"))
	assert.Contains(t, out.String(), "--- bad: cd . && go no-such-command: exit status 2\n")
	assert.Contains(t, out.String(), "$ cd . && go version\ngo version go", "the rest of it runs")
	assert.True(t, strings.HasSuffix(out.String(), "\n2 passed, 1 failed\n"), out.String())
	assert.True(t, runSteps([]step{passing}, &check{}, &out))
}

func TestChoose(t *testing.T) {
	all := []step{passing, failing, {name: "third"}}
	for only, want := range map[string]string{
		"bad": "bad", "third,good": "third good", "other": "", "good,": "", "": "",
	} {
		chosen, err := choose(all, only)
		var names []string
		for _, s := range chosen {
			names = append(names, s.name)
		}
		assert.Equal(t, want, strings.Join(names, " "), only)
		assert.Equal(t, want == "", err != nil, only)
	}
}

func TestCommandsThatFailTellWhatWasRun(t *testing.T) {
	c := &check{root: t.TempDir()}
	err := c.command("cd . && A=b go no-such-command")
	require.ErrorContains(t, err, "go no-such-command: exit status")
	assert.Contains(t, c.out.String(), "$ cd . && A=b go no-such-command\n")
	require.Error(t, c.command("no-such-program"), "a missing tool fails")

	var log bytes.Buffer
	c.log = &log
	require.NoError(t, c.command("go version"))
	assert.Regexp(t, `^\$ cd \. && go version\ngo version go`, log.String())
}

func TestWrongUse(t *testing.T) {
	var out bytes.Buffer
	_, err := run([]string{"-only", "none"}, &out)
	require.ErrorContains(t, err, `unknown step "none"; -list lists them`)
	out.Reset()
	passed := must(run([]string{"-list"}, &out))
	assert.True(t, passed)
	for _, name := range []string{"laws ", "lint ", "race ", "fuzz "} {
		assert.Contains(t, "\n"+out.String(), "\n"+name)
	}
}

// TestChangesReachWhatImportsThem: what is looked at is what was changed, and the packages that
// import it, in their tests too.
func TestChangesReachWhatImportsThem(t *testing.T) {
	const module = "example.com/a/"
	c := &check{root: t.TempDir()}
	write := func(name, text string) {
		name = filepath.Join(c.root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for name, text := range map[string]string{
		"go.mod":            "module example.com/a\n\ngo 1.26\n",
		"low/low.go":        "package low\n",
		"mid/mid.go":        "package mid\n\nimport _ \"" + module + "low\"\n",
		"top/top.go":        "package top\n\nimport _ \"" + module + "mid\"\n",
		"tested/t.go":       "package tested\n",
		"tested/t_test.go":  "package tested_test\n\nimport _ \"" + module + "mid\"\n",
		"apart/apart.go":    "package apart\n",
		"apart/testdata/in": "one",
	} {
		write(name, text)
	}
	for _, words := range []string{
		"git init -q", "git add -A", "git -c user.name=a -c user.email=b commit -qm All",
	} {
		require.NoError(t, c.command(words), c.out.String())
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	looked := func() (changed, affected []string) {
		_, touched, err := c.touchedSince("HEAD")
		require.NoError(t, err)
		changed, affected, err = c.affected(".", touched)
		require.NoError(t, err)
		return changed, affected
	}
	changed, affected := looked()
	assert.Empty(t, changed)
	assert.Empty(t, affected)

	lint := func() []string {
		lines := must(c.lintSince("HEAD"))
		return lines
	}
	assert.Empty(t, lint())

	write("low/new.go", "package low\n")
	assert.Equal(t, []string{"$lint ./low ./mid ./tested ./top"}, lint())
	changed, affected = looked()
	assert.Equal(t, []string{module + "low"}, changed)
	assert.Equal(t, []string{module + "low", module + "mid", module + "tested", module + "top"}, affected)

	require.NoError(t, os.Remove(filepath.Join(c.root, "low", "new.go")))
	write("apart/testdata/in", "two")
	changed, affected = looked()
	assert.Equal(t, []string{module + "apart"}, changed)
	assert.Equal(t, []string{module + "apart"}, affected)

	write("manager/m.go", "package manager\n")
	write("cmd/tools/go.mod", "module example.com/a/cmd/tools\n")
	for _, words := range []string{"git add -A", "git -c user.name=a -c user.email=b commit -qm All"} {
		require.NoError(t, c.command(words), c.out.String())
	}
	write("manager/m.go", "package manager // other\n")
	write("cmd/tools/go.mod", "module example.com/a/cmd/tools // other\n")
	assert.Equal(t, []string{
		"$lint ./manager", "$LINTER run --build-tags=ecsdebug ./manager", "$tools $lint ./...",
	}, lint())
}
