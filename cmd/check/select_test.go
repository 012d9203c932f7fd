package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plantedTree is a repository with two commits, of which the first has landed.
func plantedTree(t *testing.T) (c *check, write func(name, text string), commit func() string) {
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
		head, err := c.ask("git rev-parse HEAD")
		require.NoError(t, err)
		return head
	}
	require.NoError(t, c.command("git init -q"))
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
	landed := commit()
	write(landedFile, landed)
	commit()
	return c, write, commit
}

// A planted change selects the steps that look at it, committed or not.
func TestWhatDiffersFromWhatLandedIsSelected(t *testing.T) {
	c, write, commit := plantedTree(t)
	for file, want := range map[string]string{
		"manager/a.go":              "",
		"bench/a.go":                "",
		"cmd/check/a.go":            "",
		"cmd/render/png/a.go":       "",
		"go.mod":                    "release",
		"world/shard/go.mod":        "release",
		"cmd/tools/release/pack.go": "release",
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
			write(landedFile, head)
		})
	}
}

// A landed commit that is not named, is not there or is of another history selects everything.
func TestAnUnknownLandedCommitSelectsEverything(t *testing.T) {
	c, write, commit := plantedTree(t)
	all := func(why string) {
		chosen, left := c.differing(steps["seldom"])
		assert.Len(t, chosen, len(steps["seldom"]), why)
		assert.Empty(t, left, why)
	}
	chosen, _ := c.differing(steps["seldom"])
	require.Empty(t, chosen)

	write(landedFile, "\n")
	all("empty")
	write(landedFile, "0123456789012345678901234567890123456789\n")
	all("not in this clone")
	require.NoError(t, os.Remove(filepath.Join(c.root, landedFile)))
	all("no file")

	before, err := c.ask("git rev-parse HEAD")
	require.NoError(t, err)
	require.NoError(t, c.command("git checkout -q -b other HEAD~1"))
	write("manager/b.go", "other")
	commit()
	write(landedFile, before)
	all("of another branch")
}

// The tree's own commit that has landed is one that a whole clone has.
func TestTheLandedCommitIsNamed(t *testing.T) {
	assert.Regexp(t, `^[0-9a-f]{40}\n$`, read(t, landedFile))
}

// Everything of seldom is part of nightly, and of the steps that -list shows.
func TestWhatIsLeftOutIsNightly(t *testing.T) {
	var out strings.Builder
	_, err := run([]string{"-nightly", "-list"}, &out)
	require.NoError(t, err)
	for _, s := range steps["seldom"] {
		assert.Contains(t, "\n"+out.String(), "\n"+s.name+" ")
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// TestLawTestsWithToolsAreRun: the step test names each test of a file with the tag tools, and none
// of them passes by being skipped. Of the tests without the tag a single one builds a program.
func TestLawTestsWithToolsAreRun(t *testing.T) {
	root, err := findRoot()
	require.NoError(t, err)
	pattern, dirs, _ := strings.Cut(strings.TrimPrefix(words["needtools"], "-run="), " ")
	seen, building := 0, 0
	walk(t, root, func(name string) {
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/tools") {
			return
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text := string(source)
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
