package world_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
)

// TestNothingFailsNamelessly calls every exported function with zero, closed, foreign and absurd
// values, one at a time and all zero: each call ends, and each refusal names its cause and the fix.
func TestNothingFailsNamelessly(t *testing.T) {
	worldtest.OneGoroutine(t)
	table := maps.Clone(contracts())
	t.Chdir(t.TempDir())
	path, _ := roomFile(newRoom(t))
	require.NoError(t, os.Rename(path, "name")) // as good texts are
	if runtime.GOOS == "js" {                   // the largest int there is half of all memory
		delete(table, "tool.Bytes")
		delete(table, "memory.Make")
	}
	bound := &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EINVAL)}
	require.EqualError(t, failure.About("link", "x", bound, "y"), "link: x: invalid argument; y")
	for _, name := range slices.Sorted(maps.Keys(table)) {
		t.Run(name, func(t *testing.T) {
			r := table[name]
			wellUsed := misuse(t, r.f, "good values", func(g *room) []reflect.Value {
				return r.arguments(g, -1, badValue{})
			})
			if worldtest.StatesChecked {
				misuse(t, r.f, "zero values", r.zeros)
			}
			for bad := range r.f.Type().NumIn() {
				for _, b := range badValues(r.f.Type().In(bad)) {
					if name == "heroes.Loop" && bad == 1 || b.unchecked && !worldtest.StatesChecked {
						continue // it runs any number of frames
					}
					how := fmt.Sprintf("argument %d is %s", bad, b.name)
					refused := misuse(t, r.f, how, func(g *room) []reflect.Value {
						return r.arguments(g, bad, b)
					})
					switch of := fmt.Sprint(r.f.Type().In(bad), " ", b.name); {
					case wellUsed.text != "":
					case refused.text != "":
						refused.check(t, r, bad, of, how)
					default:
						refused.answersNo(t, r, of, how)
					}
				}
			}
		})
	}
}

// arguments returns good arguments of a function in a room, except one bad argument.
func (r row) arguments(g *room, bad int, b badValue) []reflect.Value {
	args, given := make([]reflect.Value, r.f.Type().NumIn()), slices.Clone(r.args)
	for i := range args {
		if args[i] = g.argument(r.f.Type().In(i), false, &given); i == bad {
			args[i] = b.make(g)
		}
	}
	return args
}

// zeros returns the zero values of a function's arguments.
func (r row) zeros(*room) []reflect.Value {
	args := make([]reflect.Value, r.f.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(r.f.Type().In(i))
	}
	return args
}

// told are the errors of wrong arguments, by their types and names in contract_values_*_test.go:
// the sentinel and the text.
var told = map[string]struct {
	err  error
	text string
}{
	"gameobject.ID zero":     {world.ErrDead, `game object Nobody, the zero id, was never created; use|object nobody in cell`},
	"gameobject.ID dead":     {world.ErrDead, ofTheDead},
	"gameobject.ID former":   {world.ErrDead, ofTheDead},
	"gameobject.ID unborn":   {world.ErrDead, ofTheDead},
	"gameobject.ID foreign":  {world.ErrDead, ofTheDead},
	"gameobject.ID recorded": {nil, "Apply|name its own cell"},
	"gameobject.ID far": {
		world.ErrOutOfRange, `game object 2147483648: .* This world has 392; use an id that it returned|2147483648 in cell`,
	},
	"gameobject.ID bare": {
		world.ErrAbsent, `of game object 1: R\w+ing non-existent component. Ask with Has first, or add it.|1 in cell`,
	},
	"gameobject.ID full": {world.ErrTwice, `of game object 0: .* Remove it first, or set its values.|call Leave first`},

	"layout.Kind foreign":            {world.ErrNoKind, "foreign kind.*(Counts.Kinds|[Aa]dd )"},
	"layout.AnyKind a foreign kind":  {world.ErrNoKind, "foreign kind.*(Counts.Kinds|[Aa]dd )"},
	"layout.Values[string] foreign":  {world.ErrNoKind, "foreign names.*Counts.Kinds"},
	"layout.Field[float32] foreign":  {world.ErrNoKind, "foreign"},
	"layout.AnyKind a mark":          {nil, "busy mark (is a mark and has no rows; add it to an object|is not in use)|add one"},
	"layout.Row disposed":            {nil, ofARow},
	"layout.Row new":                 {nil, ofARow},
	"layout.Row beyond":              {nil, ofARow},
	"systems.Recipe foreign":         {nil, "foreign recipe.*(Counts.Recipes|to the recipe)"},
	"systems.Watcher foreign":        {nil, ofAWatcher() + ".*Counts.Watchers"},
	"systems.Events foreign":         {nil, "foreign events.*(Counts.Events|these events)"},
	"systems.EventReader foreign":    {nil, "foreign reader.*Counts.Events"},
	"systems.ResourceKind foreign":   {nil, "foreign resource.*Counts.Resources"},
	"systems.Shared[string] foreign": {nil, "foreign shared.*Counts.Resources"},
	"systems.Seen foreign":           {nil, "foreign seen.*Counts.Resources"},
	"int -1":                         {nil, "-1|no number is below 0"},
	"int -2147483648":                {nil, "-2147483648|no number is below 0"},
}

