package main

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSectionsNamesAndCommentsAreRead(t *testing.T) {
	sections, words := parse("# A comment.\na = b -run=^$ # another\n\n== one\n# why\ns: does: this\n" +
		"\twhere x y\n\tcd d && $a c # last\n\te\nt: nothing\n== two\nu: -\n\tf\n")
	assert.Equal(t, map[string]string{"a": "b -run=^$"}, words)
	assert.Equal(t, map[string][]step{
		"one": {
			{name: "s", does: "does: this", where: "x y", lines: []string{"cd d && $a c", "e"}},
			{name: "t", does: "nothing"},
		},
		"two": {{name: "u", does: "-", lines: []string{"f"}}},
	}, sections)
}

func TestLinesBecomeCommands(t *testing.T) {
	c := &check{root: "root", temp: "temp"}
	cmd, shown, err := c.prepare("cd cmd && $js A=b=c go $TEMP -run=^A$|^B$ x=y $alike")
	require.NoError(t, err)
	assert.Equal(t, []string{
		"go", "temp", "-run=^A$|^B$", "x=y", "-short", strings.Fields(words["alike"])[1],
	}, cmd.Args)
	assert.Equal(t, filepath.Join("root", "cmd"), cmd.Dir)
	assert.Equal(t, []string{"CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm", "A=b=c"},
		cmd.Env[len(cmd.Env)-4:])
	assert.Contains(t, shown, "cd cmd && GOOS=js GOARCH=wasm A=b=c go temp -run")
	_, _, err = c.prepare("go $UNKNOWN")
	require.ErrorContains(t, err, "does not define $UNKNOWN")
}

var (
	packageWord = regexp.MustCompile(`(?:^|\s)(\./[\w./]+)`)
	name        = regexp.MustCompile(`\$([a-z]\w*)`)
)

// TestLawStepsNameWhatIsThere: packages that a step names exist, and so do the names that it uses.
func TestLawStepsNameWhatIsThere(t *testing.T) {
	seen := 0
	for section, list := range steps {
		require.Contains(t, []string{"gate", "seldom", "nightly"}, section)
		for _, s := range list {
			assert.Equal(t, section == "seldom", s.where != "", s.name)
			assert.NotEmpty(t, s.lines, s.name)
			for _, line := range s.lines {
				line = expand(line)
				assert.NotRegexp(t, name, line)
				dir, rest, found := strings.Cut(strings.TrimPrefix(line, "cd "), " && ")
				if !found {
					dir, rest = ".", line
				}
				for _, m := range packageWord.FindAllStringSubmatch(rest, -1) {
					seen++
					folder := path.Join(dir, strings.TrimSuffix(m[1], "..."))
					assert.NotEmpty(t, glob(t, folder), "%s: %s", s.name, line)
				}
			}
		}
	}
	assert.Greater(t, seen, 100)
	assert.Equal(t, "laws", steps["gate"][0].name, "-quick begins with it")
}

// TestLawEveryModuleIsLinted: those of go.work together, each other by a line of its own.
func TestLawEveryModuleIsLinted(t *testing.T) {
	root := must(findRoot())
	c := &check{root: root}
	modules := must(c.modules())
	work := must(c.word("WORK", ""))
	lint := must(choose(steps["nightly"], "lintall"))
	for _, dir := range modules {
		together := strings.Contains(" "+strings.Join(strings.Fields(work), " ")+" ", " ./"+
			path.Join(dir, "...")+" ")
		alone := strings.Contains(expand(strings.Join(lint[0].lines, "\n")), "cd "+dir+" && ")
		assert.NotEqual(t, together, alone, dir)
	}
}
