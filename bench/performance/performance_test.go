package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const page = "# Page\n\n## One\n\nProse.\n\n```sh\necho '| 1 |'   # a table\necho two\n```\n\n" +
	begin + "\n\nold\n\n" + end + "\n\n## Two\n\n```sh\nfalse\n```\n\n" + begin + "\n\nkept\n\n" + end + "\n"

// planted is a tree with one page.
func planted(t *testing.T, text string) (name string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.work"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.md"), []byte(text), 0o644))
	t.Chdir(dir)
	return filepath.Join(dir, "page.md")
}

func TestThePageIsWrittenAfterEachPart(t *testing.T) {
	name := planted(t, page)
	var out, errs strings.Builder
	err := (&update{Page: "page.md"}).run(t.Context(), &out, &errs)
	require.ErrorContains(t, err, "Two: false: exit status 1")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\n"+begin+"\n\nA table:\n\n| 1 |\n\ntwo\n\n"+end+"\n")
	assert.NotContains(t, string(text), "old")
	assert.Equal(t, strings.Replace(page, "old", "A table:\n\n| 1 |\n\ntwo", 1), string(text))
	assert.Contains(t, errs.String(), " 50 %")
}

func TestOnlyAndList(t *testing.T) {
	planted(t, page)
	var out, errs strings.Builder
	require.ErrorContains(t, (&update{Page: "page.md", Only: []string{"Three"}}).
		run(t.Context(), &out, &errs), `nothing is measured under ["Three"]`)
	require.NoError(t, (&update{Page: "page.md", Only: []string{"Two"}, List: true}).
		run(t.Context(), &out, &errs))
	assert.Equal(t, "Two\n\tfalse\n", out.String())
}

func TestInterrupted(t *testing.T) {
	name := planted(t, page)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	require.ErrorIs(t, (&update{Page: "page.md"}).run(ctx, &out, &errs), context.Canceled)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, page, string(text))
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no command", begin + "\n" + end, "line 1: figures without a command"},
		{"prose between", "```sh\na\n```\nprose\n" + begin + "\n" + end, "line 5: figures without a"},
		{"another block", "```go\na\n```\n" + begin + "\n" + end, "line 4: figures without a command"},
		{"no end", "```sh\na\n```\n" + begin, "figures without an end"},
		{"no begin", end, "line 1: marks of figures stand in turn"},
		{"twice", "```sh\na\n```\n" + begin + "\n" + begin, "line 5: marks of figures stand in turn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parts(strings.Split(c.text, "\n"))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestBenchmarksBecomeATableOfMedians(t *testing.T) {
	got := figures(`goos: linux
cpu: Some Processor @ 2 GHz
BenchmarkFused/1000/0-2     100   30.0 ns/op   1.5 ns/object   0 allocs/op
BenchmarkFused/1000/0-2     100   10.0 ns/op   1.5 ns/object   0 allocs/op
BenchmarkFused/1000/0-2     100   20.0 ns/op   1.7 ns/object   0 allocs/op
BenchmarkOther         	 7  123456 ns/op
PASS
`)
	assert.Regexp(t, `^On Some Processor @ 2 GHz, \d+ cores; Go `, got)
	assert.Contains(t, got, `
| benchmark | ns/op | ns/object | allocs/op |
|---|---:|---:|---:|
| `+"`Fused/1000/0`"+` | 20.0 | 1.50 | 0.00 |
| `+"`Other`"+` | 123,456 |  |  |
`)
}

// The page itself has parts, and none of its commands is misspelt as to what it runs.
func TestThePageOfThisTree(t *testing.T) {
	found, err := readParts("../../docs/PERFORMANCE.md")
	require.NoError(t, err)
	assert.Greater(t, len(found), 10)
	for _, p := range found {
		for _, command := range p.commands {
			for field := range strings.FieldsSeq(command) {
				if dir, ok := strings.CutPrefix(field, "./"); ok {
					assert.DirExists(t, filepath.Join("..", "..", dir), command)
				}
			}
		}
	}
}
