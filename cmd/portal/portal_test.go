package main

import (
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
)

// TestPortalIsCurrent: every public name of systems is reached through world.
func TestPortalIsCurrent(t *testing.T) {
	want, err := Portal("../..")
	require.NoError(t, err)
	got, err := os.ReadFile("../../world/portal.go")
	require.NoError(t, err)
	if string(got) != string(want) {
		t.Error("world/portal.go is not what systems offers; run `go run ./cmd/portal` in the root")
	}
}

// TestThePageIsShort: what clients read stays a page, and what tools and schedules are built on is
// not on it.
func TestThePageIsShort(t *testing.T) {
	src, err := Portal("../..")
	require.NoError(t, err)
	for _, name := range leftOut {
		if strings.Contains(string(src), "systems."+name+"\n") ||
			strings.Contains(string(src), "func "+name+"(") {
			t.Errorf("%s is for tools; it is not forwarded", name)
		}
	}
	const most = 129 // functions, types, variables and constants
	if n := strings.Count(string(src), " = systems.") + strings.Count(string(src), "\nfunc "); n > most {
		t.Errorf("world has %d names; %d are a page", n, most)
	}
}

// TestThePageShowsMembers: what an alias hides, the exported fields and methods of its type, is in
// its comment.
func TestThePageShowsMembers(t *testing.T) {
	read := func(dir string) *source.Package {
		p, err := source.Read(token.NewFileSet(), os.DirFS("../.."), dir)
		require.NoError(t, err)
		return p
	}
	page := map[string]string{} // comments by name
	for _, of := range read("world").Types {
		page[of.Name] = of.Doc
	}
	methods, fields := 0, 0
	for _, of := range read("systems").Types {
		comment, here := page[of.Name]
		for _, m := range of.Methods {
			if here && m.Level == 0 && !slices.Contains(interfaces, m.Name) {
				methods++
				assert.Contains(t, comment, "- "+of.Name+"."+m.Name+"(", of.Name)
			}
		}
		_, isStruct := of.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
		for _, field := range source.Members(of) {
			if here && isStruct {
				fields++
				assert.Contains(t, comment, "\t"+field, of.Name)
			}
		}
	}
	assert.Greater(t, methods, 45)
	assert.Greater(t, fields, 15)
	assert.Contains(t, page["GameObject"], "GameObject.Generation() uint32: Generation")
}
