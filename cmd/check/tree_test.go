package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files is a small tree on disk: path to text.
type files map[string]string

// modules are the three that every planted tree has.
var modules = files{
	"go.work":      "go 1.26\n",
	"go.mod":       "module example.com/eco\n\ngo 1.26\n",
	"cmd/go.mod":   "module example.com/eco/cmd\n\ngo 1.26\n",
	"bench/go.mod": "module example.com/eco/bench\n\ngo 1.26\n",
}

// plant writes the modules and the given files to a directory of the test's own.
func plant(t *testing.T, given files) *tree {
	t.Helper()
	root := t.TempDir()
	for _, set := range []files{modules, given} {
		for name, text := range set {
			write(t, filepath.Join(root, filepath.FromSlash(name)), text)
		}
	}
	planted, err := loadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	return planted
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// thisTree reads the tree that the test itself stands in.
func thisTree(t *testing.T) *tree {
	t.Helper()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	here, err := loadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	return here
}

// rules are the steps that only read the tree. A cached pass does not see changes outside the
// cmd module, where the go command looks for none; the steps themselves are never cached.
var rules = map[string]func(*tree) []string{
	"laws":  brokenLaws,
	"style": overlong,
	"docs":  undocumented,
}

func TestThisTreeKeepsTheRules(t *testing.T) {
	here := thisTree(t)
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, problem := range rule(here) {
				t.Error(problem)
			}
		})
	}
}

// expect compares what a rule found with the wanted parts of its lines, in order.
func expect(t *testing.T, found, want []string) {
	t.Helper()
	if len(found) != len(want) {
		t.Fatalf("found %d problems, want %d:\n%s", len(found), len(want), strings.Join(found, "\n"))
	}
	for i := range want {
		if !strings.Contains(found[i], want[i]) {
			t.Errorf("problem %d is %q, which lacks %q", i, found[i], want[i])
		}
	}
}

func TestLoadTreeKnowsModulesAndSkipsWhatGoSkips(t *testing.T) {
	planted := plant(t, files{
		"world/world.go":             "package world\n",
		"cmd/check/main.go":          "package main\n",
		"cmd/tools/go.mod":           "module example.com/eco/cmd/tools\n",
		"cmd/tools/gen/main.go":      "package main\n",
		"world/testdata/bad.go":      "not Go",
		"world/_scratch/bad.go":      "not Go",
		".hidden/bad.go":             "not Go",
		"cmd/node_modules/x/bad.go":  "not Go",
		"buffer/kernel/add_amd64.s":  "TEXT",
		"world/half.go":              "package world\nfunc",
		"commander/not_in_cmd_go.go": "package commander\n",
	})
	got := map[string]string{}
	for _, s := range planted.sources {
		got[s.path] = s.module
	}
	want := map[string]string{
		"world/world.go":             ".",
		"world/half.go":              ".",
		"cmd/check/main.go":          "cmd",
		"cmd/tools/gen/main.go":      "cmd/tools",
		"commander/not_in_cmd_go.go": ".",
	}
	if len(got) != len(want) {
		t.Errorf("read %v, want %v", got, want)
	}
	for name, module := range want {
		if got[name] != module {
			t.Errorf("%s is in module %q, want %q", name, got[name], module)
		}
	}
	expect(t, planted.broken, []string{"world/half.go:2"})
}

func TestFindRootClimbs(t *testing.T) {
	planted := plant(t, files{"a/b/go.work": "use (\n\t.\n\t../..\n)\n"})
	got, err := findRoot(filepath.Join(planted.root, "a", "b"))
	if err != nil || got != planted.root {
		t.Errorf("findRoot: %q, %v; want %q", got, err, planted.root)
	}
	if _, err := findRoot(t.TempDir()); err == nil {
		t.Error("findRoot found a root above an empty directory")
	}
}
