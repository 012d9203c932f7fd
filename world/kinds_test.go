package world_test

import (
	"bytes"
	"fmt"
	"slices"
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

	// What no world of these tests has.
	aUnknown    = layout.NewKind("unknown")
	aUnknownTag = layout.NewMark("unknown tag")
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

// of is the change of one kind of an object by a function that returns a row too.
func of(
	id world.GameObject, k layout.Kind,
	verb func(world.State, world.GameObject, layout.AnyKind) (world.State, layout.Row, error),
) change {
	return func(s world.State) (world.State, error) {
		s, _, err := verb(s, id, k)
		return s, err
	}
}

// adding is the change of world.Add of one kind.
func adding(id world.GameObject, k layout.Kind) change {
	return func(s world.State) (world.State, error) { return world.Add(s, id, k) }
}

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

func TestSeed_A1_KindsHaveANumberAndAUniqueName(t *testing.T) {
	s := worldA(3)
	assert.Equal(t,
		[]string{"A", "B", "X", "Y", "C", "position", "velocity", "fly", "instance"},
		tool.KindNames(s), "one registry, in the order of the counts")
	for n, k := range append(aKinds[:5:5],
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance) {
		assert.Equal(t, n, world.Must(tool.NumberOf(s, k)), k)
	}
	other := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{aC.Count(1), aA.Count(1)}}))
	assert.Equal(t, 0, world.Must(tool.NumberOf(other, aC)), "a registry per world")
	assert.Equal(t, 1, world.Must(tool.NumberOf(other, aA)))
	_, err := tool.NumberOf(other, aB)
	require.ErrorIs(t, err, world.ErrNoKind)
	assert.ErrorContains(t, err,
		"B: Component not registered before use. Name it in Counts.Kinds.")
}

func TestSeed_A1_NothingIsRegisteredTwice(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []layout.Count
		twice string
	}{
		{"one kind", []layout.Count{aA.Count(1), aB.Count(1), aA.Count(1)}, "A"},
		{"one mark", []layout.Count{aX.Count(0), aX.Count(0)}, "X"},
		{"two kinds of one name", []layout.Count{aA.Count(1), layout.NewKind("A").Count(1)}, "A"},
		{"a kind by a mark's name", []layout.Count{aX.Count(0), layout.NewKind("X").Count(1)}, "X"},
		{"a mark by a kind's name", []layout.Count{aA.Count(1), layout.NewMark("A").Count(0)}, "A"},
		{"values", []layout.Count{aA.Count(1), layout.NewValues("A", 0).Count(1)}, "A"},
		{"a built-in kind", layout.Kinds(heroes.MaxVelocity, heroes.MaxVelocity), "fly"},
		{"a built-in kind's name", layout.Kinds(heroes.Position, layout.NewMark("position")), "position"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := world.CreateState(world.Counts{Kinds: c.kinds})
			require.ErrorIs(t, err, systems.ErrKindTwice)
			assert.ErrorContains(t, err, c.twice+": Registering component type more than once.")
		})
	}
}

// No name means anything to the library: the listing's registry loses kinds called like members of
// its objects.
func TestSeed_A1_AnyNameWillDo(t *testing.T) {
	names := []string{"constructor", "mask", "__proto__", "count", "名前", " ", "allOf:0-1"}
	var counts []layout.Count
	for _, name := range names {
		counts = append(counts, layout.NewKind(name).Count(1))
	}
	s := world.Must(world.CreateState(world.Counts{Kinds: counts}))
	assert.Equal(t, names, tool.KindNames(s)[:len(names)])
	s, id := world.Must2(world.Create(s))
	for _, c := range counts {
		s = world.Must(world.Add(s, id, c.Kind))
	}
	assert.Equal(t, names, world.Must(tool.KindsOf(s, id)))
}

