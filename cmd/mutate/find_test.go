package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // the body with each change
	}{
		{"a declaration stays", "x := y", nil},
		{"an assignment", "x = y", []string{"if false { x = y }"}},
		{"a call", "f(y)", []string{"if false { f(y) }"}},
		{"a step", "x++", []string{"if false { x++ }"}},
		{"a jump stays", "return x", nil},
		{"a condition", "if f(y) { return }", []string{"if !(f(y)) { return }"}},
		{
			"a statement before a condition", "if x = y; f(x) { return }",
			[]string{"if ; f(x) { return }", "if x = y; !(f(x)) { return }"},
		},
		{
			"cases without a tag", "switch { case f(x), f(y): f(z) }",
			[]string{
				"switch { case !(f(x)), f(y): f(z) }", "switch { case f(x), !(f(y)): f(z) }",
				"switch { case f(x), f(y): if false { f(z) } }",
			},
		},
		{"cases with a tag stay", "switch x { case y: return }", nil},
		{"equality once", "if x == y { return }", []string{"if x != y { return }"}},
		{
			"operators", "x := a && b || c",
			[]string{"x := a || b || c", "x := a && b && c"},
		},
		{"a bound", "x := a <= b", []string{"x := a < b"}},
		{"bits", "x := a &^ b", []string{"x := a & b"}},
		{
			"an assignment that computes", "x += y",
			[]string{"if false { x += y }", "x -= y"},
		},
		{"a number", "x := y[2]", []string{"x := y[3]", "x := y[1]"}},
		{"zero", "x := 0", []string{"x := 1"}},
		{"lengths and texts stay", `x := [2]string{"1"}`, nil},
		{"true", "return true", []string{"return false"}},
		{"comments stay", "// x++ && true\nreturn", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			const before, after = "package p\n\nfunc p() {\n", "\n}\n"
			source := []byte(before + c.body + after)
			found, err := Find("p.go", source)
			require.NoError(t, err)
			var got []string
			for _, m := range found {
				changed := string(m.Apply(source))
				_, err := parser.ParseFile(token.NewFileSet(), "p.go", changed, 0)
				require.NoError(t, err)
				got = append(got, strings.TrimSuffix(strings.TrimPrefix(changed, before), after))
				assert.Equal(t, 4, m.Line)
			}
			assert.ElementsMatch(t, c.want, got)
			assert.Equal(t, before+c.body+after, string(source))
		})
	}
}

func TestMutantsAreNamed(t *testing.T) {
	found, err := Find("dir/p.go", []byte("package p\n\nfunc p() {\n\tn  ++\n\tif n == 0 {\n\t}\n}\n"))
	require.NoError(t, err)
	var names []string
	for _, m := range found {
		names = append(names, m.String())
	}
	assert.Equal(t, []string{
		"dir/p.go:4: drops n ++", "dir/p.go:5: == becomes !=", "dir/p.go:5: 0 becomes 1",
	}, names)
	_, err = Find("p.go", []byte("func"))
	require.Error(t, err)
}

func TestSample(t *testing.T) {
	all := make([]Mutant, 100)
	for i := range all {
		all[i].Line = i
	}
	line := func(a, b Mutant) int { return a.Line - b.Line }
	some := Sample(all, 10, 1)
	assert.Len(t, some, 10)
	assert.True(t, slices.IsSortedFunc(some, line))
	assert.Equal(t, some, Sample(all, 10, 1))
	assert.NotEqual(t, some, Sample(all, 10, 2))
	assert.Equal(t, all, Sample(all, 0, 1))
	assert.Equal(t, all, Sample(all, 200, 1))
}
