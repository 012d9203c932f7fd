package world_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
)

var (
	d16Spot  = layout.NewField("spot", [3]float32{-1, -2, -3})
	d16Team  = layout.NewField[uint8]("team", 7)
	d16Score = layout.NewField[uint16]("score", 300)
	d16Glow  = layout.NewField("glow", float16.Fromfloat32(0.5))
	d16Seed  = layout.NewField[uint32]("seed", 1<<31)
	d16Mass  = layout.NewField[float64]("mass", 1e-300)
	d16Mixed = layout.NewKind("d16", d16Spot, d16Team, d16Score, d16Glow, d16Seed, d16Mass)
)

// What every cell of a full world holds; no two fields agree on their bytes.
func d16SpotAt(row, lane int) float32 { return float32(3*row+lane) + 0.25 }

func d16TeamAt(row, _ int) uint8 { return uint8(row*7 + 3) }

func d16ScoreAt(row, _ int) uint16 { return uint16(row*259 + 1) }

func d16SeedAt(row, _ int) uint32 { return uint32(row)*2654435761 + 5 }

func d16MassAt(row, _ int) float64 { return float64(row)*1.5 - 1e10 }

func d16GlowAt(row, _ int) half { return float16.Fromfloat32(float32(row%2000)/8 - 100) }

type half = float16.Float16

// d16Fields returns the fields of d16Mixed.
func d16Fields() []d16Field {
	return []d16Field{
		d16FieldOf(d16Spot, d16SpotAt, func(b []byte) float32 {
			return math.Float32frombits(binary.LittleEndian.Uint32(b))
		}),
		d16FieldOf(d16Team, d16TeamAt, func(b []byte) uint8 { return b[0] }),
		d16FieldOf(d16Score, d16ScoreAt, binary.LittleEndian.Uint16),
		d16FieldOf(d16Glow, d16GlowAt, func(b []byte) half {
			return half(binary.LittleEndian.Uint16(b))
		}),
		d16FieldOf(d16Seed, d16SeedAt, binary.LittleEndian.Uint32),
		d16FieldOf(d16Mass, d16MassAt, func(b []byte) float64 {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}),
	}
}

// A d16Field is one field, whatever its element type.
type d16Field struct {
	spec *layout.FieldSpec
	fill func(s world.State, id world.GameObject, row int) world.State
	// check compares every cell of the rows in use: through the view, by row, by object, and in the
	// bytes of the buffer from at on.
	check   func(t *testing.T, s world.State, ids []world.GameObject, at int)
	initial func(t *testing.T, s world.State)
	address func(s world.State) uintptr
}

func d16FieldOf[T any, E interface {
	comparable
	unsafeutil.Element
}](f layout.Field[T], cell func(row, lane int) E, decode func([]byte) E) d16Field {
	spec := f.Spec()
	_, lanes := spec.Flat()
	size := spec.Stride / lanes
	value := func(row int) T {
		v := make([]T, 1)
		for lane := range lanes {
			layout.Flat[E](f, v)[lane] = cell(row, lane)
		}
		return v[0]
	}
	return d16Field{
		spec: spec,
		fill: func(s world.State, id world.GameObject, row int) world.State {
			return world.Must(world.Set(s, id, f, value(row)))
		},
		check: func(t *testing.T, s world.State, ids []world.GameObject, at int) {
			t.Helper()
			view, reader := world.View(s, f), world.ReaderOf(s, f)
			buffer := tool.Buffer(s, d16Mixed)[at:]
			for row, inView := range view {
				byID, ok := reader.Get(ids[row])
				require.True(t, ok)
				rows := []T{inView, world.GetRow(s, f, layout.Row(row)), byID, world.Must(world.Get(s, ids[row], f))}
				for i, got := range layout.Flat[E](f, rows) {
					lane := i % lanes
					want := cell(row, lane)
					if got != want || decode(buffer[(row*lanes+lane)*size:]) != want {
						t.Fatalf("%s of row %d, lane %d is not %v", spec.Name, row, lane, want)
					}
				}
			}
		},
		initial: func(t *testing.T, s world.State) {
			t.Helper()
			for i, got := range layout.Flat[E](f, world.View(s, f)) {
				at := i % lanes * size
				require.Equal(t, decode(spec.Default[at:]), got, "%s of row %d", spec.Name, i/lanes)
			}
		},
		address: func(s world.State) uintptr { return address(world.View(s, f)) },
	}
}