// Not creatable means here: counted with no rows. Such a kind is registered, so that rules, masks
// and keys may name it, and every attempt to create one is refused. Kinds whose components cannot
// be created apart from an object, which are marks and packed kinds, tell it by a panic.
func TestSeed_A1_NotCreatable(t *testing.T) {
	packed := layout.NewKind("packed")
	s := world.Must(world.CreateState(world.Counts{GameObjects: 2, Kinds: []layout.Count{
		aA.Count(2), aB.Count(0), aX.Count(0), {Kind: packed, Rows: 2, Packed: true},
	}}))
	s, id := with(s, aA)
	assert.Equal(t, 1, world.Must(tool.NumberOf(s, aB)), "registered")
	withoutB := world.NewQuery(world.Without(aB))
	assert.Equal(t, "excludeOf:1", world.Must(withoutB.Key(s)))
	assert.True(t, withoutB.Matches(s, id))
	for name, op := range map[string]change{
		"create": func(s world.State) (world.State, error) {
			s, _, err := world.CreateComponent(s, aB)
			return s, err
		},
		"with an object": func(s world.State) (world.State, error) {
			s, _, err := world.CreateWith(s, aB)
			return s, err
		},
		"several": func(s world.State) (world.State, error) {
			return addKinds(s, id, aX, aB)
		},
		"add":    adding(id, aB),
		"ensure": of(id, aB, world.Ensure),
		"renew":  of(id, aB, world.Reset),
	} {
		t.Run(name, func(t *testing.T) {
			s = refuses(t, s, world.ErrFull, op, "B: all 0 rows in use; raise its Count")
		})
	}
	const cure = "add it to an object"
	worldtest.PanicsWith(t, func() { _, _, _ = world.CreateComponent(s, aX) }, "X is a mark", cure)
	worldtest.PanicsWith(t, func() { _, _, _ = world.CreateComponent(s, packed) }, "packed is packed", cure)
	for _, k := range []layout.Kind{aX, packed} {
		s = world.Must(world.Add(s, id, k))
		assert.True(t, world.Has(s, id, k))
	}
}

func TestSeed_A2_ResetToTheDefaultsAndUsedAgain(t *testing.T) {
	packed := layout.NewField[uint8]("value", 9)
	packedKind := layout.NewKind("packed", packed)
	pointer := layout.NewValues[*int]("pointer", nil)
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{
		aA.Count(2), {Kind: packedKind, Rows: 2, Packed: true}, pointer.Count(2),
	}}))
	s, ids := worldtest.Create(s, 2)
	a, b := ids[0], ids[1]
	s = world.Must(world.Add(s, a, aA))
	row := world.Must(world.RowOf(s, a, aA))
	owner, ok := world.ObjectOf(s, aA, row)
	assert.True(t, ok)
	assert.Equal(t, a, owner, "a component knows its entity")
	s = world.Must(world.Set(s, a, aValue, [2]float32{1, 2}))

	s = world.Must(world.Remove(s, a, aA))
	assert.Equal(t, []float32{7, 8, 7, 8}, layout.Flat[float32](aValue, world.View(s, aValue)), "reset as soon as it is removed")
	worldtest.PanicsWith(t, func() { world.ObjectOf(s, aA, row) }, fmt.Sprintf("row %d of A is not in use", row))
	s = world.Must(world.Add(s, b, aA))
	again := world.Must(world.RowOf(s, b, aA))
	assert.Equal(t, row, again, "the row is used again")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, b, aValue)))
	owner, _ = world.ObjectOf(s, aA, again)
	assert.Equal(t, b, owner)
	s, loose := world.Must2(world.CreateComponent(s, aA))
	_, ok = world.ObjectOf(s, aA, loose)
	assert.False(t, ok, "on no object yet")

	s = world.Must(world.Add(s, a, packedKind))
	s = world.Must(world.Set(s, a, packed, 1))
	s = world.Must(world.Remove(s, a, packedKind))
	s = world.Must(world.Add(s, b, packedKind))
	assert.Equal(t, uint8(9), world.Must(world.Get(s, b, packed)), "packed kinds too")

	// A Go value is not recycled: removing its component lets go of it.
	value := 5
	s = world.Must(world.Add(s, a, pointer))
	s = world.Must(world.SetValue(s, a, pointer, &value))
	s = world.Must(world.Remove(s, a, pointer))
	s = world.Must(world.Add(s, b, pointer))
	assert.Nil(t, world.Must(world.ValueOf(s, b, pointer)))
}

func TestSeed_A3_MarksShareTheNumbers(t *testing.T) {
	s := worldA(70)
	for n, k := range []layout.Kind{aA, aB, aX, aY, aC} {
		assert.Equal(t, n, world.Must(tool.NumberOf(s, k)), k)
	}
	assert.Zero(t, tool.Cap(s, aX), "no data")
	assert.Empty(t, tool.Buffer(s, aX))
	assert.Empty(t, aX.Fields())

	s, ids := worldtest.Create(s, 70)
	for _, id := range ids { // as many as there are objects
		s = world.Must(addKinds(s, id, aX))
	}
	assert.Equal(t, 70, tool.Mounted(s, aX))
	s = world.Must(world.Remove(s, ids[64], aX))
	assert.False(t, world.Has(s, ids[64], aX))
	assert.True(t, world.Has(s, ids[65], aX))
	assert.False(t, world.Has(s, ids[65], aY))

	s = refuses(t, s, world.ErrNoKind, adding(ids[0], aUnknownTag),
		"unknown tag: Component not registered before use.")
	s = refuses(t, s, world.ErrNoKind, func(s world.State) (world.State, error) {
		return world.Remove(s, ids[0], aUnknownTag)
	}, "unknown tag")
	assert.False(t, world.Has(s, ids[0], aUnknownTag))
}

