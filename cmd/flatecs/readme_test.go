package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// drawing is a command line of the README that makes one of its pictures.
var drawing = regexp.MustCompile("run (\\w+) --render (gif|png) [^`\n]+|fork (\\w+)")

// The command lines of the README and of GALLERY make their pictures.
func TestPicturesOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 100,000 heroes for two seconds")
	}
	pages := content("../../README.md") + content("../../docs/GALLERY.md")
	lines := drawing.FindAllStringSubmatch(pages, -1)
	assert.Len(t, lines, 8)
	for _, line := range lines {
		name := line[1] + "." + line[2]
		if line[3] != "" {
			name = line[3] + ".gif"
		}
		path := filepath.Join(t.TempDir(), name)
		played(t, line[0]+" --out "+path)
		assert.Zero(t, strings.Compare(content("../../docs/pictures", name), content(path)),
			"docs/pictures/%s is not what %q makes", name, line[0])
	}
}

// compiles is how many packages the README says that Go compiles for a command.
var compiles = regexp.MustCompile(`compiles (\d+) packages(, once| more)`)

// The README's two commands compile about as many packages as it says, the first one few.
func TestPackagesOfTheReadme(t *testing.T) {
	const near, few = 5, 125
	said := compiles.FindAllStringSubmatch(content("../../README.md"), -1)
	require.Len(t, said, 2)
	require.Equal(t, []string{", once", " more"}, []string{said[0][2], said[1][2]})
	count := func(command string) int {
		list := world.Must(exec.Command("go", "list", "-deps", "../"+command).Output())
		return strings.Count(string(list), "\n")
	}
	first := count("heroes")
	for i, n := range []int{first, count("flatecs") - first} {
		assert.InDelta(t, n, world.Must(strconv.Atoi(said[i][1])), near, said[i][0])
	}
	assert.LessOrEqual(t, first, few, "the first command compiles more; leave out what it does not use")
}

// The README's first program, as the commands below it write and run it.
func TestTheProgramOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module of its own")
	}
	_, section, _ := strings.Cut(content("../../README.md"), "## A first program")
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(section)
	commands := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	require.NotNil(t, program)
	require.NotNil(t, commands)
	require.Contains(t, commands[1], "../mygame")
	dir := filepath.Join(t.TempDir(), "mygame")
	lines := strings.ReplaceAll(commands[1], "../mygame", strconv.Quote(dir))
	shell := exec.Command("sh", "-ec", lines+"go test .\n"+vetLine)
	shell.Dir = "../.."
	shell.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=")
	var problems strings.Builder
	shell.Stderr = &problems
	out, err := shell.Output()
	_, want, _ := strings.Cut(program[1], "// Output: ")
	want, _, _ = strings.Cut(want, "\n")
	require.NoError(t, err, &problems)
	assert.Contains(t, string(out), "./...\n"+want+"\nok ", &problems)
	doc := regexp.MustCompile(`(?m)^//\t?`).ReplaceAllString(content("../../doc.go"), "")
	require.Contains(t, doc, program[1])
	assert.Equal(t, program[1], content(dir, "main.go"))
}

func TestNewRefusesFolders(t *testing.T) {
	there := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(there, "mine.txt"), nil, 0o600))
	for dir, want := range map[string]string{
		there:                                  "is not empty; name a new folder",
		"game":                                 "name a folder outside, such as ../mygame",
		filepath.Join(t.TempDir(), "a b"):      `"a b" is not a name for a module`,
		filepath.Join(t.TempDir(), "-", "..."): "use letters, digits, - and _",
	} {
		r := playArgs("new", dir)
		assert.Equal(t, 1, r.code, dir)
		assert.Empty(t, r.out)
		assert.Contains(t, r.err, want)
		assert.NoDirExists(t, "game")
	}
}

// What fails after folders were made leaves none of them.
func TestNewLeavesNoFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOPROXY", "off") // go mod tidy finds nothing
	t.Setenv("GOMODCACHE", t.TempDir())
	r := playArgs("new", filepath.Join(dir, "x", "y", "game"))
	require.Equal(t, 1, r.code)
	require.Contains(t, r.err, "which is removed again")
	require.NoDirExists(t, filepath.Join(dir, "x"))
	require.DirExists(t, dir)
}

// A game's folder may be called as anything that Go has, and the checkout may lie anywhere.
func TestNewWritesGoMod(t *testing.T) {
	root := world.Must(filepath.Abs("../.."))
	for _, name := range []string{"mygame", "time", "go"} {
		text := world.Must(moduleFor(t.Context(), filepath.Join(filepath.Dir(root), name)))
		assert.Contains(t, text, "module example.com/"+name+"\n")
		assert.Contains(t, text, "\t"+library+" => ../"+filepath.Base(root)+"\n")
		assert.Contains(t, text, "\t"+vetTool+" => ../"+filepath.Base(root)+"/cmd/vet\n")
	}
	assert.Equal(t, "\ta => \"../my games/flatecs\"\n", replaced("a", "/b/c", "/b/my games/flatecs"))
	assert.LessOrEqual(t, strings.Count(content("balloons/AGENTS.md"), "\n"), 60)
	assert.Contains(t, content("balloons/main_test.go"), library+"/world/save",
		"docs/START.md saves, without go mod tidy")
}
