package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	onlyStep = regexp.MustCompile("-only (\\w+)`")
	runTest  = regexp.MustCompile("go test [^`|]*-run=\\^?(\\w+)[^`|]* \\./([\\w/]+)")
)

// The page is one screen, and its commands exist: steps of the check, and tests, in a package that
// has them. TestLawCommandsOfPagesExist looks at packages.
func TestLawQualityNamesWhatThereIs(t *testing.T) {
	text := read(t, qualityPage)
	assert.LessOrEqual(t, strings.Count(text, "\n"), 60, "one screen")
	assert.Empty(t, strangers(t, text))
	assert.Greater(t, len(onlyStep.FindAllString(text, -1)), 12)
	for _, page := range []string{"README.md", "CONTRIBUTING.md"} {
		assert.Contains(t, read(t, page), "docs/QUALITY.md")
	}
}

// strangers are the commands of a page that name no step and no test.
func strangers(t *testing.T, text string) (found []string) {
	t.Helper()
	for _, m := range onlyStep.FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(slices.Concat(steps["gate"], steps["seldom"], steps["nightly"]),
			func(s step) bool { return s.name == m[1] }) {
			found = append(found, m[0])
		}
	}
	for _, m := range runTest.FindAllStringSubmatch(text, -1) {
		all := ""
		for _, name := range glob(t, m[2]+"/*_test.go") {
			all += read(t, name)
		}
		if !strings.Contains(all, "\nfunc "+m[1]) {
			found = append(found, m[0])
		}
	}
	return found
}

func TestCommandsThatDoNotExistAreSeen(t *testing.T) {
	assert.Equal(t, []string{"-only none`", "go test -run=TestNone ./cmd/check"}, strangers(t,
		"`go run ./cmd/check -only none` `go run ./cmd/check -nightly -only fuzz`\n"+
			"`go test -run=TestNone ./cmd/check` `go test -run=TestLaw ./cmd/check`\n"))
}

func TestTicksAreAddedUp(t *testing.T) {
	assert.Equal(t, 176_052, sumTicks([]byte("$ flatecs hunt\nhunt: 164662 ticks in 246 runs\n"+
		"hunt: 11390 ticks in 18 runs from 10 states\n10000 of 100000 ticks, 1.7 s\n")))
}

// Rows with a step get its last pass, whatever was there; all else stays.
func TestQualityIsFilledIn(t *testing.T) {
	const page = "# Q\n\n| a | `x -only fuzz` | 1 |\n| b | `x -only race` | 2 |\n| c | `d` | e |\n" +
		"| f | `x -only hunts` | |\n"
	nights := map[string][]string{
		"fuzz":  {"fuzz", "0123456789abcdef", "2026-11-28", "378"},
		"hunts": {"hunts", "0123456789abcdef", "2026-11-29", "0", "ticks=174052"},
	}
	want := "# Q\n\n| a | `x -only fuzz` | 2026-11-28, 01234567, 378 s |\n" +
		"| b | `x -only race` | not recorded |\n| c | `d` | e |\n" +
		"| f | `x -only hunts` | 2026-11-29, 01234567, ticks 174052 |\n"
	assert.Equal(t, want, fillQuality(page, nights))
	require.Equal(t, want, fillQuality(want, nights), "again")
}
