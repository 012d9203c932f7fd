//go:build tools

package world_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModulesOutsideTheRepository builds and runs the program of a user with flags of the build.
func TestModulesOutsideTheRepository(t *testing.T) {
	dir := outside(t)
	write(t, dir, "cells/main.go", outsideCells)
	for name, flag := range map[string]string{
		"ecsdebug": "-tags=ecsdebug", "pointers checked": "-gcflags=all=-d=checkptr",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, "ok\n", run(t, dir, "run", flag, "./cells"))
		})
	}
}

// outsideLookups reads and writes by id.
const outsideLookups = `package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type place struct{ X, Y float64 }

var at = layout.NewComponent[place]("place")

func main() {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(at)}))
	s, id, err := world.CreateWith(s, at)
	v, _ := world.Get(s, id, at)
	reader := world.ReaderOf(s, at)
	w, _ := reader.Get(id)
	writer := world.WriterOf(s, at)
	writer.At(id).X = v.X + w.Y
	reader.AtN(make([]place, 1), []world.GameObject{id})
	writer.AtN(make([]*place, 1), []world.GameObject{id})
	s, _ = world.Set(s, id, at, v)
	s, _, _ = world.Edit(s, id, at)
	s = world.SetRow(s, at, 0, world.GetRow(s, at, 0))
	fmt.Println(s, err)
}
`

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
