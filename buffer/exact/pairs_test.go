package exact_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/buffer/exact/internal/truth"
)

// A pair is a function of two arguments, with its others as a function of one has them. The truth
// is of positive numbers; true may be nil, where the float64 one is exact.
type pair struct {
	name string
	here func(x, y float32) float32
	math func(x, y float64) float64
	true func(x, y float64) float32
	draw []draw // arguments
	hard []draw // arguments whose results are in the middle of two float32, or next to it
}

type draw = func(r *rand.Rand) (x, y float32)

var pairs = []pair{
	{"Atan2", exact.Atan2, math.Atan2, trueAngle, []draw{anything, unit, scaled}, hardAngles},
	{"Pow", exact.Pow, math.Pow, truePower, []draw{anything, unit, powers, quarters}, hardPowers},
	{"Hypot", exact.Hypot, math.Hypot, trueHypot, []draw{anything, unit, scaled}, hardHypots},
	{"Mod", exact.Mod, math.Mod, nil, []draw{anything, unit, scaled}, nil},
}

func bits(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) }

func anything(r *rand.Rand) (x, y float32) { return bits(r), bits(r) }

func unit(r *rand.Rand) (x, y float32) { return r.Float32()*200 - 100, r.Float32()*200 - 100 }

// scaled draws numbers of a similar size.
func scaled(r *rand.Rand) (x, y float32) {
	x = bits(r)
	return x, x * (r.Float32()*4 - 2)
}

// powers draws numbers whose power may be any float32.
func powers(r *rand.Rand) (x, y float32) {
	x = math.Float32frombits(r.Uint32() &^ (1 << 31))
	return x, float32((r.Float64()*194 - 104) / math.Log(float64(x)))
}

func quarters(r *rand.Rand) (x, y float32) { return r.Float32() * 10, float32(r.IntN(64)-32) / 4 }

// whole draws an odd number of so many bits.
func whole(r *rand.Rand, n int) float64 { return float64(r.IntN(1<<n) | 1) }

var hardPowers = []draw{
	func(r *rand.Rand) (x, y float32) {
		return float32(math.Ldexp(whole(r, 13), r.IntN(20)-10)), 2
	},
	func(r *rand.Rand) (x, y float32) {
		return float32(math.Ldexp(whole(r, 9), r.IntN(20)-10)), 3
	},
	func(r *rand.Rand) (x, y float32) {
		return float32(math.Ldexp(whole(r, 7), r.IntN(20)-10)), float32(4 + r.IntN(4))
	},
	func(r *rand.Rand) (x, y float32) {
		q := whole(r, 12)
		return float32(q * q), .5
	},
	func(r *rand.Rand) (x, y float32) {
		q := whole(r, 8)
		return float32(q * q), 1.5
	},
	func(r *rand.Rand) (x, y float32) {
		q := whole(r, 6)
		return float32(q * q * q * q), float32(1+2*r.IntN(3)) / 4
	},
	func(r *rand.Rand) (x, y float32) { return float32(whole(r, 13)) * 0x1p-81, 2 }, // subnormal
	func(r *rand.Rand) (x, y float32) { return 2, float32(-r.IntN(160)) },
	func(r *rand.Rand) (x, y float32) { return 1 + float32(r.IntN(9)-4)*0x1p-23, float32(r.IntN(9) - 4) },
}

var hardAngles = []draw{
	// a quotient on the middle of two subnormals
	func(r *rand.Rand) (y, x float32) {
		v := math.Ldexp(whole(r, 12), r.IntN(20))
		return float32(whole(r, 11) / 2 * v * 0x1p-110), float32(v * 0x1p39)
	},
	func(r *rand.Rand) (y, x float32) {
		return float32(float64(r.IntN(1<<12)) * 0x1p-149), float32(math.Ldexp(1, r.IntN(30)))
	},
	// a quotient of few bits
	func(r *rand.Rand) (y, x float32) {
		v := whole(r, 10)
		return float32(math.Ldexp(v*whole(r, 12), -r.IntN(60))), float32(v)
	},
	func(r *rand.Rand) (y, x float32) { return float32(whole(r, 3)), -float32(math.Ldexp(1, r.IntN(120))) },
}