// A release, which is small, does not say what a watcher finds.
func ofAWatcher() string {
	if worldtest.StatesChecked {
		return "NewQuery.Read.foreign kind"
	}
	return "that was given"
}

const (
	ofTheDead = `game object \S+ was disposed, or belongs to another world; ask Alive first|name its own cell`
	ofARow    = `row \d+ of .* is not in use, \d+ of (70|0) rows are; use a row that CreateComponent or Ensure ` +
		`returned, until its component is disposed|Touch of 1 rows from \d+ of`
)

// check checks the text of a refusal, whether it is an error, and what that names.
func (f refusal) check(t *testing.T, r row, bad int, of, how string) {
	t.Helper()
	want := told[of]
	assert.Regexp(t, want.text, f.text, how)
	if r.fallible() && !strings.HasPrefix(r.name, "Query.K") { // Query.Key and Query.Kinds report missing kinds
		endsAs(t, of, how, f.panicked)
	}
	if want.err == nil || f.panicked || strings.HasPrefix(r.name, "space.") {
		return
	}
	require.ErrorIs(t, f.err, want.err, how)
	var e *world.Error
	if !errors.As(f.err, &e) {
		assert.True(t, strings.HasPrefix(r.name, "save."), "%s: it is no *world.Error", how)
		return
	}
	switch id, isID := reflect.TypeAssert[world.GameObject](f.args[bad]); {
	case errors.Is(want.err, world.ErrNoKind):
		assert.Contains(t, e.Kind, "foreign", how)
		assert.Equal(t, f.givenID(), e.ID, how)
	case isID:
		assert.Equal(t, id, e.ID, how)
		if id != world.Nobody {
			assert.Contains(t, f.text, fmt.Sprintf("game object %+v", id), how)
		}
		assert.Equal(t, roomIn(e.Kind), e.Count, "%s: of %s", how, e.Kind)
	}
}

// givenID returns the object argument of a call, or nobody.
func (f refusal) givenID() (id world.GameObject) {
	for _, a := range f.args {
		if given, ok := reflect.TypeAssert[world.GameObject](a); ok {
			id = given
		}
	}
	return id
}

// takenBy are the functions that accept wrong arguments: functions that ask about an object and
// return false, commands, which Apply refuses, functions that close, and functions that only
// describe a declaration.
var takenBy = []struct{ values, functions string }{
	{
		`^gameobject\.ID (zero|dead|former|unborn|foreign|far|\d+)$`,
		`Alive|ChildCount|Children|Commands\.(Add|Copy|Dispose|Remove)|Has|Put|Query\.(ChildrenOf|Matches|Of)|` +
			`Reader\..*|Writer\.At|family\.(Children|Count)|index\.Index\..*|network\.Network\.[DIN].*|` +
			`network\.Network\.Out|pack\.SameID|replica\.Conn\.Spawned|replica\.Was|tool\.(Groups\.Place|ValueOf)`,
	},
	{`^layout\.Row (disposed|new|beyond|\d+)$`, `tool\.(AnyValueOf|RowUseOf|Touch)`},
	{`^systems\.State (zero|of a closed world)$`, `Discard|hand\..*|inspect\..*|replica\..*`},
	{`^systems\.(Batch|Commands|Reader\S*|Writer\S*) (zero|over|of a (closed|changed) world)$`, ``},
	{`^(space\.View\S* zero|\*space\.Cells\S* not built)$`, `space\.Cells\.Build`},
	{`^\*systems\.Snapshot (zero|empty|of another world)$`, `Snapshot\..*`},
	{`^systems\.Query (zero|foreign)$`, `FieldsOf|NewWatcher|Query\.(And|AtDepth|String)|tool\.FieldsOf`},
	{`^systems\.Recipe (zero|foreign)$`, `Recipe\.String|RecipeOf|replica\.NewSchema`},
	{
		`^systems\.(Watcher|Events|EventReader|ResourceKind|Shared\S*|Seen) (zero|foreign)$`,
		`Watcher\.(Named|Query)|EventReader\.String|Events\.(Count|NewReader|String)|EventKind|` +
			`ResourceKind\.String|Shared\.(Kind|Values)|save\.Shared|stage\.Seen\.Kind`,
	},
	{
		`^layout\.(Kind|AnyKind|Field\[float32\]|Values\S*) (zero|foreign|kindless|a zero \w+|a foreign kind)$`,
		`Has|layout\..*|save\..*|replica\.Mark|tool\.ValueColumn`,
	},
}

