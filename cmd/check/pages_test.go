package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
)

// The pages that people read are held true here, but for their links, which the site follows, and
// for what the README's commands print, which cmd/flatecs runs.

// readPages returns the pages of the root and of docs/, by name.
func readPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, name := range append(glob(t, "*.md"), glob(t, "docs/*.md")...) {
		pages[name] = read(t, name)
	}
	return pages
}

// glob returns the files of the tree that a pattern fits.
func glob(t *testing.T, pattern string) (names []string) {
	t.Helper()
	root := must(findRoot())
	for _, file := range must(filepath.Glob(filepath.Join(root, pattern))) {
		names = append(names, filepath.ToSlash(must(filepath.Rel(root, file))))
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join(must(findRoot()), name))))
}

// testedCode are the sources that pages quote: examples, acts of the GUIDE, the game of EBITENGINE.
var testedCode = []string{
	"world/readme_test.go", "world/example*.go", "world/*/example*.go", "world/link/*/example*.go",
	"world/internal/pages/*/*_test.go", "cmd/acts/act[12]/*.go", "cmd/ebiten/*.go",
	"cmd/ebiten/balloons/*.go", "cmd/examples/blackbox/*.go", "cmd/gym/testdata/cartpole/*.go",
}

// sketched is the page whose Go blocks leave out what they are not about.
const sketched = "docs/RESTART.md"

var (
	goBlock  = regexp.MustCompile("(?s)```go\n(.*?)```")
	mainFunc = regexp.MustCompile(`(?m)^func main\(\) \{\n`)
	header   = regexp.MustCompile(`(?s)^package main\n\nimport \((.*?)\n\)\n`)
)

// Each Go block of the pages is in a tested source, line by line apart from indentation. A whole
// program is there without its package clause, with an Example for its main, and with its imports
// among the source's imports.
func TestLawPagesShowTestedCode(t *testing.T) {
	tested := ""
	for _, pattern := range testedCode {
		sources := glob(t, pattern)
		require.NotEmpty(t, sources, pattern)
		for _, source := range sources {
			tested += unindented(read(t, source))
		}
	}
	for page, text := range readPages(t) {
		if page == sketched {
			continue
		}
		for _, block := range goBlock.FindAllStringSubmatch(text, -1) {
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

// unindented returns the lines of text without the white space around each, and without empty lines
// around all of them.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// Pictures are shown somewhere, and small enough for a page.
func TestLawPicturesAreShown(t *testing.T) {
	all := ""
	for _, text := range readPages(t) {
		all += text
	}
	pictures := glob(t, "docs/pictures/*")
	require.NotEmpty(t, pictures)
	for _, picture := range pictures {
		assert.Contains(t, all, "pictures/"+filepath.Base(picture)+")")
		most := map[string]int{".gif": 1 << 20, ".png": 200 << 10, ".svg": 200 << 10}
		assert.LessOrEqual(t, len(read(t, picture)), most[filepath.Ext(picture)], picture)
	}
}

// goCommand is a command line that runs or tests what lies in the checkout.
var goCommand = regexp.MustCompile(
	`\bgo (?:run|test|build)(?: -[^ \n]+)* \./((?:cmd|bench|world)(?:/\w+)*)`)

// The commands that the pages name are in the tree.
func TestLawCommandsOfPagesExist(t *testing.T) {
	seen := 0
	for page, text := range readPages(t) {
		for _, m := range goCommand.FindAllStringSubmatch(text, -1) {
			seen++
			assert.NotEmpty(t, glob(t, m[1]), "%s: %s", page, m[0])
		}
	}
	assert.Greater(t, seen, 50)
}

// called finds a package of the library in a message, and what it is said to export.
var called = regexp.MustCompile(`(?:^|[^\w./])([a-z]\w*)\.([A-Z]\w*)`)

// Messages tell the reader to call what there is.
func TestLawMessagesNameWhatThereIs(t *testing.T) {
	names := map[string]map[string]bool{}
	for _, p := range must(source.ReadAll(os.DirFS("../.."))) {
		names[p.Name] = declared(t, p.Dir)
	}
	names["world"]["F"] = true // any system
	seen := 0
	walk(t, must(findRoot()), func(name string) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, m := range called.FindAllStringSubmatch(messages(t, name), -1) {
			if of := names[m[1]]; of != nil {
				seen++
				assert.True(t, of[m[2]], "%s: there is no %s.%s", name, m[1], m[2])
			}
		}
	})
	assert.Greater(t, seen, 50)
}

// messages returns the strings of a file.
func messages(t *testing.T, name string) string {
	t.Helper()
	var b strings.Builder
	var s scanner.Scanner
	text := read(t, name)
	s.Init(token.NewFileSet().AddFile(name, -1, len(text)), []byte(text), nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return b.String()
		case token.STRING:
			b.WriteString(lit + "\n")
		}
	}
}

// indexed are the packages whose index names everything that they export, with the least number of
// names. The index of systems leaves out names that world forwards.
var indexed = map[string]int{
	"systems": 150, "systems/tool": 35, "world": 100, "manager": 40, "gameobject": 5, "buffer": 10,
	"layout": 15, "world/session": 5, "world/link": 5, "world/replica": 20, "world/delta": 3, "world/save": 20, "world/inspect": 3,
	"world/heroes": 20, "systems/heroes": 10, "world/schedule": 15, "world/stage": 16, "world/history": 4,
	"world/memory": 12, "world/share": 10, "world/hand": 10, "world/random": 7, "world/lab": 30,
	"buffer/exact": 27, "buffer/exact/double": 8,
}

// forward finds what world forwards.
var forward = regexp.MustCompile(`(?m)^[^/\n]*\bsystems\.(\w+)`)

func TestLawIndexesNameEverything(t *testing.T) {
	var forwarded []string
	for _, m := range forward.FindAllStringSubmatch(read(t, "world/portal.go"), -1) {
		forwarded = append(forwarded, m[1])
	}
	for layer, least := range indexed {
		p := must(source.Read(token.NewFileSet(), os.DirFS("../.."), layer))
		names := exported(p)
		for _, name := range names {
			if layer != "systems" || !slices.Contains(forwarded, name) {
				assert.Contains(t, p.Doc, "["+name+"]", "%s/doc.go does not list it", layer)
			}
		}
		assert.GreaterOrEqual(t, len(names), least, layer)
		assert.True(t, layer != "layout" || len(names) <= 42, "three of them policies")
	}
}

var (
	aliasMethod = regexp.MustCompile(`(?m)^//   - (\w+\.\w+)\(`)
	anyMethod   = regexp.MustCompile(`\b[A-Z]\w+\.[A-Z]\w+`)
)

// What an alias hides is in the index too; of GameObject what programs seldom need is not.
func TestLawTheIndexNamesMethods(t *testing.T) {
	index, page := read(t, "world/doc.go"), read(t, "world/portal.go")
	seen := 0
	for _, m := range aliasMethod.FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "GameObject.") {
			seen++
			assert.Regexp(t, `\b`+m[1]+`\b`, index)
		}
	}
	assert.Greater(t, seen, 50)
	for _, m := range anyMethod.FindAllString(index, -1) {
		assert.Contains(t, page, "//   - "+m+"(", "the index names it")
	}
}

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
	page := must(os.ReadFile(filepath.Join(must(findRoot()), figuresPage)))
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
