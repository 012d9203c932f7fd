package world_test

// Functions of the program may panic, or end their goroutine (t.FailNow does), and loops over
// iterators may be left open (iter.Pull without stop). Each exported function that calls a function
// of the program, each function that returns an iterator, and each field that holds a function has
// a row in cutshort_rows_test.go, or a reason to have none; TestEveryCallbackHasARow finds missing
// rows. For each row, the test interrupts the function in its first, second, … call, in a world of
// three objects, and checks the result of world.Recovered. With many calls it skips more and more
// of them.

import (
	"bytes"
	"fmt"
	"go/ast"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	ruinLoad  = layout.NewComponent("ruin load", uint32(7))
	ruinSpeed = layout.NewComponent[float32]("ruin speed")
	ruinAbove = layout.NewRelation("ruin above", layout.Relation{
		Disposed: layout.Cascade, Tree: true,
	})
	ruinAim   = layout.NewComponent[world.GameObject]("ruin aim")
	ruinText  = layout.NewText("ruin text")
	ruinWord  = layout.NewValues("ruin word", "none")
	ruinPlain = world.NewRecipe("ruin plain", ruinLoad, ruinSpeed)
	ruinChild = world.NewRecipe("ruin child", ruinLoad, ruinAbove)
	ruinLoads = world.NewQuery(world.Write(ruinLoad), world.Read(ruinSpeed))
	ruinNew   = world.NewQuery(world.With(ruinLoad, ruinSpeed), world.Without(ruinAim))
	ruinSaw   = world.NewWatcher(world.NewQuery(world.With(ruinLoad)))
	ruinSeen  = stage.NewSeen("ruin seen")
	ruinScore = layout.NewField[uint32]("ruin score")
	ruinGame  = world.NewResource("ruin game", ruinScore)
)

// A ruin is a world in which functions of the program are cut short.
type ruin struct {
	t     *testing.T
	s     world.State // the last State that the program has
	ids   []world.GameObject
	end   func() // how a call ends that is cut short
	cut   int    // which of the calls is
	calls int

	err    error // that the call returned
	counts world.Counts
	resume func() // goes on with an iterator that was left open
}

// here is called by each function of the program.
func (x *ruin) here() {
	if x.calls++; x.calls == x.cut && x.end != nil {
		x.end()
	}
}

func ruinCounts() world.Counts {
	c := world.Counts{
		GameObjects: 300, Names: 8, Seed: 3, Tasks: 3,
		Kinds: layout.Kinds(ruinLoad.Count(200), ruinSpeed.Count(200), ruinAbove.Count(200),
			ruinAim.Count(200), ruinText.Count(200, 900), ruinWord.Count(200)),
		Recipes: []world.Recipe{ruinPlain, ruinChild}, Watchers: []world.Watcher{ruinSaw},
		Resources: []world.ResourceKind{ruinSeen.Kind(), ruinGame},
	}
	ruinNet.AddTo(&c, 20)
	return c
}

// newRuin returns a world of three objects whose rows are in a different order.
func newRuin(t *testing.T) *ruin {
	t.Helper()
	x := &ruin{t: t, counts: ruinCounts()}
	x.s, x.ids = worldtest.Create(world.Must(world.CreateState(x.counts)), 3)
	for _, at := range []int{1, 2, 0} {
		x.s = world.Must(addKinds(x.s, x.ids[at], ruinLoad.Kind(), ruinAim.Kind(), ruinText.Kind()))
		x.s = world.Must(addKinds(x.s, x.ids[2-at], ruinSpeed.Kind(), ruinWord.Kind()))
		x.s = world.Must(world.SetName(x.s, x.ids[at], "same"))
	}
	for _, id := range x.ids[1:] {
		x.s = world.Must(addKinds(x.s, id, ruinAbove.Kind()))
		x.s = world.Must(world.Set(x.s, id, ruinAbove, x.ids[0]))
	}
	x.s, _ = world.Must2(ruinNet.Link(x.s, x.ids[0], x.ids[1], 1))
	x.s, _ = world.Must2(ruinNet.Link(x.s, x.ids[1], x.ids[0], 1))
	x.s = world.Advance(x.s)
	return x
}

