package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leastComments is the least share of comments in Go's lines, in percent.
const leastComments = 15

// areas are the areas of budgets.txt that count Go without tests, and their folders. A file belongs
// to the first area that fits.
var areas = []struct {
	name string
	dirs []string
}{
	{"heart", []string{
		"layout/...", "buffer/...", "gameobject/...", "manager/...", "systems/...", "unsafeutil/...",
	}},
	{"world", []string{"world/..."}},
	{"cmd", []string{"cmd/..."}},
	{"bench", []string{"bench/..."}},
}

// others are the areas of budgets.txt that count lines by the ends of their files' names.
var others = map[string]string{
	".js": "javascript", ".mjs": "javascript", ".html": "html", ".css": "html", ".s": "assembly",
}

// generatedMark is what Go agrees on for generated files.
var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// A tally has the lines of each area, and of Go without tests all lines and those with comments.
type tally struct {
	lines     map[string]int
	code      int
	commented int
}

// count adds the file of a name. Generated Go counts in its area and as generated.
func (c *tally) count(name string, text []byte) {
	lines := bytes.Count(text, []byte("\n"))
	if area, ok := others[path.Ext(name)]; ok {
		c.lines[area] += lines
		return
	}
	if path.Ext(name) != ".go" {
		return
	}
	if strings.HasSuffix(name, "_test.go") {
		c.lines["tests"] += lines
		return
	}
	c.code += lines
	c.commented += comments(text)
	if generatedMark.Match(text) {
		c.lines["generated"] += lines
	}
	for _, area := range areas {
		if anyCovers(area.dirs, path.Dir(name)) {
			c.lines[area.name] += lines
			return
		}
	}
}

// comments counts the lines on which a comment stands, alone or behind code.
func comments(text []byte) (lines int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	counted := 0 // the last line that is
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.COMMENT {
			last := file.Line(pos) + strings.Count(literal, "\n")
			lines += last - max(file.Line(pos)-1, counted)
			counted = last
		}
	}
}

// tallyOf counts the files of a tree.
func tallyOf(t *testing.T, root string) *tally {
	t.Helper()
	c := &tally{lines: map[string]int{}}
	walk(t, root, func(name string) {
		text := must(os.ReadFile(filepath.Join(root, name)))
		c.count(name, text)
	})
	return c
}

// table reads a file of rows: a name and numbers. A # begins a comment.
func table(t *testing.T, text string, numbers int) map[string][]int {
	t.Helper()
	rows := map[string][]int{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		cells := strings.Fields(line)
		if len(cells) == 0 {
			continue
		}
		require.Len(t, cells, 1+numbers, line)
		require.NotContains(t, rows, cells[0], "stands there twice")
		for _, cell := range cells[1:] {
			n, err := strconv.Atoi(cell)
			require.NoError(t, err, line)
			rows[cells[0]] = append(rows[cells[0]], n)
		}
	}
	return rows
}

// overBudget lists what is above its budget, and what has none; free lists where 3 % are free.
func overBudget(c *tally, budgets map[string][]int) (over, free []string) {
	for area, budget := range budgets {
		switch lines := c.lines[area]; {
		case lines > budget[0]:
			over = append(over, fmt.Sprintf("%s has %d lines, %d above its budget; remove as many, or raise "+
				"budgets.txt and say in the commit's message what became superfluous elsewhere",
				area, lines, lines-budget[0]))
		case lines < budget[0]-budget[0]*3/100:
			free = append(free, fmt.Sprintf("%s has %d lines of %d; lower its budget", area, lines, budget[0]))
		}
	}
	for area := range c.lines {
		if budgets[area] == nil {
			over = append(over, area+" has no budget; give it a line in budgets.txt")
		}
	}
	if c.commented*100 < c.code*leastComments {
		over = append(over, fmt.Sprintf("%d of %d lines of Go have comments; %d %% must",
			c.commented, c.code, leastComments))
	}
	return over, free
}

// TestLawBudgets: no area has more lines than budgets.txt grants. Run with -v, it prints the lines
// of each, and where a budget is to be lowered.
func TestLawBudgets(t *testing.T) {
	root := must(findRoot())
	budgets := table(t, read(t, "cmd/check/budgets.txt"), 1)
	c := tallyOf(t, root)
	over, free := overBudget(c, budgets)
	assert.Empty(t, over)
	t.Logf("lines: %v; comments: %d of %d", c.lines, c.commented, c.code)
	for _, area := range free {
		t.Log(area)
	}
}

func TestBudgetsCount(t *testing.T) {
	c := &tally{lines: map[string]int{}}
	for name, text := range map[string]string{
		"manager/a.go":             "// A comment.\npackage manager\n",
		"manager/a_test.go":        "package manager\n",
		"world/portal.go":          "// Code generated by cmd/portal. DO NOT EDIT.\n\npackage world\n",
		"world/save/a.go":          "package save\n\n/* two\nlines */\nvar a = `\n// text\n` /* 1 */ /* 2 */\n",
		"buffer/exact/a.go":        "package exact\n",
		"cmd/web/page.js":          "a\nb\n",
		"cmd/web/page.html":        "a\n",
		"cmd/web/page.css":         "a\n",
		"buffer/kernel/a_amd64.s":  "a\n",
		"bench/main.go":            "package main /* at\nthe end */\n",
		"docs/PERFORMANCE.md":      "a\n",
		"cmd/flatecs/main_test.go": "package main\n",
	} {
		c.count(name, []byte(text))
	}
	assert.Equal(t, map[string]int{
		"heart": 3, "world": 10, "bench": 2, "tests": 2, "javascript": 2, "html": 2, "assembly": 1,
		"generated": 3,
	}, c.lines)
	assert.Equal(t, 15, c.code)
	assert.Equal(t, 7, c.commented)
}

func TestBudgetsAreSeenToBeExceeded(t *testing.T) {
	for name, c := range map[string]struct {
		lines      int
		comments   int
		over, free string
	}{
		"full":            {100, 20, "", ""},
		"one line more":   {101, 20, "heart has 101 lines, 1 above its budget", ""},
		"a little free":   {97, 20, "", ""},
		"3 % free":        {96, 20, "", "heart has 96 lines of 100; lower"},
		"enough comments": {100, 15, "", ""},
		"few comments":    {100, 14, "14 of 100 lines of Go have comments", ""},
	} {
		t.Run(name, func(t *testing.T) {
			of := &tally{lines: map[string]int{"heart": c.lines}, code: 100, commented: c.comments}
			over, free := overBudget(of, map[string][]int{"heart": {100}})
			assert.Equal(t, c.over == "", over == nil, over)
			assert.Equal(t, c.free == "", free == nil, free)
			assert.Contains(t, strings.Join(over, "\n"), c.over)
			assert.Contains(t, strings.Join(free, "\n"), c.free)
		})
	}
	over, _ := overBudget(&tally{lines: map[string]int{"heart": 1}}, nil)
	assert.Equal(t, []string{"heart has no budget; give it a line in budgets.txt"}, over)
}
