package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allPassedAt returns what nightlyFile has when all of seldom passed at a commit.
func allPassedAt(commit string) (text string) {
	for _, s := range steps["seldom"] {
		text += s.name + " " + strings.TrimSpace(commit) + " 2026-01-02 3\n"
	}
	return text
}

// A newTree is a repository, a function that writes a file into it, and one that commits everything.
func newTree(t *testing.T) (c *check, write func(name, text string), commit func() string) {
	t.Helper()
	c = &check{root: t.TempDir()}
	write = func(name, text string) {
		name = filepath.Join(c.root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	commit = func() string {
		for _, words := range []string{
			"git add -A", "git -c user.name=a -c user.email=b commit -qm All",
		} {
			require.NoError(t, c.command(words), c.out.String())
		}
		return must(c.ask("git rev-parse HEAD"))
	}
	require.NoError(t, c.command("git init -q"))
	return c, write, commit
}

// A plantedTree is one with two commits, where all of seldom passed at the first.
func plantedTree(t *testing.T) (c *check, write func(name, text string), commit func() string) {
	t.Helper()
	c, write, commit = newTree(t)
	for _, s := range steps["seldom"] { // each path has something
		for path := range strings.FieldsSeq(s.where) {
			path = strings.TrimPrefix(strings.TrimPrefix(path, ":(glob)"), "**/")
			if filepath.Ext(path) == "" {
				path += "/a.txt"
			}
			write(strings.ReplaceAll(path, "*", "a"), "one")
		}
	}
	write("manager/a.go", "one")
	write(nightlyFile, allPassedAt(commit()))
	commit()
	return c, write, commit
}

// A planted change selects the steps that look at it, committed or not.
func TestWhatDiffersFromWhatPassedIsSelected(t *testing.T) {
	c, write, commit := plantedTree(t)
	for file, want := range map[string]string{
		"manager/a.go":              "",
		"bench/a.go":                "",
		"cmd/check/a.go":            "",
		"cmd/render/png/a.go":       "",
		"go.mod":                    "release",
		"world/shard/go.mod":        "release",
		"cmd/tools/release/a.sh":    "release",
		"cmd/web/server/page/a.js":  "browser",
		"world/inspect/new/page.js": "browser",
		"cmd/scene/tanks/a.go":      "browser",
		"cmd/web/browse/a.go":       "browser sites",
		"cmd/render/a.go":           "browser window",
		"docs/GUIDE.md":             "",
		"world/link/web/a.go":       "sites",
		"cmd/arena/site/arena.js":   "sites",
		"cmd/ebiten/go.mod":         "release window",
		"cmd/ebiten/window/a.go":    "window",
		"cmd/vet/checks/a.go":       "findings",
		"cmd/vet/go.mod":            "findings release",
	} {
		t.Run(file, func(t *testing.T) {
			selected := func() string {
				chosen, left := c.differing(steps["seldom"])
				names := ""
				for _, s := range chosen {
					names += s.name + " "
				}
				_, others, _ := strings.Cut(left, ":")
				assert.Len(t, steps["seldom"], len(chosen)+len(strings.Fields(others)))
				return strings.TrimSpace(names)
			}
			require.Empty(t, selected())
			write(file, "two")
			assert.Equal(t, want, selected(), "not committed")
			head := commit()
			assert.Equal(t, want, selected(), "committed")
			write(nightlyFile, allPassedAt(head))
		})
	}
}

// A commit that is not named, is not there or is of another history selects everything.
func TestAnUnknownCommitSelectsEverything(t *testing.T) {
	c, write, commit := plantedTree(t)
	all := func(why string) {
		chosen, left := c.differing(steps["seldom"])
		assert.Len(t, chosen, len(steps["seldom"]), why)
		assert.Empty(t, left, why)
	}
	chosen, _ := c.differing(steps["seldom"])
	require.Empty(t, chosen)

	write(nightlyFile, "\n")
	all("empty")
	write(nightlyFile, allPassedAt("0123456789012345678901234567890123456789"))
	all("not in this clone")
	require.NoError(t, os.Remove(filepath.Join(c.root, nightlyFile)))
	all("no file")

	before := must(c.ask("git rev-parse HEAD"))
	require.NoError(t, c.command("git checkout -q -b other HEAD~1"))
	write("manager/b.go", "other")
	commit()
	write(nightlyFile, allPassedAt(before))
	all("of another branch")
}

// The tree's own lines are of steps that there are, and of commits.
func TestLawNightsAreOfSteps(t *testing.T) {
	for line := range strings.Lines(read(t, nightlyFile)) {
		words := strings.Fields(line)
		must(choose(slices.Concat(steps["seldom"], steps["nightly"]), words[0]))
		assert.Regexp(t, `^[a-z]+ [0-9a-f]{40} \d{4}-\d\d-\d\d \d+( ticks=\d+)?\n$`, line)
	}
}

// TestNightlyRecordsWhatPassed: at which commit; not what failed, nor what is in no commit. With a
// time it goes on where it stopped.
func TestNightlyRecordsWhatPassed(t *testing.T) {
	c, write, commit := plantedTree(t)
	c.nightly = true
	names := func(list []step) (all []string) {
		for _, s := range list {
			all = append(all, s.name)
		}
		return all
	}
	list := steps["seldom"][:3]
	planted := []step{passing, failing, passing}
	for i := range planted {
		planted[i].name = list[i].name
	}
	write("manager/a.go", "two")
	head := commit()
	var out strings.Builder
	assert.False(t, runSteps(planted, c, &out))
	line := func(i int) []string { return c.nights()[list[i].name] }
	assert.Equal(t, strings.TrimSpace(head), line(0)[1])
	assert.NotEqual(t, strings.TrimSpace(head), line(1)[1], "it failed")
	assert.Equal(t, strings.TrimSpace(head), line(2)[1])
	assert.Equal(t, list[1].name, names(c.longestAgo(list))[0], "its pass is older")

	write("new.txt", "one")
	assert.True(t, runSteps(planted[:1], c, &out))
	assert.Contains(t, out.String(), "new.txt is not committed")

	c.until = time.Now().Add(-time.Second)
	out.Reset()
	assert.True(t, runSteps(planted, c, &out))
	assert.Equal(t, "3 steps remain for the next run; the first is "+list[0].name+"\n\n0 passed, 0 failed\n",
		out.String())
}

// Everything of seldom is part of nightly, and of the steps that -list shows.
func TestWhatIsLeftOutIsNightly(t *testing.T) {
	var out strings.Builder
	must(run([]string{"-nightly", "-list"}, &out))
	for _, s := range steps["seldom"] {
		assert.Contains(t, "\n"+out.String(), "\n"+s.name+" ")
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// TestLawTestsWithToolsAreRun: the step test names each test of a file with the tag tools, and none
// of them passes by being skipped. Of the tests without the tag a single one builds a program.
func TestLawTestsWithToolsAreRun(t *testing.T) {
	root := must(findRoot())
	pattern, dirs, _ := strings.Cut(strings.TrimPrefix(words["needtools"], "-run="), " ")
	seen, building := 0, 0
	walk(t, root, func(name string) {
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/tools") {
			return
		}
		text := string(must(os.ReadFile(filepath.Join(root, name))))
		if head, _, _ := strings.Cut(text, "package "); !strings.Contains(head, "tools") {
			building += strings.Count(text, "worldtest."+"Go(")
			return
		}
		assert.NotContains(t, text, ".Skip", name)
		assert.Contains(t, strings.Fields(dirs), "./"+filepath.ToSlash(filepath.Dir(name)), name)
		for _, test := range testFunc.FindAllStringSubmatch(text, -1) {
			seen++
			assert.Regexp(t, pattern, test[1], name)
		}
	})
	assert.Equal(t, 1+strings.Count(pattern, "|"), seen)
	assert.Equal(t, 1, building, "the tests with "+"worldtest.Go, for which Go compiles programs")
}
