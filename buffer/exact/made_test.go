package exact_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// proofs is what trying all arguments has left: of each function what it was made of, and the sums
// of its results, of all and of one in 262147. TestEveryArgument writes it.
const proofs = "testdata/proofs.txt"

// A proof is a line of it.
type proof struct{ made, all, some uint64 }

func readProofs(t *testing.T) map[string]proof {
	t.Helper()
	text, err := os.ReadFile(proofs)
	require.NoError(t, err)
	read := map[string]proof{}
	for line := range strings.Lines(string(text)) {
		var name string
		var p proof
		_, err := fmt.Sscanf(line, "%s %x %x %x\n", &name, &p.made, &p.all, &p.some)
		require.NoError(t, err, line)
		read[name] = p
	}
	return read
}

// TestWhatWasTriedIsWhatIsHere: a proof is one of the exact sequence of operations and constants.
func TestWhatWasTriedIsWhatIsHere(t *testing.T) {
	read, made := readProofs(t), newSources(t)
	for i := range functions {
		name := functions[i].name
		assert.Equal(t, made.hash(name), read[name].made, "%s was not tried as it is. A minute or two: go test "+
			"-tags=exhaustive -timeout=0 -run='TestEveryArgument/^%s$' ./buffer/exact -record", name, name)
	}
}

// sources are declarations of this package and of core: "exact.Sin", "core.Sine", "method Add".
type sources struct {
	made map[string][]string // their tokens, without comments
	uses map[string][]string // the declarations that they name
}

func newSources(t *testing.T) *sources {
	t.Helper()
	s := &sources{map[string][]string{}, map[string][]string{}}
	for pkg, dir := range map[string]string{"exact": ".", "core": "internal/core"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, d := range file.Decls {
				s.declare(pkg, d, text)
			}
		}
	}
	return s
}

func (s *sources) declare(pkg string, d ast.Decl, text []byte) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := pkg + "." + d.Name.Name
		if d.Recv != nil {
			name = "method " + d.Name.Name
		}
		s.add(name, pkg, d, text)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.add(pkg+"."+spec.Name.Name, pkg, spec, text)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					s.add(pkg+"."+name.Name, pkg, spec, text)
				}
			}
		}
	}
}

func (s *sources) add(name, pkg string, n ast.Node, text []byte) {
	text = text[n.Pos()-1 : n.End()-1]
	set := token.NewFileSet()
	var scan scanner.Scanner
	scan.Init(set.AddFile("", -1, len(text)), text, nil, 0)
	for {
		_, tok, literal := scan.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.SEMICOLON && tok != token.COMMA { // those at the end of a line, too
			s.made[name] = append(s.made[name], tok.String()+" "+literal)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "core" {
				s.uses[name] = append(s.uses[name], "core."+n.Sel.Name)
				return false
			}
			s.uses[name] = append(s.uses[name], "method "+n.Sel.Name)
		case *ast.Ident:
			s.uses[name] = append(s.uses[name], pkg+"."+n.Name)
		}
		return true
	})
}

// hash is of all that a function is made of.
func (s *sources) hash(function string) uint64 {
	names := []string{"exact." + function}
	for i := 0; i < len(names); i++ {
		for _, used := range s.uses[names[i]] {
			if len(s.made[used]) > 0 && !slices.Contains(names, used) {
				names = append(names, used)
			}
		}
	}
	slices.Sort(names)
	h := fnv.New64a()
	for _, name := range names {
		fmt.Fprintln(h, name, s.made[name])
	}
	return h.Sum64()
}

func TestWhatAFunctionIsMadeOf(t *testing.T) {
	s := newSources(t)
	sin, log := s.hash("Sin"), s.hash("Log")
	assert.NotEqual(t, sin, log)
	assert.NotZero(t, s.made["core.Sine3"])
	s.made["core.Sine3"] = append(s.made["core.Sine3"], "changed")
	assert.NotEqual(t, sin, s.hash("Sin"), "a constant")
	assert.Equal(t, log, s.hash("Log"))
	tan := s.hash("Tan")
	s.made["exact.tanMends"] = append(s.made["exact.tanMends"], "changed")
	assert.NotEqual(t, tan, s.hash("Tan"), "a table")
}