// answersNo checks that a function may take a wrong argument, and what it returned.
func (f refusal) answersNo(t *testing.T, r row, of, how string) {
	t.Helper()
	for i, by := range takenBy {
		if !regexp.MustCompile(by.values).MatchString(of) ||
			strings.HasSuffix(of, "of a changed world") && !worldtest.StatesChecked {
			continue
		}
		assert.Regexp(t, `^(`+by.functions+`)$`, r.name, "%s: it is not refused", how)
		for _, answer := range f.results {
			if i == 0 && answer.Kind() == reflect.Bool && r.name != "index.Index.One" { // without a parent
				assert.False(t, answer.Bool(), how)
			}
		}
	}
}

// roomIn returns how many objects, or rows of a kind, an exhibit has.
func roomIn(kind string) int {
	c := exhibitCounts()
	switch kind {
	case "game object":
		return c.GameObjects
	case world.NameKind.String():
		return c.Names
	case pack.Global.Spec().Name:
		return c.Globals
	}
	i := slices.IndexFunc(c.Kinds, func(n layout.Count) bool { return n.Kind.String() == kind })
	return c.Kinds[i].Rows
}

// mistakes are the kinds of wrong arguments, by their types and names, and how each ends in all calls
// that return errors, as docs/GUIDE.md says: what data can cause is an error.
var mistakes = []struct {
	what, values string
	panics       bool
}{
	{"an id that names no object", `^gameobject\.ID (zero|dead|former|unborn|foreign|far|recorded|bare|\d+)$|^\[\]gameobject\.ID one that is `, false},
	{"a kind that the world lacks", `^(\[\])?layout\.(Any)?(Kind|Field|Values)\b.* foreign( kind)?$`, false},
	{"bytes of another world", `^\*(systems\.Snapshot|history\.History) of another world$`, false},
	{"a recipe, query or the like that it lacks", `^\*?(systems\.[^C]|network\.|stage\.|layout\.FieldV).* foreign$`, true},
	{"no declaration", `^(\*|layout\.([^R]|Rel)|systems\.[^C]|io\.|net\.|context\.)\S+ (zero|kindless|no relation)$|^\*(link|replica|space|network)\.\S+ one to a zero value$`, true},
	{"a closed world", `^systems\.State of a closed world$`, true},
}

// endsAs checks that a wrong argument is refused as its kind of mistake is.
func endsAs(t *testing.T, want, how string, panicked bool) {
	t.Helper()
	for _, m := range mistakes {
		if regexp.MustCompile(m.values).MatchString(want) {
			assert.Equal(t, m.panics, panicked, "%s, %s: does it panic, as elsewhere?", how, m.what)
		}
	}
}

// A refusal is how a misused call ended, and what it was refused with, if it was.
type refusal struct {
	text     string
	err      error
	panicked bool

	args, results []reflect.Value
}

