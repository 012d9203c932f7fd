package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// Deterministic finds code that makes a system depend on more than its world.
var Deterministic = analyzer("deterministic",
	`report what makes a system differ from one run or machine to the next

A function that takes a State and returns one must produce the same bytes from the same world and
the same arguments. The check reports

	time.Now()              the clock, also Since and Until
	rand.IntN(6)            numbers of math/rand and crypto/rand, which are not in the world
	for k := range counts   the order of a map, unless the loop only collects its keys
	go f(), ch <- x, <-ch   goroutines and channels
	score++                 a write to a package variable
	y += v * dt             a product and a sum that some machines round once; write float32(v*dt)
	math.Sin(a)             functions of math whose last bits differ between machines

Write the time and the input as arguments or resources, numbers from NextStream or Random, y +=
float32(v*dt), and exact.Sin(a) of buffer/exact. -fix converts products.

Limits: the check does not look into called functions, unless they take and return a State too, nor
into methods of a vector type; vet fused, which compiles them, finds products there too. Generators
of math/rand that the function creates are accepted. A product is followed through one local
variable. As for compilers, x/4 is a product, and x*2 is a sum. In tests the check reports only
products and math.`, (*check).deterministic)

// A system is a function that takes and returns a State, and is not nested in another such
// function.
type system struct {
	*check
	body   ast.Node
	told   map[ast.Expr]bool // reported products of variables
	joined map[ast.Expr]bool // products that are fixed together with surrounding products
}

func (c *check) deterministic() {
	functions := []ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}
	c.root.Inspect(functions, func(cur inspector.Cursor) (descend bool) {
		s := &system{c, nil, map[ast.Expr]bool{}, map[ast.Expr]bool{}}
		var t types.Type
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			s.body, t = n.Body, c.TypesInfo.TypeOf(n.Name)
		case *ast.FuncLit:
			s.body, t = n.Body, c.TypesInfo.TypeOf(n)
		}
		if sig, _ := t.(*types.Signature); !steps(sig) {
			return true
		}
		for n := range cur.Preorder() {
			s.node(n.Node())
		}
		return false
	})
}

const (
	channels = "the values of a channel depend on when goroutines run; " +
		"take it from the channel before the step, and hand it in as an argument"
	goroutines = "a goroutine runs at a different time in each run; " +
		"register jobs that run side by side in a Schedule"
)

func (s *system) node(n ast.Node) {
	for _, e := range s.writes(n) {
		s.written(e)
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		s.call(n)
	case *ast.RangeStmt:
		s.ranged(n)
	case *ast.BinaryExpr:
		if n.Op == token.ADD || n.Op == token.SUB {
			s.term(n.X)
			s.term(n.Y)
		} else if x, by := s.factor(n); by == 2 {
			s.term(x)
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			s.term(n.Rhs[0])
		}
	case *ast.GoStmt:
		s.foreign(n, goroutines)
	case *ast.SendStmt, *ast.SelectStmt:
		s.foreign(n, channels)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			s.foreign(n, channels)
		}
	}
}

// foreign reports code that does not belong in a system, except in tests.
func (s *system) foreign(n ast.Node, format string, args ...any) {
	if !s.inTest(n) {
		s.at(n, format, args...)
	}
}

func (s *system) ranged(n *ast.RangeStmt) {
	t := s.TypesInfo.TypeOf(n.X).Underlying()
	if _, ok := t.(*types.Chan); ok {
		s.foreign(n.X, channels)
	}
	_, isMap := t.(*types.Map)
	if n.Key != nil && (isMap || s.ofMaps(n.X)) && !s.collects(n) {
		s.foreign(n.X, "the order of a map differs each time; walk "+
			"slices.Sorted(maps.Keys(%s)), or keep a slice", types.ExprString(n.X))
	}
}

// ofMaps reports whether an expression is a call like maps.Keys(m).
func (s *system) ofMaps(e ast.Expr) bool {
	f, _ := s.called(callOf(e))
	return isFunc(f, "maps.All", "maps.Keys", "maps.Values")
}

// collects reports whether a loop only appends its keys or values to a slice, to be sorted later,
// or deletes them.
func (s *system) collects(n *ast.RangeStmt) bool {
	if len(n.Body.List) != 1 {
		return false
	}
	switch n := n.Body.List[0].(type) {
	case *ast.AssignStmt:
		return len(n.Rhs) == 1 && s.isBuiltin(n.Rhs[0], "append") != nil
	case *ast.ExprStmt:
		return s.isBuiltin(n.X, "delete") != nil
	}
	return false
}

// written reports a write to a package variable, or through one.
func (s *system) written(e ast.Expr) {
	if v := s.reached(e); isGlobal(v) {
		s.foreign(e, "%s is outside the world, where snapshots and other players do not see it; "+
			"keep it in a resource and write state = world.SetResource(state, …)", v.Name())
	}
}

// Functions of math: those with the same results on every machine, and those that buffer/exact
// replaces for float32, and package double for float64.
var (
	same = []string{
		"Abs", "Ceil", "Copysign", "Dim", "FMA", "Float32bits", "Float32frombits", "Float64bits",
		"Float64frombits", "Floor", "Frexp", "Ilogb", "Inf", "IsInf", "IsNaN", "Ldexp", "Logb",
		"Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Remainder", "Round",
		"RoundToEven", "Signbit", "Sqrt", "Trunc",
	}
	inExact = []string{
		"Acos", "Asin", "Atan", "Atan2", "Cbrt", "Cos", "Cosh", "Exp", "Exp2", "Expm1", "Hypot",
		"Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sincos", "Sinh", "Tan", "Tanh",
	}
	inDouble = []string{"Atan2", "Cos", "Exp", "Hypot", "Log", "Pow", "Sin", "Sincos"}
)

// insteadOf returns the replacement for a function of math or math/cmplx.
func insteadOf(f *types.Func) string {
	switch name := f.Name(); {
	case f.Pkg().Path() == "math" && slices.Contains(inDouble, name):
		return "use exact." + name + " for float32 or double." + name +
			" for float64, of buffer/exact"
	case f.Pkg().Path() == "math" && slices.Contains(inExact, name):
		return "use exact." + name + " for float32, of buffer/exact"
	}
	return "use a polynomial or a table of + − × ÷ and math.Sqrt"
}

// seeded are the functions of math/rand that draw no numbers.
var seeded = []string{"New", "NewSource", "NewPCG", "NewChaCha8", "NewZipf"}

const drawn = "write state, stream = world.NextStream(state), or draw from world.Random(state, …)"

func (s *system) call(call *ast.CallExpr) {
	f, _ := s.called(call)
	if f == nil || f.Pkg() == nil {
		return
	}
	name, path := nameOf(call), f.Pkg().Path()
	random := path == "math/rand" || path == "math/rand/v2"
	switch {
	case f.Signature().Recv() != nil:
		method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && random && isGlobal(s.reached(method.X)) {
			s.foreign(call, "%s draws from a generator outside the world; %s", name, drawn)
		}
	case isFunc(f, "time.Now", "time.Since", "time.Until"):
		s.foreign(call, "%s reads the clock; take the time as an argument, such as dt float32",
			name)
	case random && !slices.Contains(seeded, f.Name()), path == "crypto/rand":
		s.foreign(call, "%s draws numbers that are not in the world; %s", name, drawn)
	case path == "math" && !slices.Contains(same, f.Name()), path == "math/cmplx":
		s.at(call, "the last bits of %s differ between machines; %s", name, insteadOf(f))
	}
}
