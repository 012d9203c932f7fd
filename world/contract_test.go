package world_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A contract says what an exported function does with the State that it is given, and calls it.
type contract struct {
	class   class
	call    call
	refused call // nil: call, in an open walk
	never   bool // it has no error to refuse with
	makes   bool // it returns the State of another world
	live    bool // it refuses a snapshot's State
	shows   bool // it takes a snapshot's State
	passes  bool // it hands its State on as it is
}

// A call calls the function in the world of an exhibit, with one of its States.
type call = func(x *exhibit, s world.State) (world.State, error)

type class uint8

const (
	reader    class = iota // leaves every byte of the world as it was
	consumer               // uses its State up and returns the next one
	pure                   // knows no State
	ender                  // closes the world
	discarder              // closes it by any of its States, also by one that was used up
)

const (
	usedUpState = "flatecs: this State was used up by an earlier call; " +
		"write state = world.F(state, …)"
	snapshotState = "flatecs: this State is a snapshot's, which is only read; " +
		"restore it into a world, or Clone it"
	closedState = "flatecs: this State was closed; use it before Close, or close later"
)

// reads is the contract of a function that returns no State.
func reads(f func(x *exhibit, s world.State)) contract {
	return contract{class: reader, call: func(x *exhibit, s world.State) (world.State, error) {
		f(x, s)
		return s, nil
	}}
}

// records is reads for what records commands, which a snapshot's State does not.
func records(f func(x *exhibit, s world.State)) contract {
	c := reads(f)
	c.live = true
	return c
}

// makes is reads for a function that returns the State of another world.
func makes(f func(x *exhibit, s world.State)) contract {
	c := reads(f)
	c.makes = true
	return c
}

// changes is the contract of a function that returns the next State and, when it refuses, an error.
func changes(f call) contract {
	return contract{class: consumer, call: f}
}

// steps is changes for a function that never refuses.
func steps(f func(x *exhibit, s world.State) world.State) contract {
	return contract{class: consumer, never: true, call: func(
		x *exhibit, s world.State,
	) (world.State, error) {
		return f(x, s), nil
	}}
}

// refuses says how c refuses, where an open walk is no reason to.
func (c contract) refuses(f call) contract {
	c.refused = f
	return c
}

// knowsNone is the contract of a function that takes no State.
func knowsNone(f func()) contract {
	return contract{class: pure, call: func(_ *exhibit, s world.State) (world.State, error) {
		f()
		return s, nil
	}}
}

// contracts returns what each exported function and method of world and systems does with States.
func contracts() map[string]contract {
	all := map[string]contract{}
	for _, family := range []map[string]contract{
		valueContracts(), batchContracts(), commandContracts(), componentContracts(),
		heroContracts(), objectContracts(), bulkContracts(), describeContracts(), nameContracts(),
		relationContracts(),
		eventContracts(), resourceContracts(), randomContracts(), queryContracts(),
		watchContracts(), snapshotContracts(), arenaContracts(), taskContracts(), declarationContracts(),
		historyContracts(), hookContracts(), loopContracts(), timedLoopContracts(), scheduleContracts(),
		packContracts(), groupContracts(), makingContracts(), cellContracts(), gridContracts(),
	} {
		maps.Copy(all, family)
	}
	return all
}

// TestEveryFunctionHasAContract: whoever exports a function says what it does with States.
func TestEveryFunctionHasAContract(t *testing.T) {
	exported, all := exportedFuncs(t, "../systems", "."), contracts()
	for _, dir := range []string{
		"schedule", "hooks", "loop", "history", "pack", "space", "../systems/tool",
	} {
		for name, f := range exportedFuncs(t, dir) {
			exported[filepath.Base(dir)+"."+name] = f
		}
	}
	for name, f := range exported {
		c, ok := all[name]
		if !ok {
			t.Errorf("%s is exported, and nothing says what it does with States; add it to a table "+
				"of world/contract_*_test.go: reads when it returns no State, changes or steps "+
				"when it returns the next one, knowsNone when it has to do with none", name)
			continue
		}
		takes, returns := f.states()
		switch {
		case takes && c.class == pure:
			t.Errorf("%s takes a State; it reads or changes", name)
		case returns && c.class != consumer && !c.makes:
			t.Errorf("%s returns a State; it changes, steps or makes", name)
		case c.class == consumer && c.never == f.fails():
			t.Errorf("%s: changes is for functions with an error, steps for those without", name)
		}
	}
	for name := range all {
		assert.Contains(t, exported, name, "an exported function")
	}
}

// TestEveryFunctionKeepsItsContract calls every exported function with a good State, with one that
// was used up, and with a snapshot's.
func TestEveryFunctionKeepsItsContract(t *testing.T) {
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		t.Run(name, func(t *testing.T) {
			switch c.class {
			case pure:
				_, _ = c.call(nil, world.State{})
			case reader:
				c.testReader(t)
			case consumer:
				c.testConsumer(t)
			case ender:
				x := newExhibit()
				_, _ = c.call(x, x.s)
				c.panicsOn(t, x, x.s, closedState)
			case discarder:
				x := newExhibit()
				next := world.Advance(x.s)
				_, _ = c.call(x, x.s)
				require.Panics(t, func() { world.Live(next) })
				_, _ = c.call(x, x.s) // once more does nothing
				require.Panics(t, func() { _, _ = c.call(x, taken(newExhibit().s).State()) })
			}
			if c.class != pure && c.class != discarder {
				c.testUsedUp(t)
			}
		})
	}
}