// misuse calls f with arguments, looks how it ends, and returns what it is refused with.
func misuse(t *testing.T, f reflect.Value, how string, arguments func(g *room) []reflect.Value) (r refusal) {
	t.Helper()
	g := newRoom(t)
	defer g.close()
	ended := make(chan any, 1)
	var before []byte
	go func() {
		defer func() { ended <- recover() }()
		r.args = arguments(g) // which may be refused already
		before = bytes.Clone(world.Bytes(g.s))
		r.results = invoke(f, r.args)
		r.err = checkResults(t, how, r.results, r.args)
	}()
	select {
	case fault := <-ended:
		if checkFault(t, how, fault); fault != nil {
			r.text, r.panicked = fmt.Sprint(fault), true
		} else if r.err != nil {
			r.text = r.err.Error()
		}
		if r.text != "" {
			leftAlone(t, how, g, before)
			checkText(t, how, r)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s: it hangs", how)
	}
	return r
}

// unclear is in no text: a package's name twice, a name that is empty, an address, a system call.
var unclear = regexp.MustCompile(`: ` + packages + `: |manager: |  |0x[0-9a-f]|` +
	`(^|: )(open|stat|lstat|rename|fsync|sync|mmap|mkdir|accept|listen|dial) [^;]*: |^(open|stat|listen): `)

// checkText checks the text of a refusal: the cause comes first, and the fix last.
func checkText(t *testing.T, how string, r refusal) {
	t.Helper()
	text, _, _ := strings.Cut(r.text, "\n\n")
	if strings.HasSuffix(t.Name(), "/PanicOf") || text == context.Canceled.Error() ||
		errors.As(r.err, new(*tool.TextError)) {
		return // a panic's stack, what it is an error of, what the caller did, and a place in a text
	}
	assert.Regexp(t, sentence, text, how)
	assert.NotRegexp(t, unclear, text, how)
	assert.NotRegexp(t, `;[^;"(]*: [A-Zat]`, text, "%s: the cure comes last", how)
}

// invoke calls f, goes through the lists that it returns, and has released what can be.
func invoke(f reflect.Value, args []reflect.Value) []reflect.Value {
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	results := call(args)
	for _, r := range results {
		if free, ok := reflect.TypeAssert[func()](r); ok && free != nil {
			free()
		}
		if seq := r.Type(); seq.Kind() == reflect.Func && seq.NumIn() == 1 && seq.NumOut() == 0 &&
			seq.In(0).Kind() == reflect.Func {
			n := 0
			r.Call([]reflect.Value{reflect.MakeFunc(seq.In(0), func([]reflect.Value) []reflect.Value {
				n++
				return []reflect.Value{reflect.ValueOf(n < 1000)}
			})})
		}
	}
	return results
}

// leftAlone checks that a call that was refused left every byte of its world, unless that is closed
// or has gone on, which unchecked States do not know.
func leftAlone(t *testing.T, how string, g *room, before []byte) {
	t.Helper()
	if !worldtest.StatesChecked {
		return
	}
	defer func() { _ = recover() }()
	value, _ := world.ValueOf(g.s, g.full, busyNames)
	if now := world.Bytes(g.s); before != nil && (!bytes.Equal(before, now) || value != "nobody") {
		t.Errorf("%s: it is refused, and changes the world", how)
	}
}

// checkResults looks at what a call returned, and returns its error.
func checkResults(t *testing.T, how string, results, args []reflect.Value) (err error) {
	t.Helper()
	for _, r := range results {
		if e, ok := reflect.TypeAssert[error](r); ok {
			err = e
			assert.NotErrorAs(t, err, new(runtime.Error), "%s: a bare runtime error", how)
			assert.NotEmpty(t, err.Error(), how)
		}
	}
	for _, r := range results {
		if s, ok := reflect.TypeAssert[world.State](r); ok && err == nil && s == (world.State{}) {
			given := slices.ContainsFunc(args, func(a reflect.Value) bool {
				s, ok := reflect.TypeAssert[world.State](a)
				return ok && s != world.State{}
			})
			assert.False(t, given, "%s: it returns the zero State and no error", how)
		}
	}
	return err
}

// sentence matches an error or a panic: it begins with the package that the program imported, or
// with flatecs for a call of world, and ends in the fix.
var sentence = regexp.MustCompile(`^` + packages + `: .+(; |\. [A-Z]).+`)

const packages = `(flatecs|layout|mask|values|save|record|delta|pack|session|link|replica|inspect|schedule|stage|history|` +
	`timeline|memory|network|random|space|family|hand|share|pool)`

// checkFault looks at what a call panicked with: a sentence, or an error that is one.
func checkFault(t *testing.T, how string, fault any) {
	t.Helper()
	switch fault := fault.(type) {
	case nil:
	case runtime.Error:
		t.Errorf("%s: a bare runtime error: %v", how, fault)
	case string:
		assert.Regexp(t, sentence, fault, how)
	case error:
		assert.Regexp(t, sentence, fault.Error(), how)
	default:
		t.Errorf("%s: it panics with %T", how, fault)
	}
}

// ofStates reports whether values of a type are States, or hold one.
func ofStates(t reflect.Type) bool {
	return t == reflect.TypeFor[world.State]() || t == reflect.TypeFor[systems.Tools]()
}

// A badValue is one that a function may be misused with.
type badValue struct {
	name      string
	make      func(g *room) reflect.Value
	unchecked bool // where States are not checked
}

func constant(name string, v reflect.Value) badValue {
	return badValue{name, func(*room) reflect.Value { return v }, ofStates(v.Type())}
}

// badValues returns the bad values for a parameter of a type: its zero value, extreme values, and
// the listed values.
func badValues(t reflect.Type) []badValue {
	list := []badValue{constant("zero", reflect.Zero(t))}
	list = append(list, extremes(t)...)
	for name, v := range listed()[t].bad {
		list = append(list, badValue{
			name, func(g *room) reflect.Value { return g.value(t, g.make(v)) }, ofStates(t),
		})
	}
	switch t.Kind() {
	case reflect.Slice:
		for _, e := range badValues(t.Elem()) {
			list = append(list, badValue{"one that is " + e.name, func(g *room) reflect.Value {
				return reflect.Append(reflect.Zero(t), e.make(g))
			}, e.unchecked})
		}
	case reflect.Func:
		if t.NumOut() > 0 {
			list = append(list, constant("one that returns nothing good", idle(t)))
		}
	case reflect.Pointer:
		list = append(list, badValue{"one to a zero value", func(*room) reflect.Value {
			return reflect.New(t.Elem())
		}, false})
	}
	return list
}

// extremes returns numbers and texts that are too small or too large.
func extremes(t reflect.Type) (list []badValue) {
	number := func(v any) {
		list = append(list, constant(fmt.Sprint(v), reflect.ValueOf(v).Convert(t)))
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		for _, n := range []int64{-1, math.MinInt32, math.MaxInt32} {
			number(n)
		}
		if t.Bits() == 64 {
			for _, n := range []int64{math.MinInt64, 1 << 40, math.MaxInt64} {
				number(n)
			}
		}
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		number(uint64(1)<<(t.Bits()-1)<<1 - 1)
		number(uint64(1) << (t.Bits() - 1))
	case reflect.Float32, reflect.Float64:
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			number(x)
		}
	case reflect.String:
		for _, s := range []string{"\xff", strings.Repeat("long", 200)} {
			number(s)
		}
	}
	return list
}

