package world_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// The faults of the chapter's listing, each with what is right.

var (
	faultFlag = layout.NewField[uint8]("flag", 1)
	faultWide = layout.NewField("wide", [2]float64{2, 2})
	faultSide = layout.NewField("side", [3]uint16{3, 3, 3})
	faultKind = layout.NewKind("fault", faultFlag, faultWide, faultSide)
)

func faultWorld(rows int) world.State {
	return world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{faultKind.Count(rows)}}))
}

func TestSeed_D_Fault_MaxVelocityIsTen(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.MaxVelocity.Count(3))}))
	assert.Equal(t, []float32{10, 10, 10}, world.View(s, heroes.MaxVelocity), "not 1")
}

// The listing counts N*(B1*(s1+B2*s2)) bytes.
func TestSeed_D_Fault_TotalIsTheSumOverTheFields(t *testing.T) {
	for _, n := range []int{64, 640} { // no padding
		assert.Len(t, tool.Buffer(faultWorld(n), faultKind), n*(1*1+8*2+2*3))
	}
}

// The listing takes the second field's element size for the first field's length.
func TestSeed_D_Fault_OffsetsUseTheFieldBefore(t *testing.T) {
	s := faultWorld(64)
	start := address(tool.Buffer(s, faultKind))
	assert.Equal(t, start, address(world.View(s, faultFlag)))
	assert.Equal(t, start+64*1, address(layout.Flat[float64](faultWide, world.View(s, faultWide))))
	assert.Equal(t, start+64*(1+16), address(layout.Flat[uint16](faultSide, world.View(s, faultSide))))
}

func TestSeed_D_Fault_ViewsHaveTheirOwnElementType(t *testing.T) {
	s := faultWorld(3)
	assert.Equal(t, []uint8{1, 1, 1}, world.View(s, faultFlag))
	assert.Equal(t, repeat(2.0, 6), layout.Flat[float64](faultWide, world.View(s, faultWide)))
	assert.Equal(t, repeat[uint16](3, 9), layout.Flat[uint16](faultSide, world.View(s, faultSide)))
}

func TestSeed_D_Fault_ColumnsAreAligned(t *testing.T) {
	for n := range 70 {
		s := faultWorld(n + 1)
		assert.Zero(t, address(world.View(s, faultFlag))%64, "%d rows", n+1)
		assert.Zero(t, address(layout.Flat[float64](faultWide, world.View(s, faultWide)))%64, "%d rows", n+1)
		assert.Zero(t, address(layout.Flat[uint16](faultSide, world.View(s, faultSide)))%64, "%d rows", n+1)
	}
}

func TestSeed_D_Fault_NothingIsWrittenPastTheEnd(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(2), heroes.Velocity.Count(2), heroes.MaxVelocity.Count(2),
	)}))
	s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
	s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
	s, _, err := world.CreateComponent(s, heroes.Position)
	require.ErrorIs(t, err, world.ErrFull)
	before := bytes.Clone(world.Bytes(s))
	worldtest.PanicsWith(t, func() { _ = world.SetRow(s, heroes.Position, 2, [3]float32{1, 2, 3}) }, "row 2 of position is not in use")
	worldtest.PanicsWith(t, func() { world.GetRow(s, heroes.Position, 2) }, "row 2 of position is not in use")
	assert.Equal(t, before, world.Bytes(s))
}

func TestSeed_D_Fault_GetOfAnAbsentComponentIsAnError(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(3), heroes.Velocity.Count(3), heroes.MaxVelocity.Count(3),
	)}))
	s, ids := worldtest.Create(s, 3)
	s = world.Must(world.Add(s, ids[2], heroes.Position)) // row 0, which is also an object's index
	for i, id := range ids[:2] {
		_, err := world.RowOf(s, id, heroes.Position)
		require.ErrorIs(t, err, world.ErrAbsent, "object %d", i)
		_, err = world.Get(s, id, heroes.Position)
		require.ErrorIs(t, err, world.ErrAbsent, "object %d", i)
	}
	assert.Equal(t, layout.Row(0), world.Must(world.RowOf(s, ids[2], heroes.Position)))
}

func TestSeed_D_Fault_MountingAgainLeavesNothingStale(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(3))}))
	s, ids := worldtest.Create(s, 3)
	s, row := world.Must2(world.Ensure(s, ids[0], heroes.Position))
	var err error
	s, err = world.Mount(s, ids[1], heroes.Position, row)
	require.ErrorIs(t, err, world.ErrTwice)

	s = world.Must(world.Remove(s, ids[0], heroes.Position))
	s, again := world.Must2(world.CreateComponent(s, heroes.Position))
	assert.Equal(t, row, again)
	s = world.Must(world.Mount(s, ids[1], heroes.Position, again))
	owner, ok := world.ObjectOf(s, heroes.Position, again)
	assert.True(t, ok)
	assert.Equal(t, ids[1], owner)
	assert.False(t, world.Has(s, ids[0], heroes.Position), "the first owner has none")
	assert.True(t, world.Has(s, ids[1], heroes.Position))
	assert.Equal(t, []layout.Row{0}, slices.Collect(world.All(s, heroes.Position)))
	assert.Equal(t, 1, tool.Mounted(s, heroes.Position.Kind()))
}

// A state in the listing looks immutable, and shares its buffer with the one it was made from.
func TestSeed_D_Fault_ACopyIsACopy(t *testing.T) {
	s, ids := heroesScene()
	copied := world.Must(world.Clone(s))
	assert.Equal(t, world.Bytes(s), world.Bytes(copied))
	for _, kind := range []layout.Kind{heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind()} {
		assert.NotEqual(t, address(tool.Buffer(s, kind)), address(tool.Buffer(copied, kind)))
	}
	before := bytes.Clone(world.Bytes(s))
	copied = heroes.FlyAll(heroes.MoveAll(heroes.Update(copied)))
	copied = world.Must(world.DisposeGameObject(copied, ids[0]))
	copied = world.Must(world.Add(copied, ids[1], heroes.MaxVelocity))
	copied = world.SetRow(copied, heroes.Velocity, 1, 5)
	assert.Equal(t, before, world.Bytes(s), "the original stays as it was")
	world.Close(copied)
	assert.Equal(t, before, world.Bytes(s), "also when the copy ends")
	world.Close(s)
}
