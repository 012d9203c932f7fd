package deterministic

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// exact are the functions of math whose results are the same on every machine.
var exact = []string{
	"Abs", "Ceil", "Copysign", "Dim", "FMA", "Float32bits", "Float32frombits", "Float64bits",
	"Float64frombits", "Floor", "Frexp", "Ilogb", "Inf", "IsInf", "IsNaN", "Ldexp", "Logb", "Max",
	"Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Remainder", "Round", "RoundToEven",
	"Signbit", "Sqrt", "Trunc",
}

// seeded are the functions of math/rand that draw nothing.
var seeded = []string{"New", "NewSource", "NewPCG", "NewChaCha8", "NewZipf"}

func (c *check) called(call *ast.CallExpr) {
	c.clearedOrDeleted(call)
	f := ecs.Called(c.info, call)
	if f == nil || f.Pkg() == nil {
		return
	}
	name := ecs.NameOf(call)
	switch path := f.Pkg().Path(); {
	case f.Signature().Recv() != nil:
		c.method(call, path)
	case isOf(f, "time", "Now", "Since", "Until"):
		c.at(call, "%s reads the clock; take the time as an argument, such as dt float32", name)
	case isRandom(path) && !slices.Contains(seeded, f.Name()), path == "crypto/rand":
		c.at(call, "%s draws what the world does not hold; write state, stream = "+
			"world.NextStream(state), or draw from world.Random(state, …)", name)
	case path == "math" && !slices.Contains(exact, f.Name()), path == "math/cmplx":
		c.report.At(call, "the last bits of %s differ between machines; use a polynomial or a "+
			"table of + − × ÷ and math.Sqrt", name)
	}
}

// method reports numbers that are drawn from a generator in a variable of a package.
func (c *check) method(call *ast.CallExpr, path string) {
	f, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && isRandom(path) && ecs.IsGlobal(ecs.Root(c.info, f.X)) {
		c.at(call, "%s draws from a generator outside the world; write state, stream = "+
			"world.NextStream(state), or draw from world.Random(state, …)", ecs.NameOf(call))
	}
}

// clearedOrDeleted reports builtins that write to a variable of a package.
func (c *check) clearedOrDeleted(call *ast.CallExpr) {
	for _, name := range []string{"clear", "copy", "delete"} {
		if c.isBuiltin(call, name) {
			c.written(call.Args[0])
		}
	}
}

func isRandom(path string) bool { return path == "math/rand" || path == "math/rand/v2" }

func isOf(f *types.Func, path string, names ...string) bool {
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == path && slices.Contains(names, f.Name())
}
