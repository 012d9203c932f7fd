package world_test

import (
	"bytes"
	"context"
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

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestNothingFailsNamelessly calls every exported function with zero, closed, foreign and absurd
// values, one at a time and all zero: each call ends, and what it refuses it names, with the cure.
func TestNothingFailsNamelessly(t *testing.T) {
	worldtest.OneGoroutine(t)
	table := maps.Clone(contracts())
	t.Chdir(t.TempDir())
	path, _ := roomFile(newRoom(t))
	require.NoError(t, os.Rename(path, "name")) // as good texts are
	if runtime.GOOS == "js" {                   // the largest int of theirs is half of all memory there is
		delete(table, "tool.Bytes")
		delete(table, "memory.Make")
	}
	bound := &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EINVAL)}
	require.EqualError(t, failure.About("link", "x", bound, "y"), "link: x: invalid argument; y")
	for _, name := range slices.Sorted(maps.Keys(table)) {
		t.Run(name, func(t *testing.T) {
			f := table[name].f
			wellUsed, _ := misuse(t, f, func(g *room, i int) reflect.Value {
				return g.good(f.Type().In(i))
			}, "good values")
			if worldtest.StatesChecked {
				misuse(t, f, func(_ *room, i int) reflect.Value {
					return reflect.Zero(f.Type().In(i))
				}, "zero values")
			}
			for bad := range f.Type().NumIn() {
				for _, b := range badValues(f.Type().In(bad)) {
					if name == "heroes.Loop" && bad == 1 {
						continue // it runs as many frames as it is told, however many
					}
					if b.unchecked && !worldtest.StatesChecked {
						continue
					}
					how := fmt.Sprintf("argument %d is %s", bad, b.name)
					text, panicked := misuse(t, f, func(g *room, i int) reflect.Value {
						if i == bad {
							return b.make(g)
						}
						return g.good(f.Type().In(i))
					}, how)
					if want := f.Type().In(bad).String() + " " + b.name; text != "" && wellUsed == "" {
						assert.Regexp(t, told[want], text, how)
						if table[name].fallible() && !strings.HasPrefix(name, "Query.K") { // which ask what is lacking
							endsAs(t, want, how, panicked)
						}
					}
				}
			}
		})
	}
}

// told are what the texts name of wrong arguments, by their types and names in contract_values_*_test.go.
var told = map[string]string{
	"gameobject.ID zero": "Nobody|nobody", "gameobject.ID dead": "Alive", "gameobject.ID recorded": "Apply",
	"layout.Kind foreign": "foreign kind.*(Counts.Kinds|[Aa]dd )", "layout.AnyKind a foreign kind": "foreign kind",
	"layout.Values[string] foreign": "foreign names.*Counts.Kinds", "layout.Field[float32] foreign": "foreign",
	"systems.Recipe foreign":         "foreign recipe.*(Counts.Recipes|to the recipe)",
	"systems.Watcher foreign":        "NewQuery.Read.foreign kind.*Counts.Watchers",
	"systems.Events foreign":         "foreign events.*(Counts.Events|these events)",
	"systems.EventReader foreign":    "foreign reader.*Counts.Events",
	"systems.ResourceKind foreign":   "foreign resource.*Counts.Resources",
	"systems.Shared[string] foreign": "foreign shared.*Counts.Resources",
	"systems.Seen foreign":           "foreign seen.*Counts.Resources",
	"int -1":                         "-1|no number is below 0", "int -2147483648": "-2147483648|no number is below 0",
}

