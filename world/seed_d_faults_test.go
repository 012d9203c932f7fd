package world_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// The faults of the chapter's listing, each with what is right.

var (
	faultFlag = layout.NewField[uint8]("flag", 1)
	faultWide = layout.NewField("wide", [2]float64{2, 2})
	faultSide = layout.NewField("side", [3]uint16{3, 3, 3})
	faultKind = layout.NewKind("fault", faultFlag, faultWide, faultSide)
)

func faultWorld(rows int) world.State {
	return must(world.CreateState(world.Counts{Kinds: []layout.Count{faultKind.Count(rows)}}))
}

func TestSeed_D_Fault_MaxVelocityIsTen(t *testing.T) {
	s := must(world.CreateState(world.Counts{Flies: 3}))
	assert.Equal(t, []float32{10, 10, 10}, world.View(s, world.MaxVelocity), "not 1")
}

// The listing counts N*(B1*(s1+B2*s2)) bytes.
func TestSeed_D_Fault_TotalIsTheSumOverTheFields(t *testing.T) {
	for _, n := range []int{64, 640} { // no padding
		assert.Len(t, world.Buffer(faultWorld(n), faultKind), n*(1*1+8*2+2*3))
	}
}

// The listing takes the second field's element size for the first field's length.
func TestSeed_D_Fault_OffsetsUseTheFieldBefore(t *testing.T) {
	s := faultWorld(64)
	start := address(world.Buffer(s, faultKind))
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
	s := must(world.CreateState(world.Counts{Positions: 2, Velocities: 2, Flies: 2}))
	s, _ = made(world.CreatePosition(s))
	s, _ = made(world.CreatePosition(s))
	s, _, err := world.CreatePosition(s)
	require.ErrorIs(t, err, world.ErrFull)
	before := bytes.Clone(world.Bytes(s))
	panicsWith(t, func() { _ = world.SetPosition(s, 2, [3]float32{1, 2, 3}) }, "position 2 is not in use")
	panicsWith(t, func() { world.GetRow(s, world.XYZ, 2) }, "position 2 is not in use")
	assert.Equal(t, before, world.Bytes(s))
}

func TestSeed_D_Fault_GetOfAnAbsentComponentIsAnError(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 3, Velocities: 3, Flies: 3}))
	s, ids := create(s, 3)
	s, _ = made(world.AddPosition(s, ids[2])) // row 0, which is also an object's index
	for i, id := range ids[:2] {
		_, err := world.PositionOf(s, id)
		require.ErrorIs(t, err, world.ErrAbsent, "object %d", i)
		_, err = world.Get(s, id, world.XYZ)
		require.ErrorIs(t, err, world.ErrAbsent, "object %d", i)
	}
	assert.Equal(t, world.Position(0), must(world.PositionOf(s, ids[2])))
}

func TestSeed_D_Fault_MountingAgainLeavesNothingStale(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 3}))
	s, ids := create(s, 3)
	s, row := made(world.AddPosition(s, ids[0]))
	var err error
	s, err = world.MountPosition(s, ids[1], row)
	require.ErrorIs(t, err, world.ErrTwice)

	s = must(world.RemovePosition(s, ids[0]))
	s, again := made(world.CreatePosition(s))
	assert.Equal(t, row, again)
	s = must(world.MountPosition(s, ids[1], again))
	owner, ok := world.ObjectOf(s, world.PositionKind, world.Row(again))
	assert.True(t, ok)
	assert.Equal(t, ids[1], owner)
	assert.False(t, world.HasPosition(s, ids[0]), "the first owner has none")
	assert.True(t, world.HasPosition(s, ids[1]))
	assert.Equal(t, []world.Row{0}, slices.Collect(world.All(s, world.PositionKind)))
	assert.Equal(t, 1, world.Mounted(s, world.PositionKind))
}

// A state in the listing looks immutable, and shares its buffer with the one it was made from.
func TestSeed_D_Fault_ACopyIsACopy(t *testing.T) {
	s, ids := heroesScene()
	copied := must(world.Clone(s))
	assert.Equal(t, world.Bytes(s), world.Bytes(copied))
	for _, kind := range []layout.Kind{world.PositionKind, world.VelocityKind, world.FlyKind} {
		assert.NotEqual(t, address(world.Buffer(s, kind)), address(world.Buffer(copied, kind)))
	}
	before := bytes.Clone(world.Bytes(s))
	copied = world.FlyAll(world.MoveAll(world.Update(copied)))
	copied = must(world.DisposeGameObject(copied, ids[0]))
	copied, _ = made(world.AddFly(copied, ids[1]))
	copied = world.SetVelocity(copied, 1, 5)
	assert.Equal(t, before, world.Bytes(s), "the original stays as it was")
	world.Close(copied)
	assert.Equal(t, before, world.Bytes(s), "also when the copy ends")
	world.Close(s)
}
