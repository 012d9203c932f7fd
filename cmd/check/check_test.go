package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
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
	assert.True(t, must(run([]string{"-list"}, &out)))
	for _, name := range []string{"laws ", "lint ", "race ", "fuzz "} {
		assert.Contains(t, "\n"+out.String(), "\n"+name)
	}
}

// TestChangesReachWhatImportsThem: what is looked at is what was changed, and the packages that
// import it, in their tests too.
func TestChangesReachWhatImportsThem(t *testing.T) {
	const module = "example.com/a/"
	c, write, commit := newTree(t)
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
	commit()
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

	lint := func() []string { return must(c.lintSince("HEAD")) }
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
	commit()
	write("manager/m.go", "package manager // other\n")
	write("cmd/tools/go.mod", "module example.com/a/cmd/tools // other\n")
	assert.Equal(t, []string{
		"$lint ./manager", "$LINTER run --build-tags=ecsdebug ./manager", "$tools $lint ./...",
	}, lint())
}

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

// TestLawEveryModuleIsLinted: the modules of go.work together, each other module by a line of its
// own.
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

// exits are command lines of the programs that read any, in a folder outside the tree, by their
// exit status: 2 is wrong usage, 1 another failure.
var exits = map[int]string{
	0: "bench --list,check -h,flatecs --version,heroes -h,shard --help,site --help",
	1: "bench --only random --out /dev/null/x,flatecs verify none,portal,site --out x," +
		"heroes -count -1,same -ticks 0,shard model --shards 0",
	2: "arena -x,bench --x,bench x,bench --only x,bench --sizes 0,check -x,check x,flatecs x," +
		"flatecs run heroes --frames -1,heroes -x,heroes x,portal -x,portal x,same -x,shard,shard x," +
		"site --x",
}

func TestWrongUsageEndsWith2AndAFailureWith1(t *testing.T) {
	if testing.Short() {
		t.Skip("links all programs that read a command line")
	}
	root := must(findRoot())
	dir := t.TempDir()
	ask := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		return string(must(cmd.Output()))
	}
	build := []string{"build", "-ldflags=-s -w", "-o", dir + "/"}
	for line := range strings.Lines(ask("list", "-f", "{{if eq .Name `main`}}{{.ImportPath}} "+
		"{{range .Imports}}{{.}} {{end}}{{end}}", "./cmd/...", "./cmd/shard/...", "./bench/...")) {
		if name, imports, _ := strings.Cut(line, " "); strings.Contains(imports, "/kong ") ||
			strings.Contains(" "+imports, " flag ") {
			build = append(build, name)
			assert.Contains(t, ","+exits[2], ","+path.Base(name)+" ", "it has no row")
		}
	}
	ask(build...)
	for want, lines := range exits {
		for line := range strings.SplitSeq(lines, ",") {
			words := strings.Fields(line)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			cmd.Dir = dir
			said, _ := cmd.CombinedOutput()
			assert.Equal(t, want, cmd.ProcessState.ExitCode(), "%s: %s", line, said)
		}
	}
}

// TestTidy looks at a copy of each module's go.mod that finds the tree's other modules: go mod tidy
// reads no go.work.
func TestTidy(t *testing.T) {
	if os.Getenv("FLATECS_TIDY") == "" {
		t.Skip("downloads what the tests of dependencies need")
	}
	root := must(findRoot())
	c := &check{root: root, temp: t.TempDir()}
	modules := must(c.modules())
	name := must(c.ask("GOWORK=off go list -m"))
	replace := ""
	for _, dir := range modules {
		replace += fmt.Sprintf("\nreplace %s => %q", path.Join(strings.TrimSpace(name), dir),
			filepath.Join(root, dir))
	}
	for _, dir := range modules {
		mod := must(os.ReadFile(filepath.Join(root, dir, "go.mod")))
		sum, _ := os.ReadFile(filepath.Join(root, dir, "go.sum")) // if there is one
		mod = append(mod, replace...)
		require.NoError(t, os.WriteFile(filepath.Join(c.temp, "tidy.mod"), mod, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(c.temp, "tidy.sum"), sum, 0o600))
		c.out.Reset()
		assert.NoError(t, c.command("cd "+dir+" && GOWORK=off go mod tidy -diff -modfile=$TEMP/tidy.mod"), &c.out)
	}
}

const foundingPage = "docs/FOUNDING.md"

var (
	foundingRow = regexp.MustCompile(`(?m)^\| ([A-E]\d+) \|.*\|$`)
	symbol      = regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*(?:\\.[A-Z]\\w*)?)`")
)

// homes are the packages whose calls the page names.
var homes = map[string]string{
	"world": "world", "layout": "layout", "manager": "manager", "mask": "layout/mask",
	"tool": "systems/tool", "schedule": "world/schedule", "stage": "world/stage",
	"memory": "world/memory", "systems": "systems", "heroes": "world/heroes",
}

// TestLawFoundingRows: every row of the founding documents has a line, a call that there is, and a
// test of its name.
func TestLawFoundingRows(t *testing.T) {
	root := must(findRoot())
	tests, names := seedTests(t, root), map[string]map[string]bool{}
	for home, dir := range homes {
		names[home] = declared(t, dir)
	}
	for name := range declared(t, "systems") {
		names["world"][name] = names["world"][name] || strings.Contains(name, ".") // of an alias
	}
	var rows []string
	for _, row := range foundingRow.FindAllStringSubmatch(read(t, foundingPage), -1) {
		rows = append(rows, row[1])
		cells := strings.Split(row[0], "|") // "", row, what, there, here, test, ""
		require.Len(t, cells, 7, row[1])
		test := strings.Trim(cells[5], " `")
		assert.True(t, strings.HasPrefix(test, "TestSeed_"+row[1]+"_"), "%s: %s is of another", row[1], test)
		assert.True(t, tests[test], "%s: there is no test %s", row[1], test)
		for _, s := range symbol.FindAllStringSubmatch(cells[4], -1) {
			assert.True(t, names[s[1]][s[2]], "%s: there is no %s.%s", row[1], s[1], s[2])
		}
	}
	var want []string
	for i, n := range []int{21, 15, 8, 9, 10} {
		for row := range n {
			want = append(want, fmt.Sprintf("%c%d", "DABCE"[i], row+1))
		}
	}
	assert.Equal(t, want, rows)
}

// seedTests are the names of all tests of rows.
func seedTests(t *testing.T, root string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (TestSeed_\w+)\(`)
	walk(t, root, func(file string) {
		if strings.HasSuffix(file, "_test.go") {
			for _, m := range name.FindAllStringSubmatch(read(t, file), -1) {
				found[m[1]] = true
			}
		}
	})
	return found
}

// declared are the exported names of a package: Name, and Type.Method.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	p := must(source.Read(token.NewFileSet(), os.DirFS("../.."), dir))
	found := map[string]bool{}
	for _, name := range exported(p) {
		found[name] = true
	}
	for _, of := range p.Types {
		for _, m := range of.Methods {
			found[source.Name(m)] = true
		}
	}
	return found
}

// exported returns the names that a package exports: constants, variables, functions and types.
func exported(p *source.Package) (names []string) {
	values := slices.Concat(p.Consts, p.Vars)
	functions := p.Funcs
	for _, t := range p.Types {
		names = append(names, t.Name)
		values = append(append(values, t.Consts...), t.Vars...)
		functions = append(functions, t.Funcs...)
	}
	for _, v := range values {
		names = append(names, v.Names...)
	}
	for _, f := range functions {
		names = append(names, f.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}
