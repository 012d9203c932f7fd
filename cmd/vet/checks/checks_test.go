package checks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	own "github.com/flatecs/flatecs/layout"
	portal "github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

// The packages of testdata import flatecs as it is, and say in comments what is to be found:
//
//	rise(state) // want `the State that rise returns is dropped`
func TestChecksFindWhatIsWanted(t *testing.T) {
	for check, packages := range map[*analysis.Analyzer][]string{
		Allow:         {"./testdata/allowances"},
		Deterministic: {"./testdata/deterministic"},
		Dropped:       {"./testdata/dropped"},
		Kept:          {"./testdata/kept"},
		Readonly:      {"./testdata/readonly"},
		Rowwise:       {"./testdata/rowwise"},
		Usedup:        {"./testdata/usedup"},
		factsOf:       {"./testdata/forks"},
	} {
		t.Run(check.Name, func(t *testing.T) {
			analysistest.Run(t, vetModule(t), check, packages...)
		})
	}
}

func TestProductsAreMended(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, vetModule(t), Deterministic, "./testdata/fused")
}

func vetModule(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	require.NoError(t, err)
	return dir
}

func TestEveryCheckIsDocumented(t *testing.T) {
	for _, check := range All {
		assert.Contains(t, check.Doc, "\n\n\t", "%s has no example", check.Name)
		assert.Contains(t, check.Doc, "Limits: ", check.Name)
	}
}

// The functions that the checks know by name.
var _ = []any{
	portal.Clone, portal.Resized, portal.Close, portal.SpawnN,
	portal.Column[float32], own.Flat[float32, float32], list.Column[float32],
	portal.NewQuery, portal.Query.And, portal.Read, portal.Write, portal.Optional,
	portal.With, portal.Without, portal.Any, portal.RowWise,
	own.NewKind, own.NewComponent[float32],
	portal.NextStream, portal.Random, portal.SetResource[float32], // which messages tell of
}

func TestNamesAreThoseOfFlatecs(t *testing.T) {
	for name, is := range map[string]reflect.Type{
		state:               reflect.TypeFor[portal.State](),
		batch:               reflect.TypeFor[portal.Batch](),
		query:               reflect.TypeFor[portal.Query](),
		field + "[float32]": reflect.TypeFor[own.Field[float32]](),
		bag + "[float32]":   reflect.TypeFor[own.List[float32]](),
		text:                reflect.TypeFor[own.Text](),

		listColumn + "[float32]": reflect.TypeFor[list.Lists[float32]](),
	} {
		assert.Equal(t, name, is.PkgPath()+"."+is.Name())
	}
}

// The packages export what the check names in place of functions of math, and nothing else does.
func TestFunctionsInPlaceOfMathAreThoseOfExact(t *testing.T) {
	for dir, names := range map[string][]string{"exact": inExact, "exact/double": inDouble} {
		files, err := filepath.Glob("../../../buffer/" + dir + "/*.go")
		require.NoError(t, err)
		var exported []string
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			require.NoError(t, err)
			for _, decl := range parsed.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if ok && f.Recv == nil && f.Name.IsExported() && !slices.Contains(same, f.Name.Name) &&
					!strings.HasSuffix(file, "_test.go") {
					exported = append(exported, f.Name.Name)
				}
			}
		}
		assert.ElementsMatch(t, exported, names, dir)
	}
}