// The document's words for a mask are set, delete, has, clear, or, and: here Set, Unset, Has,
// Clear, Intersects, SubsetOf.
func TestSeed_A4_Mask(t *testing.T) {
	bits := []int{0, 30, 31, 62, 63, 64, 99}
	for _, n := range bits {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var m mask.Mask
			assert.False(t, m.Has(n))
			m.Set(n)
			for i := range 130 {
				assert.Equal(t, i == n, m.Has(i), i)
			}
			other := mask.New(n+1, n+64)
			assert.False(t, m.Intersects(other), "or")
			assert.False(t, m.SubsetOf(other), "and")
			other.Set(n)
			assert.True(t, m.Intersects(other))
			assert.True(t, other.Intersects(m), "either way")
			assert.True(t, m.SubsetOf(other))
			assert.False(t, other.SubsetOf(m), "one way")
			m.Unset(n)
			assert.False(t, m.Has(n))
			assert.False(t, m.Intersects(other))
			assert.True(t, m.SubsetOf(other), "nothing is a subset of everything")
			other.Clear()
			assert.Zero(t, other.Len())
		})
	}
	all := mask.New(bits...)
	assert.Equal(t, bits, slices.Collect(all.All()))
	for _, n := range bits {
		assert.True(t, mask.New(n).SubsetOf(all))
		assert.True(t, all.Intersects(mask.New(n)))
	}
	all.Unset(63)
	assert.Equal(t, []int{0, 30, 31, 62, 64, 99}, slices.Collect(all.All()))
}

// The listing sizes a mask by the kinds there are when it is made, and loses the later ones.
func TestSeed_A4_KindsRegisteredAfterTheMask(t *testing.T) {
	early, small := mask.New(3), mask.New(3)
	for n := 40; n < 1000; n += 37 {
		early.Set(n)
		assert.True(t, early.Has(n), n)
		assert.True(t, small.SubsetOf(early), "masks of unequal size")
		assert.False(t, early.SubsetOf(small))
		assert.True(t, early.Intersects(small))
	}
	assert.Equal(t, 27, early.Len())
}

func TestSeed_A4_MaskOfAnObject(t *testing.T) {
	kinds := make([]layout.Count, 100)
	for i := range kinds {
		if i%2 == 0 {
			kinds[i] = layout.NewKind(fmt.Sprint("kind ", i)).Count(3)
		} else {
			kinds[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
		}
	}
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Kinds: append(kinds, heroes.Position.Count(3))}))
	s, ids := worldtest.Create(s, 3)
	want := mask.New()
	for _, n := range []int{0, 30, 31, 62, 63, 64, 99} {
		assert.Equal(t, n, world.Must(tool.NumberOf(s, kinds[n].Kind)))
		s = world.Must(world.Add(s, ids[1], kinds[n].Kind))
		want.Set(n)
		s = world.Must(world.Add(s, ids[2], kinds[n+1-n%2*2].Kind)) // its neighbour's
		assert.Equal(t, want, world.Must(tool.MaskOf(s, ids[1])))
	}
	s = world.Must(world.Add(s, ids[1], heroes.Position))
	want.Set(100)
	assert.Equal(t, want, world.Must(tool.MaskOf(s, ids[1])), "other kinds follow")
	assert.Empty(t, world.Must(tool.MaskOf(s, ids[0])))
	assert.False(t, want.Intersects(world.Must(tool.MaskOf(s, ids[0]))))

	s = world.Must(world.Remove(s, ids[1], kinds[64].Kind))
	mask := mask.New(500)
	require.NoError(t, tool.FillMask(&mask, s, ids[1]))
	want.Unset(64)
	assert.True(t, mask.Equal(want), "whatever it held before")
	assert.Equal(t, "0-30-31-62-63-99-100", mask.String())
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		if tool.FillMask(&mask, s, ids[1]) != nil {
			t.Fail()
		}
	}))

	s = world.Must(world.Dispose(s, ids[1]))
	before := slices.Clone(mask)
	require.ErrorIs(t, tool.FillMask(&mask, s, ids[1]), world.ErrDead)
	assert.Equal(t, before, mask)
	_, err := tool.MaskOf(s, ids[2]+3)
	require.ErrorIs(t, err, world.ErrOutOfRange)
}
