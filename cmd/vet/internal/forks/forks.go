// Package forks finds functions that take a State and return another world's, as Clone does. They
// leave the State that they are given as it was:
//
//	func fork(s world.State) world.State {
//		c, err := world.Clone(s)
//		check(err)
//		return world.Advance(c)
//	}
package forks

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// Analyzer finds functions that leave their State as it was; its result is a [Leaves].
var Analyzer = &analysis.Analyzer{
	Name:       "forks",
	Doc:        "find functions that take a State and return another world's",
	Run:        run,
	FactTypes:  []analysis.Fact{new(fork)},
	ResultType: reflect.TypeFor[Leaves](),
}

// Leaves reports whether a function, which may be nil, leaves the State that it is given as it was.
type Leaves func(f *types.Func) bool

// A fork is the fact that a function does.
type fork struct{}

// AFact makes it a fact.
func (*fork) AFact() {}

func (*fork) String() string { return "fork" }

type check struct{ *analysis.Pass }

// run looks at the functions of a package until those that call each other are found too.
func run(pass *analysis.Pass) (any, error) {
	c := check{pass}
	for again := true; again; {
		again = false
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				decl, ok := decl.(*ast.FuncDecl)
				if ok && decl.Body != nil && c.find(decl) {
					again = true
				}
			}
		}
	}
	return Leaves(c.leaves), nil
}

// find notes a function that only reads its State, and reports whether that is news.
func (c check) find(decl *ast.FuncDecl) bool {
	f, ok := c.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || !ecs.Steps(f.Signature()) || c.leaves(f) || !c.onlyReads(f.Signature(), decl.Body) {
		return false
	}
	c.ExportObjectFact(f, new(fork))
	return true
}

func (c check) leaves(f *types.Func) bool {
	return f != nil && (ecs.Copies(f) || c.ImportObjectFact(f.Origin(), new(fork)))
}

// onlyReads reports whether a function hands its State only to functions that leave it as it was.
func (c check) onlyReads(sig *types.Signature, body *ast.BlockStmt) bool {
	v := sig.Params().At(ecs.First(sig.Params()))
	uses, reads := 0, 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if c.TypesInfo.Uses[n] == v {
				uses++
			}
		case *ast.CallExpr:
			reads += c.reads(n, v)
		}
		return true
	})
	return uses == reads && uses > 0
}

// reads returns how many arguments of a call are v, or 0 where it may use up v.
func (c check) reads(call *ast.CallExpr, v *types.Var) (n int) {
	f, sig := ecs.Called(c.TypesInfo, call), ecs.SignatureOf(c.TypesInfo, call)
	if sig == nil || ecs.IsWorlds(f, "Close") || ecs.Count(sig.Results()) > 0 && !c.leaves(f) {
		return 0
	}
	for _, arg := range call.Args {
		if ecs.VarOf(c.TypesInfo, arg) == v {
			n++
		}
	}
	return n
}
