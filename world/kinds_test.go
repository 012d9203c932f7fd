package world_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kinds of rows A1 to A9, in the order in which they are numbered.
var (
	aValue = layout.NewField("value", [2]float32{7, 8})
	aA     = layout.NewKind("A", aValue)
	aB     = layout.NewKind("B")
	aX     = layout.NewMark("X")
	aY     = layout.NewMark("Y")
	aC     = layout.NewKind("C")
	aKinds = []layout.Kind{aA, aB, aX, aY, aC}

	aUnknown = layout.NewKind("unknown") // no world of these tests has it
)

func worldA(rows int) world.State {
	return world.Must(world.CreateState(world.Counts{GameObjects: rows, Kinds: []layout.Count{
		aA.Count(rows), aB.Count(rows), aX.Count(0), aY.Count(0), aC.Count(rows),
		heroes.Position.Count(0), heroes.Velocity.Count(0), heroes.MaxVelocity.Count(0),
		heroes.Instance.Count(rows),
	}}))
}

// with creates an object that has kinds.
func with(s world.State, kinds ...layout.Kind) (world.State, world.GameObject) {
	return world.Must2(world.CreateWith(s, kindList(kinds)...))
}

// A change changes a world or is refused.
type change func(world.State) (world.State, error)

// refuses checks that op returns an error which wraps want and names every part, and that the world
// is byte for byte as it was.
func refuses(
	t *testing.T, s world.State, want error, op change, parts ...string,
) world.State {
	t.Helper()
	before := bytes.Clone(world.Bytes(s))
	s, err := op(s)
	require.ErrorIs(t, err, want)
	for _, part := range parts {
		assert.Contains(t, err.Error(), part)
	}
	require.True(t, bytes.Equal(before, world.Bytes(s)), "nothing changed")
	return s
}

// A kind that is counted with no rows is registered, and not creatable.
func TestSeed_A1_KindsHaveANumberAndAUniqueName(t *testing.T) {
	s := worldA(3)
	assert.Equal(t,
		[]string{"A", "B", "X", "Y", "C", "position", "velocity", "fly", "instance"},
		tool.KindNames(s), "one registry, in the order of the counts")
	for n, k := range aKinds {
		assert.Equal(t, n, world.Must(tool.NumberOf(s, k)), k)
	}
	packed := layout.NewKind("packed")
	other := world.Must(world.CreateState(world.Counts{GameObjects: 2, Kinds: []layout.Count{
		aC.Count(0), aA.Count(1), {Kind: packed, Rows: 2, Packed: true}, aX.Count(0),
	}}))
	assert.Equal(t, 0, world.Must(tool.NumberOf(other, aC)), "a registry per world")
	_, err := tool.NumberOf(other, aB)
	require.ErrorIs(t, err, world.ErrNoKind)
	require.ErrorContains(t, err, "B: Component not registered before use. Name it in Counts.Kinds.")

	other = refuses(t, other, world.ErrFull, func(s world.State) (world.State, error) {
		s, _, err := world.CreateWith(s, aC)
		return s, err
	}, "C: all 0 rows in use; raise its Count")
	for text, k := range map[string]layout.Kind{"X is a mark": aX, "packed is packed": packed} {
		worldtest.PanicsWith(t, func() { _, _, _ = world.CreateComponent(other, k) },
			text, "add it to an object")
	}
	_, err = world.CreateState(world.Counts{Kinds: []layout.Count{aX.Count(0), aA.Count(1), aX.Count(0)}})
	require.ErrorIs(t, err, systems.ErrKindTwice)
	assert.ErrorContains(t, err, "X: Registering component type more than once.")
}

func TestSeed_A2_ResetToTheDefaultsAndUsedAgain(t *testing.T) {
	s, ids := worldtest.Create(worldA(2), 2)
	s, row := world.Must2(world.Ensure(s, ids[0], aA))
	owner, ok := world.ObjectOf(s, aA, row)
	assert.True(t, ok)
	assert.Equal(t, ids[0], owner, "a component knows its entity")
	s = world.Must(world.Set(s, ids[0], aValue, [2]float32{1, 2}))

	s = world.Must(world.Remove(s, ids[0], aA))
	assert.Equal(t, [][2]float32{{7, 8}, {7, 8}}, world.View(s, aValue), "reset as soon as it is removed")
	worldtest.PanicsWith(t, func() { world.ObjectOf(s, aA, row) }, fmt.Sprintf("row %d of A is not in use", row))
	s, again := world.Must2(world.Ensure(s, ids[1], aA))
	assert.Equal(t, row, again, "the row is used again")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, ids[1], aValue)))
	owner, _ = world.ObjectOf(s, aA, again)
	assert.Equal(t, ids[1], owner)
}

func TestSeed_A3_MarksShareTheNumbers(t *testing.T) {
	s, ids := worldtest.Create(worldA(70), 70)
	assert.Equal(t, 2, world.Must(tool.NumberOf(s, aX)))
	assert.Zero(t, tool.Cap(s, aX), "no data")
	assert.Empty(t, tool.Buffer(s, aX))
	for _, id := range ids { // as many as there are objects
		s = world.Must(world.Add(s, id, aX))
	}
	assert.Equal(t, 70, tool.Mounted(s, aX))
	s = world.Must(world.Remove(s, ids[64], aX))
	assert.False(t, world.Has(s, ids[64], aX))
	assert.True(t, world.Has(s, ids[65], aX))
	assert.False(t, world.Has(s, ids[65], aY))
}

// The document's words for a mask are set, delete, has, clear, or, and: here Set, Unset, Has,
// Clear, Intersects, SubsetOf.
func TestSeed_A4_Mask(t *testing.T) {
	var m mask.Mask
	m.Set(64) // the listing's masks have room for the kinds of before, and lose later ones
	other := mask.New(1, 99)
	assert.True(t, m.Has(64))
	assert.False(t, m.Intersects(other), "or")
	assert.False(t, m.SubsetOf(other), "and")
	other.Set(64)
	assert.True(t, m.Intersects(other))
	assert.True(t, m.SubsetOf(other))
	assert.False(t, other.SubsetOf(m), "one way")
	m.Unset(64)
	assert.False(t, m.Has(64))
	assert.True(t, m.SubsetOf(other), "nothing is a subset of everything")
	other.Clear()
	assert.Zero(t, other.Len())

	s, ids := worldtest.Create(worldA(3), 2)
	s = world.Must(addKinds(s, ids[1], aC, aX))
	of := mask.New(500)
	require.NoError(t, tool.FillMask(&of, s, ids[1]))
	assert.Equal(t, "2-4", of.String(), "whatever it held before")
	assert.Zero(t, testing.AllocsPerRun(10, func() { _ = tool.FillMask(&of, s, ids[1]) }))
	s = world.Must(world.Dispose(s, ids[1]))
	require.ErrorIs(t, tool.FillMask(&of, s, ids[1]), world.ErrDead)
	assert.Equal(t, "2-4", of.String())
}
