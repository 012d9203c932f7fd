package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	passing = step{"good", "passes", func(*check) error { return nil }}
	failing = step{"bad", "fails", func(c *check) error {
		fmt.Fprintln(&c.out, "what it saw")
		return errors.New("what went wrong")
	}}
)

func TestRunStepsGoesOnAndCounts(t *testing.T) {
	var out bytes.Buffer
	if runSteps([]step{passing, failing, passing}, plant(t, nil), settings{}, &out) {
		t.Error("a failing step passed")
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[2], "good      ok") {
		t.Errorf("the step after the failing one did not run:\n%s", &out)
	}
	if lines[len(lines)-1] != "2 passed, 1 failed" {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	if !strings.Contains(out.String(), "--- bad: what went wrong\nwhat it saw\n") {
		t.Errorf("the failing step's output is missing:\n%s", &out)
	}
}

func TestRunStepsPasses(t *testing.T) {
	var out bytes.Buffer
	if !runSteps([]step{passing}, plant(t, nil), settings{}, &out) {
		t.Error("a passing step failed")
	}
	if !strings.HasSuffix(out.String(), "\n1 passed, 0 failed\n") {
		t.Errorf("it ended in:\n%s", &out)
	}
}

func TestChoose(t *testing.T) {
	all := []step{passing, failing, {name: "third"}}
	cases := []struct {
		only string
		want []string // nil for an error
	}{
		{"", []string{"good", "bad", "third"}},
		{"bad", []string{"bad"}},
		{"third,good", []string{"good", "third"}},
		{"other", nil},
		{"good,", nil},
	}
	for _, c := range cases {
		chosen, err := choose(all, c.only)
		var names []string
		for _, s := range chosen {
			names = append(names, s.name)
		}
		if (err != nil) != (c.want == nil) || !slices.Equal(names, c.want) {
			t.Errorf("choose(%q) = %v, %v; want %v", c.only, names, err, c.want)
		}
	}
}

func TestMissingToolFails(t *testing.T) {
	for _, s := range []step{
		{"format", "", checkFormat}, {"lint", "", checkLint}, {"misuse", "", checkMisuse},
	} {
		if runSteps([]step{s}, plant(t, nil), settings{}, new(bytes.Buffer)) {
			t.Errorf("%s passed in a tree without tools", s.name)
		}
	}
}

func TestEachModuleHasAWorkspace(t *testing.T) {
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := loadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	used := strings.Fields(string(text))
	for _, m := range all.modules[1:] {
		_, err := os.Stat(all.abs(m.dir + "/go.work"))
		ways := 0
		for _, way := range []bool{
			slices.Contains(used, "./"+m.dir), err == nil, workspace(m.dir) != nil,
		} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s: go.work uses it, or it has its own, or none: one of the three", m.dir)
		}
	}
}

func TestFailingCommandFails(t *testing.T) {
	for _, name := range []string{"no-such-program", "go"} {
		c := &check{tree: plant(t, nil)}
		if err := c.command(".", nil, name, "no-such-command"); err == nil {
			t.Errorf("%s passed", name)
		}
	}
}

func TestAllocsNeedsATest(t *testing.T) {
	c := &check{tree: plant(t, files{"world/a_test.go": "package world\n\nfunc TestOther() {}\n"})}
	if err := checkAllocs(c); err == nil {
		t.Error("a tree without allocation tests passed")
	}
}

func TestRunRefusesWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"-only", "nothing"}, {"-nothing"}} {
		var stderr bytes.Buffer
		if code := run(args, new(bytes.Buffer), &stderr); code != exitUsage || stderr.Len() == 0 {
			t.Errorf("run %v: exit %d, %q", args, code, &stderr)
		}
	}
}

func TestListNamesEveryStep(t *testing.T) {
	var out bytes.Buffer
	if code := run([]string{"-list"}, &out, new(bytes.Buffer)); code != exitOK {
		t.Errorf("exit %d", code)
	}
	for _, s := range steps {
		if !strings.Contains(out.String(), s.name+" ") {
			t.Errorf("-list lacks %s", s.name)
		}
	}
}

func TestTargets(t *testing.T) {
	planted := plant(t, files{
		"layout/a_test.go":    "package layout\n\nfunc FuzzA() {}\n\nfunc helper() {}\n",
		"world/save/a.go":     "package save\n\nfunc FuzzNot() {}\n",
		"cmd/view/a_test.go":  "package view\n\nfunc FuzzB() {}\n",
		"bench/peers_test.go": "package bench\n\nfunc FuzzC() {}\n",
	})
	got := targets(planted, "Fuzz")
	want := []target{{"bench", ".", "FuzzC"}, {"cmd", "./view", "FuzzB"}, {".", "./layout", "FuzzA"}}
	if !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}
