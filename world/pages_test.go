package world_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// The pages whose Go code is shown here, and whose links are followed.
var pages = []string{
	"README.md", "CHANGELOG.md", "docs/GUIDE.md", "docs/ARCHITECTURE.md", "docs/RATIONALE.md",
	"docs/GLOSSARY.md", "docs/PERFORMANCE.md", "docs/PROFILING.md", "docs/FORMAT.md",
	"docs/INSPECTOR.md", "docs/BROWSER.md", "docs/COMING-FROM.md", "docs/HOWTO.md",
	"docs/EBITENGINE.md", "docs/SIMULATIONS.md",
}

var (
	anyBlock = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	goBlock  = regexp.MustCompile("(?s)```go\n(.*?)```")
	mainFunc = regexp.MustCompile(`(?m)^func main\(\) \{\n`)
	header   = regexp.MustCompile(`(?s)^package main\n\nimport \((.*?)\n\)\n`)
	link     = regexp.MustCompile(`\]\(([^\s:#")]+)(#[^)]*)?\)`)
)

// Each Go block of the pages is in readme_test.go, in another Example of this package, in a folder of
// internal/pages, in the acts that the GUIDE quotes, or in the game of EBITENGINE.md, line by line
// apart from indentation. A whole program is there without its
// package clause, with an Example for its main, and with its imports among ours.
func TestPagesShowTestedCode(t *testing.T) {
	acts, err := filepath.Glob("../cmd/acts/act[12]/*.go")
	require.NoError(t, err)
	examples := append(world.Must(filepath.Glob("example*.go")), world.Must(filepath.Glob("*/example*.go"))...)
	examples = append(examples, world.Must(filepath.Glob("internal/pages/*/*_test.go"))...)
	game := world.Must(filepath.Glob("../cmd/ebiten/*.go"))
	tested := ""
	for _, source := range slices.Concat(acts, game, examples, []string{"readme_test.go"}) {
		tested += unindented(read(t, filepath.Join("world", source)))
	}
	for _, page := range pages {
		for _, block := range goBlock.FindAllStringSubmatch(read(t, page), -1) {
			code := block[1]
			parts := mainFunc.Split(header.ReplaceAllString(code, ""), -1)
			if imports := header.FindStringSubmatch(code); imports != nil {
				parts = append(parts, strings.Split(strings.TrimSpace(imports[1]), "\n")...)
			}
			for _, part := range parts {
				if !strings.Contains(tested, unindented(part)) {
					t.Errorf("%s shows code that is not tested:\n%s", page, part)
				}
			}
		}
	}
}

func TestPagesLinkToFiles(t *testing.T) {
	for _, page := range pages {
		text := anyBlock.ReplaceAllString(read(t, page), "")
		for _, target := range link.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join("..", filepath.Dir(page), target[1]))
			require.NoError(t, err, "%s links to %s", page, target[1])
		}
	}
}

// Pictures are shown somewhere, and small enough for a page.
func TestPagesShowPictures(t *testing.T) {
	pictures, err := filepath.Glob("../docs/pictures/*")
	require.NoError(t, err)
	require.NotEmpty(t, pictures)
	all := ""
	for _, page := range pages {
		all += read(t, page)
	}
	for _, picture := range pictures {
		name := filepath.Base(picture)
		if !strings.Contains(all, "pictures/"+name+")") {
			t.Errorf("no page shows %s", name)
		}
		most := map[string]int64{".gif": 1 << 20, ".png": 200 << 10, ".svg": 200 << 10}[filepath.Ext(name)]
		if file, err := os.Stat(picture); err != nil || file.Size() > most {
			t.Errorf("%s: more than %d bytes, or %v", name, most, err)
		}
	}
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", page))
	require.NoError(t, err)
	return string(text)
}

// unindented returns the lines of text without the white space around each, and without empty lines
// around all of them.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}
