package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
)

// TestThePageShowsMembers: what an alias hides, the exported fields and methods of its type, is in
// its comment. This test finds them by itself, without go/doc.
func TestThePageShowsMembers(t *testing.T) {
	fset := token.NewFileSet()
	page := comments(t, fset)
	methods, fields := 0, 0
	files, err := source.Files(fset, os.DirFS("../.."), "systems", false)
	require.NoError(t, err)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if of := receiver(n); n.Name.IsExported() && ast.IsExported(of) && !slices.Contains(interfaces, n.Name.Name) {
					methods++
					contains(t, page[of], "- "+of+"."+n.Name.Name+"(", of)
				}
				return false
			case *ast.TypeSpec:
				s, ok := n.Type.(*ast.StructType)
				for i := 0; ok && n.Name.IsExported() && i < len(s.Fields.List); i++ {
					for _, name := range s.Fields.List[i].Names {
						if name.IsExported() {
							fields++
							contains(t, page[n.Name.Name], "\t"+name.Name, n.Name.Name)
						}
					}
				}
			}
			return true
		})
	}
	if methods < 50 || fields < 20 {
		t.Errorf("only %d methods and %d fields were looked for", methods, fields)
	}
	contains(t, page["GameObject"], "GameObject.Generation() uint32: Generation", "GameObject")
}

// comments returns the comments of the portal's types, by name.
func comments(t *testing.T, fset *token.FileSet) map[string]string {
	t.Helper()
	files, err := source.Files(fset, os.DirFS("../.."), "world", false)
	require.NoError(t, err)
	page := map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				var text strings.Builder
				for _, line := range g.Doc.List {
					text.WriteString(line.Text + "\n")
				}
				page[g.Specs[0].(*ast.TypeSpec).Name.Name] = text.String()
			}
		}
	}
	return page
}

// receiver returns the name of the type that a method is of, or "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
	return strings.TrimPrefix(of, "*")
}

func contains(t *testing.T, text, want, of string) {
	t.Helper()
	if text == "" {
		return // not on the page
	}
	if !strings.Contains(text, want) {
		t.Errorf("the comment of world.%s lacks %q", of, want)
	}
}
