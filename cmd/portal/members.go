package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/source"
)

// A library reads packages of the module, each once.
type library struct {
	fset     *token.FileSet
	root     string // the module's directory
	packages map[string]*source.Package
}

func (l *library) read(name string) (*source.Package, error) {
	if p := l.packages[name]; p != nil {
		return p, nil
	}
	p, err := source.Read(l.fset, os.DirFS(l.root), name)
	if err == nil && p == nil {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	l.packages[name] = p
	return p, err
}

// members returns the fields and methods of a type of systems, as lines for its comment, because an
// alias does not show them.
func (p *portal) members(t *ast.TypeSpec) (string, error) {
	of, name := "systems", t.Name.Name
	if s, ok := t.Type.(*ast.SelectorExpr); ok { // an alias for a type of a lower layer
		of, name = s.X.(*ast.Ident).Name, s.Sel.Name
	}
	pkg, err := p.library.read(of)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(pkg.Types, func(t *doc.Type) bool { return t.Name == name })
	if at < 0 {
		return "", fmt.Errorf("portal: package %s documents no type %s", of, name)
	}
	found := pkg.Types[at]
	fields, err := p.fields(found.Decl.Specs[0].(*ast.TypeSpec))
	return fields + p.methods(pkg.Package, found, t.Name.Name), err
}

// fields prints the exported fields of a struct, or the methods of an interface, as a declaration.
func (p *portal) fields(t *ast.TypeSpec) (string, error) {
	of, isStruct := t.Type.(*ast.StructType)
	_, isInterface := t.Type.(*ast.InterfaceType)
	if !isInterface && (!isStruct || len(of.Fields.List) == 0) {
		return "", nil
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "type ")
	if err := format.Node(&b, p.fset, t); err != nil {
		return "", err
	}
	return "//\n//\t" + strings.ReplaceAll(b.String(), "\n", "\n//\t") + "\n", nil
}

// interfaces are methods that Go calls. The page omits them.
var interfaces = strings.Fields("AppendText Error Format MarshalText String UnmarshalText Unwrap")

// methods lists the methods of a type under the name of its alias, each with its first sentence.
func (p *portal) methods(pkg *doc.Package, t *doc.Type, name string) string {
	methods := slices.DeleteFunc(slices.Clone(t.Methods), func(m *doc.Func) bool {
		return slices.Contains(interfaces, m.Name)
	})
	if len(methods) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "//\n// Methods; for more about one, run `go doc ./%s %s.%s`:\n//\n",
		path.Base(pkg.ImportPath), t.Name, methods[0].Name)
	for _, m := range methods {
		signature := oneLine(strings.TrimPrefix(p.text(m.Decl.Type), "func"))
		fmt.Fprintf(&b, "//   - %s.%s%s: %s\n", name, m.Name, signature, pkg.Synopsis(m.Doc))
	}
	return b.String()
}

// oneLine joins the lines of a signature.
func oneLine(signature string) string {
	signature = strings.Join(strings.Fields(signature), " ")
	return strings.NewReplacer("( ", "(", ", )", ")").Replace(signature)
}