// idle returns a function that does nothing and returns zero values.
func idle(t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		results := make([]reflect.Value, t.NumOut())
		for i := range results {
			results[i] = reflect.Zero(t.Out(i))
		}
		return results
	})
}

// obliging returns a function that returns its arguments where it can, zero values elsewhere.
func obliging(t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		results := make([]reflect.Value, t.NumOut())
		for i := range results {
			results[i] = reflect.Zero(t.Out(i))
			for _, a := range args {
				if a.Type() == t.Out(i) {
					results[i] = a
				}
			}
		}
		return results
	})
}

// good returns a value of a type that a function may well be called with.
func (g *room) good(t reflect.Type) reflect.Value {
	if l, ok := listed()[t]; ok {
		return g.value(t, l.good(g))
	}
	switch t.Kind() {
	case reflect.Func:
		return obliging(t)
	case reflect.Slice:
		return reflect.Append(reflect.Zero(t), g.good(t.Elem()))
	case reflect.Pointer:
		return reflect.New(t.Elem())
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Float32:
		return reflect.ValueOf(1).Convert(t)
	case reflect.String:
		return reflect.ValueOf("name").Convert(t)
	case reflect.Interface:
		g.t.Errorf("no good value of type %v is known; list one in contract_values_*_test.go", t)
	}
	return reflect.Zero(t)
}

// value returns v as a value of a type, which may be an interface.
func (g *room) value(t reflect.Type, v any) reflect.Value {
	r := reflect.New(t).Elem()
	if v != nil {
		r.Set(reflect.ValueOf(v))
	}
	return r
}

// make returns v, or what it makes in a room.
func (g *room) make(v any) any {
	if f, ok := v.(func(*room) any); ok {
		return f(g)
	}
	return v
}