func TestSeed_D16_MixedElementTypes(t *testing.T) {
	for _, n := range []int{1, 2, 7, 63, 64, 65, 100, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d16Mixed.Count(n)}}))
			fields, at := d16Fields(), d16Offsets(t, s, n)
			for _, f := range fields {
				f.initial(t, s)
			}
			s, ids := worldtest.Create(s, n)
			for row, id := range ids {
				var got layout.Row
				s, got = world.Must2(world.Ensure(s, id, d16Mixed))
				require.Equal(t, layout.Row(row), got)
			}
			for _, f := range fields {
				for row, id := range ids {
					s = f.fill(s, id, row)
				}
			}
			for i, f := range fields {
				f.check(t, s, ids, at[i])
			}
			_, _, err := world.CreateComponent(s, d16Mixed)
			require.ErrorIs(t, err, world.ErrFull, "filled to the last row")
			d16Again(t, s, ids, at)
		})
	}
}

// d16Offsets checks where the columns lie in the buffer: one after the other, each on a multiple of
// 64 bytes and as long as its rows.
func d16Offsets(t *testing.T, s world.State, n int) (at []int) {
	t.Helper()
	buffer, end := tool.Buffer(s, d16Mixed), 0
	for i, f := range d16Fields() {
		sizes := []int{12, 1, 2, 2, 4, 8}
		require.Equal(t, sizes[i], f.spec.Stride, f.spec.Name)
		start := (end + 63) &^ 63
		require.Equal(t, address(buffer)+uintptr(start), f.address(s), f.spec.Name)
		require.Zero(t, f.address(s)%64, f.spec.Name)
		at, end = append(at, start), start+n*f.spec.Stride
	}
	require.Len(t, buffer, end)
	return at
}

// d16Again disposes every other object of a full world, checks all cells, and fills it again.
func d16Again(t *testing.T, s world.State, ids []world.GameObject, at []int) {
	t.Helper()
	var gone []world.GameObject
	for i := 0; i < len(ids); i += 2 {
		gone = append(gone, ids[i])
		s = world.Must(world.Dispose(s, ids[i]))
	}
	spot, mass := layout.Flat[float32](d16Spot, world.View(s, d16Spot)), world.View(s, d16Mass)
	for row := range ids {
		want := []float32{d16SpotAt(row, 0), d16SpotAt(row, 1), d16SpotAt(row, 2)}
		wantMass := d16MassAt(row, 0)
		if row%2 == 0 {
			want, wantMass = []float32{-1, -2, -3}, 1e-300
		}
		require.Equal(t, want, spot[3*row:3*row+3], "row %d", row)
		require.Equal(t, wantMass, mass[row], "row %d", row)
	}
	for range gone {
		var id world.GameObject
		s, id = world.Must2(world.Create(s))
		s = world.Must(world.Add(s, id, d16Mixed))
		row := int(world.Must(world.RowOf(s, id, d16Mixed)))
		require.Zero(t, row%2, "the rows that were disposed")
		ids[row] = id
		for _, f := range d16Fields() {
			s = f.fill(s, id, row)
		}
	}
	for i, f := range d16Fields() {
		f.check(t, s, ids, at[i])
	}
}

// Writing one field to the last byte changes no other one.
func TestSeed_D16_FieldsDoNotOverlap(t *testing.T) {
	const n = 70
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d16Mixed.Count(n)}}))
	buffer, at := tool.Buffer(s, d16Mixed), d16Offsets(t, s, n)
	for i, f := range d16Fields() {
		before := slices.Clone(buffer)
		copy(buffer[at[i]:], repeat[byte](0xee, n*f.spec.Stride))
		for j, g := range d16Fields() {
			if j == i {
				continue
			}
			lo, hi := at[j], at[j]+n*g.spec.Stride
			require.Equal(t, before[lo:hi], buffer[lo:hi], "%s changed %s", f.spec.Name, g.spec.Name)
		}
		copy(buffer, before)
	}
	assert.Len(t, at, 6)
}

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
