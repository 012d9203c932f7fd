package world_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestModuleOutsideTheRepository builds and runs a module as a user has it: it imports layout,
// systems and world alone, and needs no network. Each program ends with "ok" once it has checked
// every cell of its world.
func TestModuleOutsideTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := outside(t)
	write(t, dir, "cells/main.go", outsideCells)
	write(t, dir, "kinds/main.go", outsideKinds)
	write(t, dir, "allocs/main.go", outsideAllocs)
	for _, c := range []struct{ name, program, flag string }{
		{"cells", "./cells", "-tags="},
		{"cells under ecsdebug", "./cells", "-tags=ecsdebug"},
		{"cells, pointers checked", "./cells", "-gcflags=all=-d=checkptr"},
		{"300 kinds", "./kinds", "-tags="},
		{"300 kinds under ecsdebug", "./kinds", "-tags=ecsdebug"},
		{"allocations", "./allocs", "-tags="},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, "ok\n", run(t, dir, "run", c.flag, c.program))
		})
	}
	t.Run("lookups are inlined", func(t *testing.T) { lookupsAreInlined(t, dir) })
}

// lookupsAreInlined looks at the code of the generic functions of world and systems, which is compiled
// in the program: the small functions that they call are to be in it, and a look-up is one call.
func lookupsAreInlined(t *testing.T, dir string) {
	t.Helper()
	write(t, dir, "lookups/main.go", outsideLookups)
	program := filepath.Join(dir, "lookups.exe")
	run(t, dir, "build", "-o", program, "./lookups")
	code := run(t, dir, "tool", "objdump", "-s", `flatecs/(systems|world)\..*\[go\.shape`, program)
	for _, name := range []string{"world.Get[", "world.Set[", "world.Edit[", "copyInLockstep[", "pointInLockstep["} {
		if !strings.Contains(code, name) {
			t.Fatalf("the program's code has no %s…", name)
		}
	}
	for _, small := range []string{
		"gameobject.ID", "State.look(", "State.use(", "State.done(", "TouchRow(", "MaskOf(",
		"MaxIndex(", "InLockstep(", "Touch(", "placeOf(", "placeToWrite(", "finding).has(",
		"systems.Get[", "systems.Set[", "systems.Edit[",
	} {
		require.Empty(t, regexp.MustCompile("CALL .*"+regexp.QuoteMeta(small)).FindString(code))
	}
	code = run(t, dir, "tool", "objdump", "-s", `^main\.main$`, program)
	require.Contains(t, code, "search(", "of objects that are not in lockstep")
	require.NotContains(t, code, ").At(", "of a Reader or a Writer")
}

// outside returns the directory of a module that uses this one.
func outside(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/outside\n\ngo 1.26.0\n\n"+
		"require github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+strconv.Quote(root)+"\n")
	return dir
}

// run runs the go command in the module outside, and returns what it prints.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := goIn(t, dir, args...)
	require.NoError(t, err, "%s", out)
	return out
}

// goIn is run for what may fail.
func goIn(t *testing.T, dir string, args ...string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), worldtest.Go(), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), // what this module needs was loaded for this test
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
	b, err := cmd.CombinedOutput()
	return string(b), err
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
