package main

import (
	"maps"
	"os"
	"strings"
	"testing"
)

var stateful = files{
	"systems/a.go": `package systems

type State struct{}

func Move(s State, by int) State { return s }
func Create() (State, error)     { return State{}, nil }
func Len(s State) int            { return 0 }
func move(s State) State         { return s }
func (s State) Next() State      { return s }
func Pair() (int, State)         { return 0, State{} }
`,
	"systems/guard_debug.go":   "//go:build ecsdebug\n\npackage systems\n\nfunc Guard(s State) State { return s }\n",
	"systems/guard_release.go": "//go:build !ecsdebug\n\npackage systems\n\nfunc Guard(s State) State { return s }\n",
	"systems/a_test.go":        "package systems\n\nfunc Test(s State) State { return s }\n",
	"world/a.go":               "package world\n\nfunc Move(s systems.State) (systems.State, error) { return s, nil }\n",
	"world/save/a.go":          "package save\n\nfunc Load() (world.State, error) { return world.State{}, nil }\n",
	"manager/a.go":             "package manager\n\nfunc Other() State { return State{} }\n",
	"cmd/a.go":                 "package cmd\n\nfunc Other() world.State { return world.State{} }\n",
}

const emptyConfig = "funcs:\n      # States: written by `go run ./cmd/check -fix`.\n      # End of states.\nmore: true\n"

// with returns the stateful tree and a lint config.
func with(config string) files {
	all := files{lintConfig: config}
	maps.Copy(all, stateful)
	return all
}

func TestWriteStates(t *testing.T) {
	planted := plant(t, with(emptyConfig))
	if len(staleStates(planted)) == 0 {
		t.Fatal("an empty list passes")
	}
	if err := writeStates(planted); err != nil {
		t.Fatal(err)
	}
	expect(t, staleStates(planted), nil)
	got, err := os.ReadFile(planted.abs(lintConfig))
	if err != nil {
		t.Fatal(err)
	}
	want := `funcs:
      # States: written by ` + "`go run ./cmd/check -fix`" + `.
      - example.com/eco/systems.Create
      - example.com/eco/systems.Guard
      - example.com/eco/systems.Move
      - example.com/eco/world.Move
      - example.com/eco/world/save.Load
      # End of states.
more: true
`
	if string(got) != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
	if err := writeStates(planted); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(planted.abs(lintConfig))
	if err != nil || string(again) != want {
		t.Errorf("a second fix wrote\n%s (%v)", again, err)
	}
}

func TestStaleStates(t *testing.T) {
	planted := plant(t, with(strings.Replace(emptyConfig, "# End", `- example.com/eco/systems.Create
      - example.com/eco/systems.Guard
      - example.com/eco/systems.Gone
      - example.com/eco/systems.Move
      - example.com/eco/world/save.Load
      # End`, 1)))
	expect(t, staleStates(planted), []string{
		"missing: - example.com/eco/world.Move",
		"stale:   - example.com/eco/systems.Gone",
	})
}

func TestStatesWithoutMarksOrConfig(t *testing.T) {
	unmarked := plant(t, files{lintConfig: "funcs:\n"})
	expect(t, staleStates(unmarked), []string{"the two marks around the list of states are gone"})
	if err := writeStates(unmarked); err == nil {
		t.Error("writeStates wrote without marks")
	}
	expect(t, staleStates(plant(t, nil)), []string{lintConfig})
}

func TestStatesOfAnEmptyTree(t *testing.T) {
	planted := plant(t, files{lintConfig: emptyConfig})
	expect(t, staleStates(planted), nil)
	if err := writeStates(planted); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(planted.abs(lintConfig))
	if err != nil || string(got) != emptyConfig {
		t.Errorf("wrote\n%s (%v)\nwant it unchanged", got, err)
	}
}
