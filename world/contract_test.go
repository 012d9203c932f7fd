package world_test

// The contract of the library is a table with a row for each exported function and method of
// systems (as world forwards them), world, layout, and the packages below them. The tests make of it:
//
//   - TestEveryNameHasARow: a name without a row, or a row without a name, fails
//   - TestEveryFunctionKeepsItsContract: what a function does with good, used up and snapshots' States
//   - TestWritersOutliveWhatEndsNothing: which functions end the Writers of a world
//   - TestNothingFailsNamelessly: bad arguments are refused with a sentence that names the cure
//
// A new function needs a row, in the table of its package in contract_rows_*_test.go, and so does a
// new method that differs from the other methods of its type:
//
//	reads.of(world.Get[float32])
//	reads.methods(world.Batch{})
//	records.only(world.Batch{}, "Add")
//
// The class (reads) says what they do with a State. Arguments are chosen by type: good and bad
// values of each type are listed in contract_values_*_test.go, and a new type needs a list there.
// If the good values do not suit, with replaces them; refusing names the refused ones.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
)

// A class says what a function does with the State that it is given.
type class uint8

const (
	fails        class = iota // nothing is said: the tests look only at how it fails
	pure                      // it knows no State
	creates                   // it knows no State, and returns one of a new world
	reads                     // it leaves every byte of the world as it was
	makes                     // it reads, and returns the State of another world
	records                   // it reads, and records commands, which a snapshot's State does not
	points                    // it writes, and leaves its State; it does not take a snapshot's
	writes                    // it uses its State up and returns the next one
	restructures              // it writes, and ends the Writers of its world
	draws                     // it writes, and also takes a snapshot's State
	passes                    // it returns the State that it was given
	closes                    // it closes the world
	discards                  // it closes the world by any of its States, even a stale one
	recovers                  // it takes any State of a world, and returns a good one
)

// is reports whether a class is one of a list.
func (c class) is(list ...class) bool { return slices.Contains(list, c) }

// A call calls a function in the world of an exhibit, with one of its States.
type call = func(x *exhibit, s world.State) (world.State, error)

// A row is the contract of a function or method.
type row struct {
	name    string // F or T.F, behind the package's name if it is not systems or world
	f       reflect.Value
	does    class
	rest    bool  // it says nothing of a method that has a row of its own
	args    []any // instead of the good values of their types
	refused []any // what it refuses; nil if it refuses an open walk
	instead call  // nil: f is called with good arguments
}

// of returns the rows of functions.
func (c class) of(functions ...any) (all table) {
	for _, f := range functions {
		name, _, _ := strings.Cut(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name(), "[")
		all = append(all, row{name: short(name), does: c, f: reflect.ValueOf(f)})
	}
	return all
}

// only returns the rows of methods of v's type, whose names are separated by spaces.
func (c class) only(v any, names string) (all table) {
	t := reflect.TypeOf(v)
	for name := range strings.FieldsSeq(names) {
		m, ok := t.MethodByName(name)
		if !ok {
			panic(fmt.Sprint("contract: ", t, " has no method ", name))
		}
		all = append(all, row{name: typeName(t) + "." + name, does: c, f: m.Func})
	}
	return all
}

// methods returns the rows of all methods of types that no other row names. Methods of values come
// before methods of pointers.
func (c class) methods(values ...any) (all table) {
	for _, v := range values {
		t := reflect.TypeOf(v)
		for m := range t.Methods() {
			if name := typeName(t) + "." + m.Name; exported()[name] && !slices.Contains(notMisused, name) {
				all = append(all, row{name: name, does: c, f: m.Func, rest: true})
			}
		}
	}
	return all
}

// typeName returns the name of a type, or of the type that it points to.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return short(t.PkgPath() + "." + name)
}

// short returns a name behind its package's, or alone if that is systems or world.
func short(name string) string {
	name = strings.TrimPrefix(path.Base(name), "systems.")
	return strings.TrimPrefix(name, "world.")
}

// A table is a list of rows.
type table []row

func (all table) each(f func(r *row)) table {
	for i := range all {
		f(&all[i])
	}
	return all
}

