package usedup

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// functions yields the functions of the package that have a body, in order.
func (c *check) functions() func(func(*types.Func, *ast.FuncDecl) bool) {
	return func(yield func(*types.Func, *ast.FuncDecl) bool) {
		for _, file := range c.pass.Files {
			for _, decl := range file.Decls {
				decl, ok := decl.(*ast.FuncDecl)
				if !ok || decl.Body == nil {
					continue
				}
				f, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
				if ok && !yield(f, decl) {
					return
				}
			}
		}
	}
}

// findStopping finds functions like
//
//	func check(err error) {
//		if err != nil {
//			panic(err)
//		}
//	}
func (c *check) findStopping() {
	for f, decl := range c.functions() {
		for v := range f.Signature().Params().Variables() {
			if ecs.IsError(v.Type()) && slices.ContainsFunc(decl.Body.List, func(s ast.Stmt) bool {
				branch, ok := s.(*ast.IfStmt)
				return ok && known(c.pass.TypesInfo, branch.Cond, v, true) == failed &&
					c.ends(branch.Body)
			}) {
				c.stops[f] = true
			}
		}
	}
}

// ends reports whether a block ends the program, the test or the goroutine.
func (c *check) ends(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	last, ok := block.List[len(block.List)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := last.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch name := ecs.NameOf(call); {
	case name == "panic", name == "os.Exit", strings.HasPrefix(name, "log.Fatal"):
		return true
	default:
		return strings.HasSuffix(name, ".Fatal") || strings.HasSuffix(name, ".Fatalf")
	}
}

// stopsOn reports whether a call returns only if the error that it is given is nil.
func (c *check) stopsOn(call *ast.CallExpr) bool {
	f := ecs.Called(c.pass.TypesInfo, call)
	if f == nil || f.Pkg() == nil {
		return false
	}
	required := f.Pkg().Path() == "github.com/stretchr/testify/require" &&
		(f.Name() == "NoError" || f.Name() == "NoErrorf")
	return required || c.stops[f.Origin()]
}

// What is known of an error.
const (
	unknown = iota
	none
	failed
)

// known says what is known of err where a condition has come out.
func known(info *types.Info, condition ast.Expr, err *types.Var, outcome bool) int {
	switch e := ast.Unparen(condition).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return known(info, e.X, err, !outcome)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && outcome, e.Op == token.LOR && !outcome:
			return max(known(info, e.X, err, outcome), known(info, e.Y, err, outcome))
		case e.Op != token.EQL && e.Op != token.NEQ, !isNil(info, e.Y) && !isNil(info, e.X):
			return unknown
		case !names(info, e.X, err) && !names(info, e.Y, err):
			return unknown
		case (e.Op == token.EQL) == outcome:
			return none
		}
		return failed
	}
	return unknown
}

func isNil(info *types.Info, e ast.Expr) bool { return info.Types[e].IsNil() }

func names(info *types.Info, e ast.Expr, v *types.Var) bool {
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.ObjectOf(name) == v
}

// findAssignments notes in which functions each State is assigned to, or has its address taken.
func (c *check) findAssignments(file *ast.File) {
	var functions []ast.Node // from the outermost
	var stack []ast.Node
	note := func(e ast.Expr, function ast.Node) {
		if v := c.state(e); v != nil {
			c.within[v] = append(c.within[v], function)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			if top := len(functions) - 1; top >= 0 && functions[top] == stack[len(stack)-1] {
				functions = functions[:top]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			functions = append(functions, n)
		case *ast.FuncLit:
			if len(functions) > 0 {
				c.around[n] = functions[len(functions)-1]
			}
			functions = append(functions, n)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e, functions[len(functions)-1])
			}
		case *ast.RangeStmt:
			note(n.Key, functions[len(functions)-1])
			note(n.Value, functions[len(functions)-1])
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X, nil)
			}
		}
		return true
	})
}

// follows reports whether only a function itself and those around it assign to v.
func (c *check) follows(function ast.Node, v *types.Var) bool {
	for _, at := range c.within[v] {
		f := function
		for f != nil && f != at {
			f = c.around[f]
		}
		if f == nil {
			return false
		}
	}
	return true
}