var hardHypots = []draw{
	// m²-n², 2mn: a whole result, of 25 bits
	func(r *rand.Rand) (x, y float32) {
		m, n := 1<<12+r.IntN(1<<10), r.IntN(1<<10)
		return float32(m*m - n*n), float32(2 * m * n)
	},
	func(r *rand.Rand) (x, y float32) {
		m, n := 1+r.IntN(1<<10), r.IntN(1<<10)
		return float32(m*m-n*n) * 0x1p-149, float32(2*m*n) * 0x1p-149
	},
	func(r *rand.Rand) (x, y float32) { return bits(r), float32(r.IntN(9)) * 0x1p-149 },
	besideTie,
	func(r *rand.Rand) (x, y float32) {
		return math.MaxFloat32, float32(math.Ldexp(r.Float64(), 105+r.IntN(20)))
	},
	func(r *rand.Rand) (x, y float32) {
		return float32(r.IntN(100)) * 0x1p-149, float32(r.IntN(100)) * 0x1p-149
	},
}

// besideTie draws numbers whose float64 result is the middle m of two float32, although the true
// result differs from m by less than the precision of float64.
func besideTie(r *rand.Rand) (x, y float32) {
	for {
		a := 1 + float64(r.IntN(1<<23))*0x1p-23
		m := a + float64(1+2*r.IntN(8))*0x1p-24
		b := float64(float32(math.Sqrt(m*m - a*a))) // exact, as the sums and products below
		if away := math.Abs(m*m - a*a - b*b); away > 0 && away < 0x1p-53*m {
			return float32(a), float32(b)
		}
	}
}

func truePower(x, y float64) float32 {
	l := truth.Mul(truth.Log(truth.Of(x)), truth.Of(y))
	if size, _ := l.Float64(); math.Abs(size) > 120 {
		return float32(math.Inf(1)) * max(0, float32(math.Copysign(1, size)))
	}
	return truth.Round32(truth.Exp(l))
}

func trueAngle(y, x float64) float32 {
	q := new(big.Float).SetPrec(800).Quo(truth.Of(y), truth.Of(x))
	if q.MantExp(nil) > -120 || x < 0 {
		return truth.Round32(truth.Atan2(truth.Of(y), truth.Of(x)))
	}
	if f, _ := q.Float64(); f != float64(float32(f)) { // the angle is below by less than bits show
		q.Mul(q, big.NewFloat(1-0x1p-53))
	}
	f, _ := q.Float32()
	return f
}

func trueHypot(x, y float64) float32 { return truth.Round32(truth.Hypot(truth.Of(x), truth.Of(y))) }

// right says what the result is, and whether the truth had to be asked.
func (p *pair) right(x, y float32) (want float32, asked bool) {
	a, b := float64(x), float64(y)
	near := p.math(a, b)
	size := math.Abs(near)
	if p.true == nil || !(size > 0x1p-160 && size < 0x1p200) {
		return float32(near), false
	}
	e := near * 0x1p-40
	if float32(near-e) == float32(near+e) {
		return float32(near), false
	}
	if a == 0 || b == 0 || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return float32(near), true
	}
	if p.name == "Pow" { // the sign is right
		return float32(math.Copysign(float64(p.true(math.Abs(a), b)), near)), true
	}
	return p.true(a, b), true
}

// see compares n pairs, and says how often the truth was asked.
func (p *pair) see(t *testing.T, r *rand.Rand, draws []draw, n int) (asked int) {
	t.Helper()
	for range n / max(1, len(draws)) {
		for _, draw := range draws {
			x, y := draw(r)
			want, slow := p.right(x, y)
			if slow {
				asked++
			}
			got := p.here(x, y)
			if want != want {
				want = math.Float32frombits(oneNaN)
			}
			if math.Float32bits(want) != math.Float32bits(got) {
				t.Fatalf("%s(%x, %x) = %x, want %x", p.name, x, y, got, want)
			}
		}
	}
	return asked
}

func TestPairs(t *testing.T) {
	random, hard := 200_000, 20_000
	if testing.Short() {
		random, hard = 20_000, 2_000
	}
	for i := range pairs {
		p := &pairs[i]
		t.Run(p.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			asked := p.see(t, r, p.draw, random)
			t.Logf("random: %d asked; hard: %d asked", asked, p.see(t, r, p.hard, hard))
		})
	}
}

func TestSpecialPairs(t *testing.T) {
	for i := range pairs {
		p := &pairs[i]
		numbers := edges
		for _, x := range edges {
			numbers = append(numbers, -x, x+1, x+.5)
		}
		numbers = append(numbers, 3, -3, float32(math.NaN()))
		for _, x := range numbers {
			for _, y := range numbers {
				p.see(t, nil, []draw{func(*rand.Rand) (float32, float32) { return x, y }}, 1)
			}
		}
		signaling := math.Float32frombits(0xff812345)
		assert.Equal(t, uint32(oneNaN), math.Float32bits(p.here(signaling, 2)), p.name)
		assert.Equal(t, uint32(oneNaN), math.Float32bits(p.here(2, signaling)), p.name)
	}
}

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
