package world_test

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

const (
	usedUpState = "flatecs: this State is stale: an earlier call invalidated it; " +
		"write state = world.F(state, …)"
	snapshotState = "flatecs: this State is a snapshot's or a timeline's, which is only read; " +
		"restore it into a world, or Clone it"
	closedState = "flatecs: this State was closed; use it before Close, or close later"
)

// A caller calls the function of a row.
type caller struct {
	row
	t *testing.T
}

// TestEveryFunctionKeepsItsContract calls every function with a good State, with one that was used
// up, and with a snapshot's.
func TestEveryFunctionKeepsItsContract(t *testing.T) {
	worldtest.OneGoroutine(t)
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			c := caller{all[name], t}
			switch c.does {
			case fails:
			case pure, creates:
				x := newExhibit()
				_, _ = c.call(x, x.s)
			case reads, makes, records:
				c.testReader()
			case points:
				x := newExhibit()
				_, err := c.call(x, x.s)
				require.NoError(t, err)
				world.Len(x.s) // is good
				c.panicsOn(x, taken(x.s).State(), snapshotState)
			case writes, restructures, draws, passes:
				c.testWriter()
			case closes:
				x := newExhibit()
				_, _ = c.call(x, x.s)
				c.panicsOn(x, x.s, closedState)
			case recovers:
				c.testRecovers()
			case discards:
				x := newExhibit()
				next := world.Advance(x.s)
				_, _ = c.call(x, x.s)
				require.Panics(t, func() { world.Len(next) })
				_, _ = c.call(x, x.s) // once more does nothing
				require.Panics(t, func() { _, _ = c.call(x, taken(newExhibit().s).State()) })
			}
			if !c.does.is(fails, pure, creates, discards, recovers) {
				c.testUsedUp()
			}
			if c.does.is(records, points, writes, restructures, draws) {
				c.testStamps()
			}
		})
	}
}

// testRecovers checks a function that takes stale States, and States of snapshots.
func (c caller) testRecovers() {
	c.t.Helper()
	x := newExhibit()
	first, digest := x.s, world.Digest(x.s)
	s := world.Must(world.Restore(x.s, x.kept))
	for _, given := range []world.State{first, s} {
		got, err := c.call(x, given)
		require.NoError(c.t, err)
		require.Equal(c.t, digest, world.Digest(got))
		if worldtest.StatesChecked {
			require.PanicsWithValue(c.t, usedUpState, func() { world.Len(s) })
		}
		s = got
	}
	p := taken(s)
	got, err := c.call(x, p.State())
	require.NoError(c.t, err)
	require.Equal(c.t, p.Digest(), world.Digest(got))
	world.Close(s)
	c.panicsOn(x, first, closedState)
}

// call calls the function in the world of an exhibit, with one of its States.
func (c caller) call(x *exhibit, s world.State) (world.State, error) {
	return c.callWith(x, s, c.args)
}

// callWith is call with arguments in place of the good values of their types.
func (c caller) callWith(x *exhibit, s world.State, args []any) (next world.State, err error) {
	if c.instead != nil {
		return c.instead(x, s)
	}
	at := *x
	at.s = s
	g := &room{&at, c.t, nil}
	defer g.close()
	in, args := make([]reflect.Value, c.f.Type().NumIn()), slices.Clone(args)
	for i := range in {
		in[i] = g.argument(c.f.Type().In(i), c.f.Type().IsVariadic() && i == len(in)-1, &args)
	}
	results := invoke(c.f, in)
	next = g.s
	for _, v := range results {
		switch v := v.Interface().(type) {
		case world.State:
			if c.does != makes {
				next = v
			}
		case error:
			err = v
		}
	}
	return next, err
}

// argument returns the first of args that a parameter of a type takes, or else the good value.
func (g *room) argument(t reflect.Type, variadic bool, args *[]any) reflect.Value {
	for i, a := range *args {
		a = g.make(a)
		if reflect.TypeOf(a).AssignableTo(t) {
			*args = slices.Delete(*args, i, i+1)
			return g.value(t, a)
		}
	}
	if variadic {
		return reflect.Zero(t)
	}
	return g.good(t)
}

func (c caller) testReader() {
	c.t.Helper()
	x := newExhibit()
	before, digest := bytes.Clone(world.Bytes(x.s)), world.Digest(x.s)
	_, err := c.call(x, x.s)
	require.NoError(c.t, err)
	require.Equal(c.t, digest, world.Digest(x.s), "it changes the world's digest")
	require.True(c.t, bytes.Equal(before, world.Bytes(x.s)), "it changes the world's bytes")

	p := taken(x.s)
	s := p.State()
	before = bytes.Clone(world.Bytes(s))
	if c.does == records {
		c.panicsOn(x, s, snapshotState)
	} else {
		_, err = c.call(x, s)
		require.NoError(c.t, err)
	}
	require.Equal(c.t, digest, p.Digest(), "it changes the snapshot's digest")
	require.True(c.t, bytes.Equal(before, world.Bytes(p.State())), "it changes the snapshot's bytes")
}