// play is a step that does a bit of everything.
func (x *ruin) play(s world.State) world.State {
	s, made := world.Must2(world.Spawn(s, ruinPlain))
	x.here()
	s = world.Must(world.Set(s, x.ids[0], ruinAim, world.Record(s).Spawn(ruinPlain)))
	x.here()
	for b := range ruinLoads.In(s) {
		for i := range world.Column(b, ruinLoad) {
			world.Column(b, ruinLoad)[i]++
			b.Add(i, ruinAim)
			x.here()
		}
	}
	s = world.Must(world.Dispose(s, made))
	x.here()
	return s
}

// try calls f, and reports whether it returned.
func (x *ruin) try(f func()) (returned bool) {
	done := make(chan bool)
	go func() {
		ok := false
		defer func() {
			if v := recover(); v != nil && !strings.Contains(fmt.Sprint(v), cutText) {
				x.t.Errorf("it panics with %v", v)
			}
			done <- ok
		}()
		f()
		ok = true
	}()
	return <-done
}

const cutText = "cut short"

// contents lists what a world is seen to hold.
func contents(s world.State) map[string]bool {
	list := map[string]bool{}
	for id := range world.GameObjects(s) {
		list[id.String()] = true
		for _, f := range []*layout.FieldSpec{
			ruinLoad.Spec(), ruinSpeed.Spec(), ruinAbove.Spec(), ruinAim.Spec(), ruinText.Spec(),
		} {
			if value, _ := tool.ValueOf(s, f, id); value != nil {
				list[fmt.Sprint(id, f, string(value))] = true
			}
		}
		word, err := world.ValueOf(s, id, ruinWord)
		name, noName := world.NameOf(s, id)
		list[fmt.Sprint(id, word, err, name, noName)] = true
	}
	return list
}

// leaves says what a call that was cut short leaves.
type leaves uint8

const (
	asItWas  leaves = iota // every byte of the truth
	asBefore               // the objects and values of before
	somewhat               // each object and value as before, or as after the whole call
	anything               // what the step did before
)

// A cutRow is a call of the program's functions.
type cutRow struct {
	name   string // of a function, a method or a field
	leaves leaves
	begin  func(x *ruin) (run func()) // prepares, and returns the call
	isOpen bool                       // it may be left open
	// The call returns an error that says how its function was cut short.
	answers bool
}

// pulls returns a row of an iterator.
func pulls[V any](name string, l leaves, begin func(x *ruin) (iter.Seq[V], func(V))) cutRow {
	return cutRow{name: name, leaves: l, isOpen: true, begin: func(x *ruin) func() {
		return func() {
			seq, each := begin(x)
			if x.end == nil && x.cut > 0 { // leave it open
				next, stop := iter.Pull(seq)
				x.resume = func() { next(); stop() }
				for v, ok := next(); ok; v, ok = next() {
					each(v)
					if x.calls++; x.calls == x.cut {
						runtime.Goexit()
					}
				}
				stop()
				return
			}
			for v := range seq {
				each(v)
				x.here()
			}
		}
	}}
}

// loops is pulls for iterators that only read.
func loops[V any](name string, begin func(x *ruin) iter.Seq[V]) cutRow {
	return pulls(name, asItWas, func(x *ruin) (iter.Seq[V], func(V)) { return begin(x), func(V) {} })
}

// keys is loops for pairs.
func keys[K, V any](name string, begin func(x *ruin) iter.Seq2[K, V]) cutRow {
	return loops(name, func(x *ruin) iter.Seq[K] {
		return func(yield func(K) bool) {
			for k := range begin(x) {
				if !yield(k) {
					return
				}
			}
		}
	})
}

