package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLawRaceKnowsGoroutines: the step race tests every package that starts a goroutine, itself or
// in its tests. Measurements are left to the step bench, and modules outside go.work to their own.
func TestLawRaceKnowsGoroutines(t *testing.T) {
	root := must(findRoot())
	c := &check{root: root}
	list, err := c.word("RACING", "")
	require.NoError(t, err, c.out.String())
	racing := strings.Fields(list)
	for _, dir := range racing {
		_, known := layerOf(strings.TrimPrefix(dir, "./"))
		assert.True(t, known, "%s is no package", dir)
	}
	assert.Subset(t, racing, []string{"./systems", "./world/replica", "./world/shard"})
	assert.NotContains(t, racing, "./world/pack", "nothing there has several goroutines")
	walk(t, root, func(name string) {
		dir := path.Dir(name)
		if path.Ext(name) != ".go" || anyCovers([]string{
			"bench/...", "cmd/vet/...", "cmd/tools/...", "cmd/ebiten/...",
		}, dir) || !startsGoroutines(t, filepath.Join(root, name)) {
			return
		}
		assert.Contains(t, racing, "./"+dir, "%s starts goroutines", name)
	})
}

// startsGoroutines says whether a file has a go statement, or a WaitGroup's or errgroup's call of Go.
func startsGoroutines(t *testing.T, name string) (found bool) {
	t.Helper()
	file := must(parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution))
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && f.Sel.Name == "Go"
		}
		return !found
	})
	return found
}
