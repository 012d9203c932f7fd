package world_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
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

func TestSeed_C4_Signature(t *testing.T) {
	s, ids := worldtest.Create(worldA(4), 2)
	s = world.Must(addKinds(s, ids[1], aA, aB, aX))
	assert.Equal(t, mask.Mask{0b111}, world.Must(tool.MaskOf(s, ids[1])), "{0,1,2}")
	assert.Empty(t, world.Must(tool.MaskOf(s, ids[0])))

	system := world.NewQuery(world.With(aB, aA)) // made after the entities, and sees them
	signature := world.Must(system.Kinds(s))
	assert.Equal(t, mask.Mask{0b011}, signature)
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(addKinds(s, ids[0], aA, aB, aC))
	assert.Equal(t, ids, matching(t, s, system), "contains it, and may have more")
	assert.True(t, signature.SubsetOf(world.Must(tool.MaskOf(s, ids[0]))))
	other := system.And(world.With(aC)) // a signature is changed by making another
	assert.Equal(t, mask.Mask{0b10011}, world.Must(other.Kinds(s)))
	assert.Equal(t, ids[:1], matching(t, s, other))

	s = world.Must(world.Remove(s, ids[0], aB))
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(world.Dispose(s, ids[1]))
	assert.Empty(t, matching(t, s, system))
}

// The state is the coordinator: entities, components and systems are reached through it.
func TestSeed_C5_Coordinator(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 2, InOrder: true,
		Kinds: []layout.Count{
			{Kind: cArray, Rows: 2, Packed: true}, heroes.Position.Count(2), heroes.Velocity.Count(2),
		},
	}))
	everything := []layout.Kind{cArray, heroes.Position.Kind(), heroes.Velocity.Kind()}
	s, gone := with(s, everything...)
	s, stays := with(s, everything...)
	s = world.Must(world.Set(s, gone, cLetter, 'z'))
	s = heroes.MoveAll(s) // a system
	assert.Equal(t, [3]float32{1, 1, 1}, world.Must(world.Get(s, stays, heroes.Position)))

	s = world.Must(world.Dispose(s, gone))
	for _, k := range everything {
		assert.Equal(t, []world.GameObject{stays}, matching(t, s, world.NewQuery(world.With(k))))
		assert.Equal(t, 1, tool.Mounted(s, k), k)
	}
	s, next := with(s, everything...)
	assert.Equal(t, gone.Index(), next.Index())
	assert.Equal(t, uint8('-'), world.Must(world.Get(s, next, cLetter)), "it starts with the defaults")
	assert.Equal(t, [3]float32{}, world.Must(world.Get(s, next, heroes.Position)))
	require.NoError(t, tool.Verify(s))
}

// One type of component too many is 65,536 of them; the document has 32.
func TestOneKindTooMany(t *testing.T) {
	const most = 65_535
	marks := make([]layout.Count, most)
	for i := range marks {
		marks[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
	}
	s := world.Must(world.CreateState(world.Counts{GameObjects: 1, Kinds: marks}))
	s, id := with(s, marks[0].Kind, marks[64].Kind, marks[most-1].Kind)
	assert.Equal(t, "0-64-65534", world.Must(tool.MaskOf(s, id)).String())
	world.Close(s)

	_, err := world.CreateState(world.Counts{GameObjects: 1, Kinds: append(marks, aX.Count(0))})
	require.ErrorIs(t, err, systems.ErrKinds)
	assert.ErrorContains(t, err, "65536 kinds or recipes; name 65535 at most")
}

// A call for several objects or kinds that refuses one refuses all.
func TestSeed_C8_ErrorsChangeNothing(t *testing.T) {
	s, ids := worldtest.Create(worldA(3), 3)
	s = world.Must(addKinds(s, ids[1], aA, aX))
	dead := ids[2]
	s = world.Must(world.Dispose(s, dead))
	for name, try := range map[string]change{
		"disposed": func(s world.State) (world.State, error) {
			return world.Dispose(s, ids[0], dead)
		},
		"added": func(s world.State) (world.State, error) {
			return addKinds(s, dead, aA, aX)
		},
		"removed": func(s world.State) (world.State, error) {
			return world.Remove(s, dead, aA, aX)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s = refuses(t, s, world.ErrDead, try, "game object 2", "was disposed")
		})
	}
	assert.Equal(t, 2, world.Len(s))
}

// A kind that a world does not count is on no object.
func TestUncountedKindsAreOnNoObject(t *testing.T) {
	s, ids := worldtest.Create(worldA(70), 70)
	for i, id := range ids {
		s = world.Must(world.Add(s, id, aA))
		if i%2 == 0 {
			s = world.Must(world.Add(s, id, aX))
		}
	}
	count := func(terms ...world.Term) int { return world.NewQuery(terms...).Count(s) }
	assert.Equal(t, 70, count(world.Without(absentKind)))
	assert.Equal(t, 35, count(world.Without(absentMark, aX)))
	assert.Zero(t, count(world.Any(absentKind)))
	assert.Equal(t, 35, count(world.Any(absentKind, aX)))
	assert.Equal(t, 70, count(world.Read(aValue), world.Optional(absentField)))
	assert.Equal(t, 70, count(world.Optional(absentKind, absentField)))
	for _, q := range []world.Query{
		world.NewQuery(world.Write(aValue), world.Optional(absentField)),
		world.NewQuery(world.Write(aValue), world.Optional(absentField), world.RowWise()),
		world.NewQuery(world.Optional(absentField)),
	} {
		n := 0
		for b := range q.In(s) {
			n += b.Len()
			assert.Nil(t, world.Column(b, absentField))
		}
		assert.Equal(t, 70, n, q)
	}
	q := world.NewQuery(world.Any(absentKind, aX), world.Without(absentMark), world.Optional(absentField))
	assert.Equal(t, "anyOf:2", world.Must(q.Key(s)), "by the kinds that there are")
	assert.Equal(t, mask.New(2), world.Must(q.Kinds(s)))
	assert.Equal(t, "anyOf:", world.Must(world.NewQuery(world.Any(absentKind)).Key(s)))
}

// A watcher and a walk of what changed, of a world that lacks some of their kinds.
func TestUncountedKindsDoNotChange(t *testing.T) {
	w := world.NewWatcher(world.NewQuery(world.With(aA), world.Without(absentKind)))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, Kinds: layout.Kinds(aA), Watchers: []world.Watcher{w},
	}))
	s, id := world.Must2(world.CreateWith(s, aA))
	tick := world.Tick(s)
	s = world.Must(world.Set(world.Advance(s), id, aValue, [2]float32{3}))
	since := func(terms ...world.Term) (n int) {
		for b := range world.NewQuery(terms...).Since(s, tick) {
			n += b.Len()
		}
		return n
	}
	assert.Zero(t, since(world.Changed(absentKind)))
	assert.Equal(t, 1, since(world.Changed(absentKind, aA)))
	s = w.Look(s)
	assert.Equal(t, 1, w.Count(s))
	require.NoError(t, tool.Verify(s))
}

type brokenKind struct{}

func (brokenKind) Kind() layout.Kind { panic("broken; mend it") }

func TestListsPassOnWhatAKindPanicsWith(t *testing.T) {
	assert.PanicsWithValue(t, "broken; mend it", func() { world.With(aA, brokenKind{}) })
}
