package fused

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inModule changes to a module of its own with these files, outside of any other.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
}

// vet runs the command, and returns its code and what it writes.
func vet(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

const goMod = "module sums\n\ngo 1.26\n"

func TestProductsThatAreFusedAreFoundOnEachMachine(t *testing.T) {
	inModule(t, map[string]string{"go.mod": goMod})
	for _, c := range []struct{ name, code, want string }{
		{"float32", "(a, b, c float32) float32 { return a*b + c }", "write float32(a * b)"},
		{"float64", "(a, b, c float64) float64 { return a*b + c }", "write float64(a * b)"},
		{"later", "(a, b, c float32) float32 { p := a * b; return p + c }", "write float32(p)"},
		{"rounded", "(a, b, c float32) float32 { return float32(a*b) + c }", ""},
		{"integers", "(a, b, c int) int { return a*b + c }", ""},
	} {
		require.NoError(t, os.WriteFile("f.go", []byte("package sums\n\nfunc F"+c.code), 0o600))
		for arch := range strings.SplitSeq(archs, ",") {
			code, out, errs := vet(t, "-arch="+arch)
			if c.want == "" {
				assert.Equal(t, Clean, code, "%s: %s: %s%s", c.name, arch, out, errs)
				continue
			}
			assert.Equal(t, Found, code, "%s: %s: %s", c.name, arch, errs)
			assert.Regexp(t, `^f.go:3:\d+: a product and a sum are rounded once, by V?FN?M\w+ \(`+
				arch+`\); `, out)
			assert.Contains(t, out, c.want)
		}
	}
}

func TestFoundAndMended(t *testing.T) {
	source, vector := read(t, "testdata/sums.go"), read(t, "testdata/vector.go")
	found, mended := read(t, "testdata/sums.found"), read(t, "testdata/sums.go.golden")
	inModule(t, map[string]string{
		"go.mod": goMod, "sums.go": source, "vector/vector.go": vector,
		"sums_test.go": "package sums\n\nfunc inTest(a, b, c float32) float32 { return a*b + c }\n",
	})
	code, out, errs := vet(t, ".", "./vector")
	assert.Equal(t, Found, code)
	assert.Equal(t, found, out)
	assert.Contains(t, errs, "11; vet fused -fix, with the same packages, writes conversions")
	assert.Equal(t, source, read(t, "sums.go"))

	for range 2 { // the second time changes nothing
		code, out, errs = vet(t, "-fix", "./...")
		assert.Equal(t, Found, code)
		assert.Equal(t, 1, strings.Count(out, "\n"), out)
		assert.Contains(t, out, "write complex numbers as two floats")
		assert.Contains(t, errs, "1; fix these by hand")
		assert.Equal(t, mended, read(t, "sums.go"))
	}
}

// What a package inlines of one that is not named is found where it is called.
func TestWhatIsInlinedIsFoundWhereItIsCalled(t *testing.T) {
	inModule(t, map[string]string{
		"go.mod":           goMod,
		"vector/vector.go": read(t, "testdata/vector.go"),
		"sub/sums.go": "package sub\n\nimport \"sums/vector\"\n\n" +
			"func square(v vector.Vector) float32 { return v.Dot(v) }\n",
	})
	t.Chdir("sub")
	for range 2 { // the second time the go command has it from its cache
		code, out, _ := vet(t, "-arch=arm64")
		assert.Equal(t, Found, code)
		assert.Contains(t, out, "sums.go:5:")
		assert.Contains(t, out, "of an inlined call are rounded once, by FMADDS (arm64)")
	}
	t.Chdir("..")
	code, out, _ := vet(t, "-arch=arm64", "./sub")
	assert.Equal(t, Found, code)
	assert.Contains(t, out, filepath.Join("sub", "sums.go")+":5:")
}

func TestFilesThatTagsChoose(t *testing.T) {
	inModule(t, map[string]string{
		"go.mod": goMod,
		"f.go": "//go:build extra\n\npackage sums\n\n" +
			"func F(a, b, c float32) float32 { return a*b + c }\n",
		"h.go": "package sums\n",
	})
	code, out, errs := vet(t, "-arch=arm64")
	assert.Equal(t, Clean, code, "%s%s", out, errs)
	code, out, _ = vet(t, "-arch=arm64", "-tags=extra")
	assert.Equal(t, Found, code)
	assert.Regexp(t, `^f.go:5:\d+: .* by FMADDS \(arm64\); write float32\(a \* b\)\n$`, out)
}

func TestErrorsNameTheCure(t *testing.T) {
	inModule(t, map[string]string{
		"go.mod":     goMod,
		"bad/bad.go": "package bad\n\nvar x int = \"a\"\n",
	})
	for _, c := range []struct{ args, want string }{
		{"-arch=386", `no machine that fuses is called "386"; choose of arm64,riscv64,`},
		{"-arch=arm64 ./bad", "bad.go:3:13: cannot use \"a\""},
		{"-arch=arm64 ./bad", "mend it, or name the packages whose arithmetic decides"},
		{"-arch=arm64 ./missing", "directory not found"},
		{"-quick", "-tags list"},
	} {
		code, out, errs := vet(t, strings.Fields(c.args)...)
		assert.Equal(t, Failed, code, c.args)
		assert.Empty(t, out, c.args)
		assert.Contains(t, errs, c.want, c.args)
	}
	t.Setenv("GOOS", "windows")
	code, _, errs := vet(t, "-arch=riscv64", "./bad")
	assert.Equal(t, Failed, code)
	assert.Contains(t, errs, "windows/riscv64\nchoose other machines by -arch")
}

// Random functions are mended, and have the same values afterwards.
func TestRandomSumsAreMended(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var p program
	for range 40 {
		p.function(random)
	}
	inModule(t, map[string]string{"go.mod": goMod, "main.go": p.text()})
	values := func() string {
		cmd := exec.Command("go", "run", ".")
		cmd.Env = append(cmd.Environ(), "GOAMD64=v1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	before := values()
	code, out, _ := vet(t, "-arch=arm64", ".")
	require.Equal(t, Found, code)
	assert.Greater(t, strings.Count(out, "\n"), 40)

	code, out, errs := vet(t, "-arch=arm64", "-fix", ".")
	assert.Equal(t, Clean, code, "%s%s", out, errs)
	code, out, errs = vet(t, ".")
	assert.Equal(t, Clean, code, "%s%s", out, errs)
	assert.Equal(t, before, values())
}

// A program has random functions of floats, and prints what they return.
type program struct {
	functions []string
	calls     []string
}

func (p *program) text() string {
	return "package main\n\ntype vec struct{ x, y float32 }\n\n" + strings.Join(p.functions, "\n") +
		"\nfunc main() {\n\tone, v := float32(1), vec{.1, 3.3}\n" + strings.Join(p.calls, "") + "}\n"
}

// function adds one, which may call those before it.
func (p *program) function(r *rand.Rand) {
	name := fmt.Sprintf("f%d", len(p.functions))
	var body strings.Builder
	fmt.Fprintf(&body, "func %s(a, b, c float32, v vec) float32 {\n", name)
	for i := range 1 + r.IntN(4) {
		switch x := "abc"[r.IntN(3)]; r.IntN(5) {
		case 0:
			fmt.Fprintf(&body, "\tt%d := %s\n\t%c -= t%d\n", i, p.expression(r, 3), x, i)
		case 1:
			fmt.Fprintf(&body, "\t%c %c= %s\n", x, "+-*"[r.IntN(3)], p.expression(r, 3))
		case 2:
			fmt.Fprintf(&body, "\tv.x, v.y = %s, %s\n", p.expression(r, 2), p.expression(r, 2))
		case 3:
			fmt.Fprintf(&body, "\t%c++\n", x)
		default:
			fmt.Fprintf(&body, "\t%c = %s\n", x, p.expression(r, 4))
		}
	}
	fmt.Fprintf(&body, "\treturn %s\n}\n", p.expression(r, 4))
	p.functions = append(p.functions, body.String())
	p.calls = append(p.calls, fmt.Sprintf("\tprintln(%s(one/3, one/7, -one/11, v))\n", name))
}

// expression returns a random expression with a limited depth of operators.
func (p *program) expression(r *rand.Rand, deep int) string {
	sub := func() string { return p.expression(r, deep-1) }
	if deep == 0 {
		return []string{"a", "b", "c", "v.x", "v.y", "1.7", "2"}[r.IntN(7)]
	}
	switch r.IntN(10) {
	case 0, 1, 2:
		return sub() + " * " + sub()
	case 3, 4:
		return sub() + " + " + sub()
	case 5:
		return "(" + sub() + ") - (" + sub() + ")"
	case 6:
		return "-(" + sub() + ")"
	case 7:
		return "(" + sub() + ") / 2"
	case 8:
		if n := len(p.functions); n > 0 {
			return fmt.Sprintf("f%d(%s, %s, b, v)", r.IntN(n), sub(), sub())
		}
	}
	return "(" + sub() + ")"
}
