package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// figuresPage is the page whose figures stand between marks, below their commands.
const figuresPage = "docs/PERFORMANCE.md"

// A figure is a number with a unit or a fraction, or a table whose numbers stand to the right.
var figure = regexp.MustCompile(`\d\s?(?:ns|µs|ms|s|%|×|[KMG]B(?:/s)?|times)(?:\W|$)|×\s?\.?\d` +
	`|(?:^|[^\w.])\d*\.\d+(?:[^\w.]|$)|---:\|`)

var codeSpan = regexp.MustCompile("`[^`]*`")

// strayFigures lists the figures of the page that no command stands above.
func strayFigures(text string) (found []string) {
	inside, fenced, command := false, false, false
	for i, line := range strings.Split(text, "\n") {
		report := func(what string) {
			found = append(found, fmt.Sprintf("%s:%d: %s; put it between the marks below the "+
				"command that measures it", figuresPage, i+1, what))
		}
		switch {
		case line == "<!-- figures -->":
			if !command {
				report("figures without a command")
			}
			inside = true
		case line == "<!-- end of figures -->":
			inside, command = false, false
		case inside || line == "":
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			command = command && !fenced || line == "```sh"
		case fenced:
		default:
			command = false
			if f := figure.FindString(codeSpan.ReplaceAllString(line, "")); f != "" {
				report(fmt.Sprintf("%q is a figure", strings.TrimSpace(f)))
			}
		}
	}
	return found
}

func TestLawFiguresHaveCommands(t *testing.T) {
	root := must(findRoot())
	page := must(os.ReadFile(filepath.Join(root, figuresPage)))
	assert.Empty(t, strayFigures(string(page)))
}

func TestStrayFigures(t *testing.T) {
	const marked = "```sh\ngo test\n```\n\n<!-- figures -->\n\n3 ns\n\n<!-- end of figures -->\n"
	cases := []struct {
		name string
		text string
		want []string
	}{
		{"none", "One of 1,024 objects, in Ark 0.8.3, of `1.5 ns`.\n", nil},
		{"below a command", marked, nil},
		{"in a block", "```sh\nsleep 1.5 # 3 ns\n```\n", nil},
		{"a time", "It takes 3 ns.\n", []string{"docs/PERFORMANCE.md:1: \"3 ns.\" is a figure"}},
		{"a fraction", "It is .97 of it.\n", []string{":1: \".97\" is a figure"}},
		{"times", marked + "\n1.9 times\n", []string{":11: \"1.9\" is a figure"}},
		{"a ratio", "3 × Ark\n", []string{"is a figure"}},
		{"a share", "17 %\n", []string{"is a figure"}},
		{"a table", "| n | a |\n|---:|---:|\n", []string{":2: \"---:|\" is a figure"}},
		{
			"no command", "<!-- figures -->\n3 ns\n<!-- end of figures -->\n",
			[]string{":1: figures without a command"},
		},
		{
			"prose between", "```sh\na\n```\nthus\n<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":5: figures without a command"},
		},
		{
			"another block", "```go\na\n```\n<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":4: figures without a command"},
		},
		{
			"twice below one", marked + "<!-- figures -->\n<!-- end of figures -->\n",
			[]string{":10: figures without a command"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := strayFigures(c.text)
			require.Len(t, found, len(c.want))
			for i, want := range c.want {
				assert.Contains(t, found[i], want)
			}
		})
	}
}