// walks is pulls for walks that write.
func walks(name string, begin func(x *ruin) iter.Seq[world.Batch]) cutRow {
	return pulls(name, somewhat, func(x *ruin) (iter.Seq[world.Batch], func(world.Batch)) {
		return begin(x), func(b world.Batch) {
			for i := range world.Column(b, ruinLoad) {
				world.Column(b, ruinLoad)[i] += 10
			}
		}
	})
}

// TestWhatIsCutShortIsRecovered goes through all rows, ways to be cut short, and calls.
func TestWhatIsCutShortIsRecovered(t *testing.T) {
	ways := map[string]func(){
		"panic": func() { panic(cutText) }, "Goexit": runtime.Goexit, "left open": nil,
	}
	for _, row := range cutRows() {
		t.Run(row.name, func(t *testing.T) {
			for way, end := range ways {
				for cut := 1; ; cut += 1 + cut/4 {
					x := newRuin(t)
					x.end, x.cut = end, cut
					if !x.cutShort(&row, way) {
						require.False(t, cut == 1 && end != nil, "it calls no function")
						break
					}
				}
			}
		})
	}
}

// cutShort has a call of a row cut short, and reports whether that was so.
func (x *ruin) cutShort(row *cutRow, way string) bool {
	t := x.t
	run := row.begin(x)
	if end := x.end; end == nil && !row.isOpen {
		world.Close(x.s)
		return false
	}
	before, digest := contents(x.s), world.Digest(x.s)
	twin := world.Must(world.Clone(x.s))
	called := fmt.Sprintf("%s in call %d", way, x.cut)
	if returned := x.try(run); returned && row.answers && x.calls >= x.cut {
		said := map[string]string{"panic": cutText, "Goexit": "ended its goroutine"}[way]
		require.ErrorContains(t, x.err, said, called)
	} else if returned {
		require.Less(t, x.calls, x.cut, "%s went unnoticed", called)
		world.Close(x.s)
		world.Close(twin)
		return false
	}
	s, err := world.Recovered(x.s)
	require.NoError(t, err, called)
	require.NoError(t, tool.Verify(s), called)
	after := contents(s)
	x.s, x.cut = s, 0
	switch row.leaves {
	case asItWas:
		require.Equal(t, digest, world.Digest(s), called)
	case asBefore:
		require.Equal(t, before, after, called)
	case somewhat:
		x.s = twin
		require.True(t, x.try(run), called)
		whole := contents(x.s)
		x.s, twin = s, x.s
		for line := range after {
			require.True(t, before[line] || whole[line], "%s: %s", called, line)
		}
		require.Len(t, after, len(before), called)
	}
	if row.leaves == anything {
		s = ruinSaw.Look(s) // no loop over its results is open
		x.s = s
	}
	if digest = world.Digest(s); x.resume != nil {
		x.resume()
		require.Equal(t, digest, world.Digest(s), "%s: the loop has ended", called)
	}
	require.True(t, x.try(run), "%s: it works again", called)
	if row.answers {
		require.NoError(t, x.err, called)
	}
	x.useAfter(called)
	world.Close(twin)
	return true
}

// useAfter does with a world what programs do, and closes it.
func (x *ruin) useAfter(called string) {
	t := x.t
	x.s = world.Must(world.Recovered(x.s)) // of what the second run has recorded
	var file bytes.Buffer
	o := save.Options{Codecs: []save.Codec{wordCodec(func() {})}}
	require.NoError(t, save.Write(&file, x.s, o), called)
	s, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), x.counts, o)
	require.NoError(t, err, called)
	require.Equal(t, world.Digest(x.s), world.Digest(s), called)
	world.Close(s)
	c := world.Must(world.Clone(x.s))
	p := taken(c)
	c = ruinSaw.Notify(world.Advance(c))
	c = world.Must(world.SpawnN(c, ruinPlain, 3, func(world.Batch) {}))
	c = world.Must(world.Dispose(c, x.ids[0]))
	for b := range ruinLoads.In(c) {
		b.Dispose(0)
	}
	c = world.Must(world.Apply(c))
	require.NoError(t, tool.Verify(c), called)
	c = world.Must(world.Restore(c, p))
	require.True(t, world.Equal(c, x.s), called)
	p.Close()
	world.Close(c)
	world.Close(x.s)
}