// named gives a function the name of another one, which calls it.
func (all table) named(name string) table { return all.each(func(r *row) { r.name = name }) }

// with says which arguments functions need: values, or functions of a room that make them. Each is
// for the first parameter that takes it.
func (all table) with(args ...any) table { return all.each(func(r *row) { r.args = args }) }

// refusing says which arguments functions refuse, where an open walk is no reason to.
func (all table) refusing(args ...any) table { return all.each(func(r *row) { r.refused = args }) }

// by replaces the call with good arguments.
func (all table) by(f call) table { return all.each(func(r *row) { r.instead = f }) }

// fallible reports whether a function returns an error.
func (r row) fallible() bool {
	t := r.f.Type()
	return t.NumOut() > 0 && t.Out(t.NumOut()-1) == reflect.TypeFor[error]()
}

// contracts returns the row of each function and method.
var contracts = sync.OnceValue(func() map[string]row {
	all := map[string]row{}
	for _, rest := range []bool{false, true} {
		for _, r := range slices.Concat(worldRows(), packageRows()) {
			if _, ok := all[r.name]; r.rest == rest && !ok {
				all[r.name] = r
			} else if ok && !rest && !r.rest {
				panic("contract: " + r.name + " has two rows")
			}
		}
	}
	return all
})

// contractDirs are the packages whose functions have rows; the first two are covered by world.
var contractDirs = []string{
	"../systems", ".",
	"../layout", "../layout/mask", "../systems/tool", "delta", "family", "hand",
	"heroes", "history", "index", "inspect", "link", "memory", "network", "pack", "pool",
	"random", "record", "replica", "save", "schedule", "stage",
	"session", "share", "space", "timeline",
}

// exported returns the names of all exported functions and methods.
var exported = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for i, dir := range contractDirs {
		pkg := filepath.Base(dir) + "."
		if i < 2 {
			pkg = ""
		}
		for _, name := range exportedFuncs(dir) {
			names[pkg+name] = true
		}
	}
	return names
})

// TestEveryNameHasARow: the row of each exported function says what it does with States.
func TestEveryNameHasARow(t *testing.T) {
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(exported())) {
		if _, ok := all[name]; !ok && !slices.Contains(notMisused, name) {
			t.Errorf("%s is exported and has no row: add one in world/contract_rows_*_test.go; "+
				"world/contract_test.go says how", name)
		}
	}
	for name, r := range all {
		assert.True(t, exported()[name], "%s has a row and is not exported: delete the row", name)
		r.testSignature(t)
	}
}

// testSignature checks that a class goes with the States that a function takes and returns.
func (r row) testSignature(t *testing.T) {
	t.Helper()
	takes, returns := false, false
	for in := range r.f.Type().Ins() {
		takes = takes || in == reflect.TypeFor[world.State]()
	}
	for out := range r.f.Type().Outs() {
		returns = returns || out == reflect.TypeFor[world.State]()
	}
	switch {
	case r.does == fails:
	case takes && r.does.is(pure, creates):
		t.Errorf("%s takes a State: it reads or writes", r.name)
	case returns && r.does.is(pure, reads, records, points, closes, discards):
		t.Errorf("%s returns a State: it creates, makes or writes", r.name)
	}
}

// sourcesOf returns the files of a package, without its tests.
func sourcesOf(dir string) (files []*ast.File) {
	for _, file := range world.Must(filepath.Glob(dir + "/*.go")) {
		if !strings.HasSuffix(file, "_test.go") {
			files = append(files, world.Must(parser.ParseFile(token.NewFileSet(), file, nil, 0)))
		}
	}
	return files
}

// exportedFuncs returns the exported functions and methods of a package: F, or T.F.
func exportedFuncs(dir string) (names []string) {
	for _, f := range sourcesOf(dir) {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() {
				if of := receiver(d); of == "" || ast.IsExported(of) {
					names = append(names, strings.TrimPrefix(of+"."+d.Name.Name, "."))
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type that a method is of, or "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
	return strings.TrimPrefix(of, "*")
}