func (c contract) testReader(t *testing.T) {
	t.Helper()
	x := newExhibit()
	before, digest := bytes.Clone(world.Bytes(x.s)), world.Digest(x.s)
	_, err := c.call(x, x.s)
	require.NoError(t, err)
	require.Equal(t, digest, world.Digest(x.s), "it changes the world's digest")
	require.True(t, bytes.Equal(before, world.Bytes(x.s)), "it changes the world's bytes")

	p := taken(x.s)
	s := p.State()
	before = bytes.Clone(world.Bytes(s))
	if c.live {
		c.panicsOn(t, x, s, snapshotState)
	} else {
		_, err = c.call(x, s)
		require.NoError(t, err)
	}
	require.Equal(t, digest, p.Digest(), "it changes the snapshot's digest")
	require.True(t, bytes.Equal(before, world.Bytes(p.State())), "it changes the snapshot's bytes")
}

func (c contract) testConsumer(t *testing.T) {
	t.Helper()
	x := newExhibit()
	next, err := c.call(x, x.s)
	require.NoError(t, err)
	world.Live(next) // is good
	if statesChecked && !c.passes {
		require.PanicsWithValue(t, usedUpState, func() { world.Live(x.s) }, "it uses its State up")
	}
	if !c.never {
		c.testRefusal(t)
	}
	if !c.shows && !c.passes {
		x = newExhibit()
		p := taken(x.s)
		digest := p.Digest()
		c.panicsOn(t, x, p.State(), snapshotState)
		require.Equal(t, digest, p.Digest(), "it changes the snapshot")
	}
}

// testRefusal checks that a call that is refused uses nothing up and changes nothing.
func (c contract) testRefusal(t *testing.T) {
	t.Helper()
	x := newExhibit()
	refused := c.refused
	if refused == nil {
		refused = func(x *exhibit, s world.State) (next world.State, err error) {
			for range exhibited.In(s) {
				next, err = c.call(x, s)
				break
			}
			return next, err
		}
	}
	before := bytes.Clone(world.Bytes(x.s))
	next, err := refused(x, x.s)
	require.Error(t, err)
	require.True(t, bytes.Equal(before, world.Bytes(x.s)), "what is refused changes nothing")
	require.True(t, bytes.Equal(before, world.Bytes(next)), "the State that came back is good")
	require.NoError(t, tool.Verify(x.s))
}

// testUsedUp checks that a State that was used up is refused, and the world left as it was.
func (c contract) testUsedUp(t *testing.T) {
	t.Helper()
	x := newExhibit()
	next := world.Advance(x.s)
	before := bytes.Clone(world.Bytes(next))
	c.panicsOn(t, x, x.s, usedUpState)
	require.True(t, bytes.Equal(before, world.Bytes(next)), "what panics changes nothing")
}

// panicsOn checks that a State is refused with a sentence, where States are checked.
func (c contract) panicsOn(t *testing.T, x *exhibit, s world.State, sentence string) {
	t.Helper()
	if statesChecked {
		require.PanicsWithValue(t, sentence, func() { _, _ = c.call(x, s) })
	}
}

// A signature is how an exported function or method is declared.
type signature struct{ *ast.FuncType }

// exportedFuncs returns the exported functions and methods of packages: F, or T.F.
func exportedFuncs(t *testing.T, dirs ...string) map[string]signature {
	t.Helper()
	all := map[string]signature{}
	for _, dir := range dirs {
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, file := range files {
			name := file.Name()
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, 0)
			require.NoError(t, err)
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() {
					if of := receiver(d); of == "" || ast.IsExported(of) {
						all[strings.TrimPrefix(of+"."+d.Name.Name, ".")] = signature{d.Type}
					}
				}
			}
		}
	}
	return all
}

// receiver returns the name of the type that a method is of, or "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
	return strings.TrimPrefix(of, "*")
}

// states reports whether a function takes States, and whether it returns one.
func (f signature) states() (takes, returns bool) {
	return has(f.Params, "State"), has(f.Results, "State")
}

// fails reports whether a function returns an error.
func (f signature) fails() bool { return has(f.Results, "error") }

// has reports whether a list has an element of a type.
func has(list *ast.FieldList, name string) bool {
	return list != nil && slices.ContainsFunc(list.List, func(f *ast.Field) bool {
		of := f.Type
		if qualified, ok := of.(*ast.SelectorExpr); ok {
			of = qualified.Sel
		}
		ident, ok := of.(*ast.Ident)
		return ok && ident.Name == name
	})
}

func TestAShadowedStateIsUsedUp(t *testing.T) {
	if !statesChecked {
		return // -tags ecsrelease
	}
	state, bullet, err := world.Spawn(battle(), Shot)
	require.NoError(t, err)
	require.PanicsWithValue(t, usedUpState, func() { _, _ = shadowed(state, bullet) })
}
