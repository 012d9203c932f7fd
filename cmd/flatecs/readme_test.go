package main

import (
	"bytes"
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
	readme := world.Must(os.ReadFile("../../README.md"))
	examples := world.Must(os.ReadFile("../../docs/GALLERY.md"))
	lines := drawing.FindAllStringSubmatch(string(readme)+string(examples), -1)
	if len(lines) != 8 {
		t.Errorf("%d command lines", len(lines))
	}
	for _, line := range lines {
		name := line[1] + "." + line[2]
		if line[3] != "" {
			name = line[3] + ".gif"
		}
		path := filepath.Join(t.TempDir(), name)
		played(t, line[0]+" --out "+path)
		got, err := os.ReadFile(path)
		want, errWant := os.ReadFile("../../docs/pictures/" + name)
		if err != nil || errWant != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/pictures/%s is not what %q makes: %v, %v", name, line[0], err, errWant)
		}
	}
}

// compiles is how many packages the README says that Go compiles for a command.
var compiles = regexp.MustCompile(`compiles (\d+) packages(, once| more)`)

// The README's two commands compile about as many packages as it says, the first one few.
func TestPackagesOfTheReadme(t *testing.T) {
	const near, few = 5, 125
	readme := world.Must(os.ReadFile("../../README.md"))
	said := compiles.FindAllStringSubmatch(string(readme), -1)
	if len(said) != 2 || said[0][2] != ", once" || said[1][2] != " more" {
		t.Fatalf("the README says %q", said)
	}
	count := func(command string) int {
		list := world.Must(exec.Command("go", "list", "-deps", "../"+command).Output())
		return strings.Count(string(list), "\n")
	}
	first := count("heroes")
	for i, n := range []int{first, count("flatecs") - first} {
		if number, _ := strconv.Atoi(said[i][1]); max(number-n, n-number) > near {
			t.Errorf("the README says %q; it is %d", said[i][0], n)
		}
	}
	if first > few {
		t.Errorf("the first command compiles %d packages; leave out what it does not use", first)
	}
}

// The README's first program, as the commands below it write and run it.
func TestTheProgramOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module of its own")
	}
	readme := world.Must(os.ReadFile("../../README.md"))
	_, section, _ := strings.Cut(string(readme), "## A first program")
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(section)
	commands := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	if program == nil || commands == nil || !strings.Contains(commands[1], "../mygame") {
		t.Fatal("no program, or no commands")
	}
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
	if err != nil || !strings.Contains(string(out), "./...\n"+want+"\nok ") {
		t.Errorf("%v: %q, want %q\n%s", err, out, want, &problems)
	}
	doc := world.Must(os.ReadFile("../../doc.go"))
	require.Contains(t, regexp.MustCompile(`(?m)^//\t?`).ReplaceAllString(string(doc), ""), program[1])
	written, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil || string(written) != program[1] {
		t.Errorf("main.go is not the README's program: %v\n%s", err, written)
	}
}

func TestNewRefusesFolders(t *testing.T) {
	there, none := t.TempDir(), filepath.Join(t.TempDir(), "none")
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
		assert.NoDirExists(t, none)
	}
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
	agents := world.Must(balloons.ReadFile("balloons/AGENTS.md"))
	assert.LessOrEqual(t, strings.Count(string(agents), "\n"), 60)
	test := world.Must(balloons.ReadFile("balloons/main_test.go"))
	assert.Contains(t, string(test), library+"/world/save", "docs/START.md saves, without go mod tidy")
}
