//go:build tools

package world_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModulesOutsideTheRepository builds and runs more programs of a user, with each flag of the
// build: they end with "ok", too.
func TestModulesOutsideTheRepository(t *testing.T) {
	dir := outside(t)
	write(t, dir, "cells/main.go", outsideCells)
	write(t, dir, "allocs/main.go", outsideAllocs)
	for _, c := range []struct{ name, program, flag string }{
		{"cells under ecsdebug", "./cells", "-tags=ecsdebug"},
		{"cells, pointers checked", "./cells", "-gcflags=all=-d=checkptr"},
		{"allocations", "./allocs", "-tags="},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, "ok\n", run(t, dir, "run", c.flag, c.program))
		})
	}
}

// TestLookupsAreInlined looks at the code of the generic functions of world and systems, which is
// compiled in the program: the small functions that they call are to be in it, and a look-up is one
// call.
func TestLookupsAreInlined(t *testing.T) {
	dir := outside(t)
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
	require.NotRegexp(t, `\)\.(At|Get)\(`, code, "of a Reader or a Writer")
}