// callbackDirs are the packages whose functions have rows here.
var callbackDirs = append(slices.Clone(contractDirs), "lab", "hunt", "list", "pose", "why",
	"../systems/heroes")

// TestEveryCallbackHasARow: the row of each exported function that calls one says what a panic
// leaves.
func TestEveryCallbackHasARow(t *testing.T) {
	has := map[string]bool{}
	for _, row := range cutRows() {
		for name := range strings.FieldsSeq(row.name) {
			has[name] = true
		}
	}
	for name, why := range notCutShort {
		require.NotEmpty(t, why, name)
		require.False(t, has[name], "%s has a row", name)
		has[name] = true
	}
	found := map[string]bool{}
	for i, dir := range callbackDirs {
		if i == 1 {
			continue // package world forwards that of systems
		}
		for _, name := range callbacksOf(dir) {
			if i > 0 {
				name = filepath.Base(dir) + "." + name
			}
			found[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		assert.True(t, has[name], "%s calls a function of the program; add a row in "+
			"world/cutshort_rows_test.go that says what is left when that panics", name)
	}
	for name := range has {
		assert.True(t, found[name], "%s has a row and is not exported, or calls nothing", name)
	}
}

// callbacksOf returns the functions of a package that take functions or return iterators, and the
// fields that hold functions.
func callbacksOf(dir string) (names []string) {
	for _, f := range sourcesOf(dir) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				of := receiver(d)
				if d.Name.IsExported() && (of == "" || ast.IsExported(of)) && callsBack(d.Type) {
					names = append(names, strings.TrimPrefix(of+"."+d.Name.Name, "."))
				}
			case *ast.GenDecl:
				names = append(names, fieldsOfFunctions(d)...)
			}
		}
	}
	return names
}

func callsBack(f *ast.FuncType) bool {
	for _, p := range f.Params.List {
		if holdsFunction(p.Type) {
			return true
		}
	}
	return f.Results != nil && slices.ContainsFunc(f.Results.List, func(r *ast.Field) bool {
		return holdsFunction(r.Type)
	})
}

// holdsFunction reports whether a type is a function, an iterator, or a list of them.
func holdsFunction(e ast.Expr) (holds bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			holds = true
		case *ast.SelectorExpr:
			pkg, _ := n.X.(*ast.Ident)
			holds = holds || pkg != nil && pkg.Name == "iter"
		}
		return true
	})
	return holds
}

func fieldsOfFunctions(d *ast.GenDecl) (names []string) {
	for _, spec := range d.Specs {
		t, ok := spec.(*ast.TypeSpec)
		if !ok || !t.Name.IsExported() {
			continue
		}
		of, ok := t.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range of.Fields.List {
			for _, name := range f.Names {
				if name.IsExported() && holdsFunction(f.Type) {
					names = append(names, t.Name.Name+"."+name.Name)
				}
			}
		}
	}
	return names
}

// wordCodec returns a codec that calls a function for each value.
func wordCodec(here func()) save.Codec {
	return save.Values(ruinWord, func(dst []byte, value string) ([]byte, error) {
		here()
		return append(dst, value...), nil
	}, func(b []byte) (string, error) {
		here()
		return string(b), nil
	})
}

// asTask returns a task of the program's step.
func (x *ruin) asTask(first, end uint32) systems.Task {
	return systems.Task{
		Queries: []world.Query{ruinLoads}, First: first, End: end,
		Run: []func(world.State) world.State{x.job},
	}
}

// job is a system that may be a task.
func (x *ruin) job(s world.State) world.State {
	x.here()
	world.Record(s).Spawn(ruinPlain)
	for b := range ruinLoads.In(s) {
		for i := range world.Column(b, ruinLoad) {
			world.Column(b, ruinLoad)[i]++
			x.here()
		}
	}
	return s
}