func (c caller) testWriter() {
	c.t.Helper()
	x := newExhibit()
	next, err := c.call(x, x.s)
	require.NoError(c.t, err)
	world.Len(next) // is good
	if worldtest.StatesChecked && c.does != passes {
		require.PanicsWithValue(c.t, usedUpState, func() { world.Len(x.s) }, "it uses its State up")
	}
	if c.fallible() {
		c.testRefusal()
	}
	if !c.does.is(draws, passes) {
		x = newExhibit()
		p := taken(x.s)
		digest := p.Digest()
		c.panicsOn(x, p.State(), snapshotState)
		require.Equal(c.t, digest, p.Digest(), "it changes the snapshot")
	}
}

// testRefusal checks that a call that is refused uses nothing up and changes nothing.
func (c caller) testRefusal() {
	c.t.Helper()
	x := newExhibit()
	before := bytes.Clone(world.Bytes(x.s))
	next, err := c.refuse(x)
	require.Error(c.t, err)
	require.True(c.t, bytes.Equal(before, world.Bytes(x.s)), "what is refused changes nothing")
	require.True(c.t, bytes.Equal(before, world.Bytes(next)), "the State that came back is good")
	require.NoError(c.t, tool.Verify(x.s))
}

// refuse makes a call that is refused.
func (c caller) refuse(x *exhibit) (next world.State, err error) {
	if len(c.refused) > 0 {
		if f, ok := c.refused[0].(call); ok {
			return f(x, x.s)
		}
		return c.callWith(x, x.s, c.refused)
	}
	for range exhibited.In(x.s) {
		next, err = c.call(x, x.s)
		assert.ErrorIs(c.t, err, world.ErrWalking)
		break
	}
	return next, err
}

// testUsedUp checks that a stale State is refused, and the world unchanged.
func (c caller) testUsedUp() {
	c.t.Helper()
	x := newExhibit()
	next := world.Advance(x.s)
	before := bytes.Clone(world.Bytes(next))
	c.panicsOn(x, x.s, usedUpState)
	require.True(c.t, bytes.Equal(before, world.Bytes(next)), "what panics changes nothing")
}

// panicsOn checks that a State is refused with a sentence, where States are checked.
func (c caller) panicsOn(x *exhibit, s world.State, sentence string) {
	c.t.Helper()
	if worldtest.StatesChecked {
		require.PanicsWithValue(c.t, sentence, func() { _, _ = c.call(x, s) })
	}
}

// testStamps checks that all writes of a function are stamped: snapshots that are taken again and
// restored find the changes since a copy and, under ecsdebug, so does the next tick. The same call
// in a clone leads to the same world.
func (c caller) testStamps() {
	c.t.Helper()
	x := newExhibit()
	p := taken(x.s)
	x.s = world.Advance(x.s)
	twin := *x
	twin.s = world.Must(world.Clone(x.s))
	next, err := c.call(x, x.s)
	require.NoError(c.t, err)
	require.NoError(c.t, p.Take(next))
	c.requireSame(next, p.State(), "in a snapshot that is taken again")
	other, err := c.call(&twin, twin.s)
	require.NoError(c.t, err)
	c.requireSame(next, other, "in a clone")
	next = world.Must(world.Restore(world.Advance(next), x.kept))
	c.requireSame(next, x.kept.State(), "in a world that is restored")
}

// requireSame compares two worlds.
func (c caller) requireSame(a, b world.State, where string) {
	c.t.Helper()
	d, differ, err := tool.FirstDifference(a, b)
	require.NoError(c.t, err)
	require.False(c.t, differ, "%s: %v", where, d)
}

// TestWritersOutliveWhatEndsNothing opens a Writer, passes the State to each exported function, and
// writes: the Writer ends by a change of structure and by nothing else.
func TestWritersOutliveWhatEndsNothing(t *testing.T) {
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := caller{all[name], t}
		if c.does.is(fails, pure, creates, closes, discards) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c.t = t
			x := newExhibit()
			w := world.WriterOf(x.s, busyCount)
			next, err := c.call(x, x.s)
			require.NoError(t, err)
			switch {
			case !worldtest.StatesChecked:
			case c.does.is(restructures, recovers):
				require.Panics(t, func() { w.At(x.full) })
			default:
				require.NotPanics(t, func() { *w.At(x.full) = 77 })
				got, err := world.Get(next, x.full, busyCount)
				require.NoError(t, err)
				assert.EqualValues(t, 77, got)
			}
		})
	}
}