// mistakes are the kinds of wrong arguments, by their types and names, and how each ends in all calls
// that return errors, as docs/GUIDE.md says: what data can cause is an error.
var mistakes = []struct {
	what, values string
	panics       bool
}{
	{"an id that names no object", `^gameobject\.ID (zero|dead|far|recorded|bare|\d+)$|^\[\]gameobject\.ID one that is `, false},
	{"a kind that the world lacks", `^(\[\])?layout\.(Any)?(Kind|Field|Values)\b.* foreign( kind)?$`, false},
	{"bytes of another world", `^\*(systems\.Snapshot|history\.History) of another world$`, false},
	{"a recipe, query or the like that it lacks", `^\*?(systems\.[^C]|network\.|stage\.|layout\.FieldV).* foreign$`, true},
	{"no declaration", `^(\*|layout\.|systems\.[^C]|io\.|net\.|context\.)\S+ (zero|kindless|no relation)$`, true},
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

// misuse calls f with arguments, looks how it ends, and returns what it is refused with.
func misuse(
	t *testing.T, f reflect.Value, arg func(g *room, i int) reflect.Value, how string,
) (text string, panicked bool) {
	t.Helper()
	g := newRoom(t)
	defer g.close()
	ended := make(chan any, 1)
	var before []byte
	go func() {
		defer func() { ended <- recover() }()
		args := make([]reflect.Value, f.Type().NumIn())
		for i := range args {
			args[i] = arg(g, i) // which may be refused already
		}
		before = bytes.Clone(world.Bytes(g.s))
		text = checkResults(t, how, invoke(f, args), args)
	}()
	select {
	case fault := <-ended:
		if checkFault(t, how, fault); fault != nil {
			text, panicked = fmt.Sprint(fault), true
		}
		if text != "" {
			leftAlone(t, how, g, before)
			checkText(t, how, text)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s: it hangs", how)
	}
	return text, panicked
}

// unclear is in no text: a package's name twice, a name that is empty, an address, a system call.
var unclear = regexp.MustCompile(`: ` + packages + `: |manager: |  |0x[0-9a-f]|` +
	`(^|: )(open|stat|lstat|rename|fsync|sync|mmap|mkdir|accept|listen|dial) [^;]*: |^(open|stat|listen): `)

// checkText looks at what a call is refused with: the cause comes first, and the cure last.
func checkText(t *testing.T, how, text string) {
	t.Helper()
	text, _, _ = strings.Cut(text, "\n\n")
	if strings.HasSuffix(t.Name(), "/PanicOf") || text == context.Canceled.Error() {
		return // a panic's stack, what it is an error of, and what the caller did
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

// leftAlone checks that a call that was refused left every byte of its world, unless that is closed.
func leftAlone(t *testing.T, how string, g *room, before []byte) {
	t.Helper()
	defer func() { _ = recover() }()
	if now := world.Bytes(g.s); before != nil && !bytes.Equal(before, now) {
		t.Errorf("%s: it is refused, and changes the world", how)
	}
}

// checkResults looks at what a call returned, and returns the text of its error.
func checkResults(t *testing.T, how string, results, args []reflect.Value) (text string) {
	t.Helper()
	for _, r := range results {
		if err, ok := reflect.TypeAssert[error](r); ok {
			text = err.Error()
			assert.NotErrorAs(t, err, new(runtime.Error), "%s: a bare runtime error", how)
			assert.NotEmpty(t, text, how)
		}
	}
	for _, r := range results {
		if s, ok := reflect.TypeAssert[world.State](r); ok && text == "" && s == (world.State{}) {
			given := slices.ContainsFunc(args, func(a reflect.Value) bool {
				s, ok := reflect.TypeAssert[world.State](a)
				return ok && s != world.State{}
			})
			assert.False(t, given, "%s: it returns the zero State and no error", how)
		}
	}
	return text
}

// sentence is what an error or a panic looks like: it begins with the package that the program
// imported, or with flatecs where it called world, and ends in the cure.
var sentence = regexp.MustCompile(`^` + packages + `: .+(; |\. [A-Z]).+`)

const packages = `(flatecs|layout|mask|values|save|delta|pack|session|link|replica|inspect|schedule|stage|history|` +
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
	return t == reflect.TypeFor[world.State]() || t == reflect.TypeFor[systems.Arena]()
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

// badValues returns what a parameter of a type may be misused with: its zero value, extreme ones,
// and those that are listed.
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
