package manager_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

func TestSeed_D3_OneBufferPerKindFilledWithDefaults(t *testing.T) {
	positions := manager.PositionsOf(alone(t, manager.Position.Kind(), 10))
	velocities := alone(t, manager.Velocity.Kind(), 10)
	flies := alone(t, manager.MaxVelocity.Kind(), 10)
	for _, c := range []struct {
		name   string
		buffer []byte
		view   []float32
		bytes  int
		value  float32
	}{
		{"position", positions.Data.Buffer(), positions.XYZ(), 120, 0},
		{"velocity", velocities.Data.Buffer(), manager.Column(velocities, manager.Velocity), 40, 1},
		{"fly", flies.Data.Buffer(), manager.Column(flies, manager.MaxVelocity), 40, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Len(t, c.buffer, c.bytes)
			assert.Equal(t, c.bytes, cap(c.buffer))
			assert.Equal(t, slices.Repeat([]float32{c.value}, c.bytes/4), c.view, "before any create")
			assert.Equal(t, address(c.buffer), address(c.view), "one memory")
			c.view[len(c.view)-1] = 3
			assert.Equal(t, []byte{0, 0, 0x40, 0x40}, c.buffer[c.bytes-4:])
		})
	}
}

func TestSeed_D3_Maps(t *testing.T) {
	m := alone(t, manager.Velocity.Kind(), 8)
	assert.Zero(t, m.Rows.High())
	for want := range layout.Row(3) {
		assert.Equal(t, want, must(m.Create()))
		assert.Equal(t, int(want)+1, m.Rows.High())
		_, mounted := m.ObjectOf(want)
		assert.False(t, mounted)
	}
	require.NoError(t, m.Mount(5, 0))
	require.NoError(t, m.Mount(2, 2))
	for object, row := range map[uint32]layout.Row{5: 0, 2: 2} {
		assert.True(t, m.Has(object))
		assert.Equal(t, row, must(m.Get(object)), "game object to component")
		owner, ok := m.ObjectOf(row)
		assert.True(t, ok)
		assert.Equal(t, object, owner, "component to game object")
	}
	for _, object := range []uint32{0, 1, 3, 4, 6, 7} {
		assert.False(t, m.Has(object))
		_, ok := m.RowOf(object)
		assert.False(t, ok)
		_, err := m.Get(object)
		require.ErrorIs(t, err, manager.ErrAbsent)
	}
	assert.Equal(t, 3, m.Live())
	assert.Equal(t, 2, m.Mounted())
	assert.Equal(t, []layout.Row{0, 2}, mountedRows(m))
}

func TestSeed_D8_BatchUpdateIsTheManagers(t *testing.T) {
	const rows = 200
	m := manager.PositionsOf(alone(t, manager.Position.Kind(), rows))
	for i := range m.XYZ() {
		m.XYZ()[i] = float32(i) + 1
	}
	before := slices.Clone(m.XYZ())
	for range rows {
		must(m.Create())
	}
	mounted := map[int]bool{}
	for row := range rows {
		if row%5 != 0 && row/64 != 1 { // holes, and a whole word of 64 rows
			require.NoError(t, m.Mount(uint32(rows-1-row), layout.Row(row)))
			mounted[row] = true
		}
	}
	m.Update()
	for i, v := range m.XYZ() {
		want := before[i]
		if mounted[i/3] {
			want *= 2
		}
		require.InDelta(t, want, v, 0, "element %d, mounted %t", i, mounted[i/3])
	}
}

func TestSeed_D9_ValuesFollowTheirRows(t *testing.T) {
	names := layout.NewValues("name", "nobody")
	m := manager.ValuesOf(alone(t, names.Kind(), 4), names)
	for object := range uint32(3) {
		must(m.Add(object))
	}
	written := m.Stamps.Written
	require.NoError(t, m.Set(1, "b"))
	assert.Equal(t, written+1, m.Stamps.Written)
	require.NoError(t, m.Remove(0))
	loose := must(m.Create())
	assert.Equal(t, "b", *must(m.At(1)))
	assert.Equal(t, "nobody", *must(m.At(2)))
	require.NoError(t, m.Mount(0, loose))
	assert.Equal(t, "nobody", *must(m.At(0)))
	_, err := m.At(3)
	require.ErrorIs(t, err, manager.ErrAbsent)
}

func TestSeed_D10_InstanceUIDs(t *testing.T) {
	m := alone(t, manager.Instance, 4)
	for want := range layout.Row(3) {
		assert.Equal(t, want, must(m.Create()))
	}
	require.NoError(t, m.Mount(3, 1))
	assert.Equal(t, layout.Row(1), must(m.Get(3)))
	owner, ok := m.ObjectOf(1)
	assert.True(t, ok)
	assert.Equal(t, uint32(3), owner)
	assert.Equal(t, 3, m.Rows.High())
	assert.Empty(t, m.Data.Buffer(), "no data")
	assert.Equal(t, []layout.Row{1}, slices.Collect(m.Rows.Each))
}

func TestSeed_D15_RowsAreUsedAgain(t *testing.T) {
	m := alone(t, manager.MaxVelocity.Kind(), 8)
	most := manager.Column(m, manager.MaxVelocity)
	for range 5 {
		must(m.Create())
	}
	for i := range most {
		most[i] = 99
	}
	require.NoError(t, m.Mount(0, 3))
	for _, row := range []layout.Row{1, 3, 0} { // unmounted, mounted, unmounted
		m.Dispose(row)
	}
	assert.Equal(t, []float32{10, 10, 99, 10, 99, 99, 99, 99}, most, "the defaults")
	assert.False(t, m.Has(0))
	assert.Equal(t, 5, m.Rows.High())
	assert.Equal(t, 2, m.Live())
	assert.Equal(t, layout.Row(0), must(m.Create()), "the last disposed first")
	assert.Equal(t, layout.Row(3), must(m.Add(7)), "through add too")
	assert.Equal(t, layout.Row(1), must(m.Create()))
	assert.Equal(t, 5, m.Rows.High(), "unchanged")
	assert.Equal(t, layout.Row(5), must(m.Create()))
	assert.Equal(t, 6, m.Rows.High())
}

func TestSeed_D15_AddTakesTheHomeRowIfItWasDisposed(t *testing.T) {
	m := alone(t, manager.Velocity.Kind(), 8)
	for object := range uint32(6) {
		assert.Equal(t, layout.Row(object), must(m.Add(object)))
	}
	for _, object := range []uint32{4, 1, 3, 0} {
		require.NoError(t, m.Remove(object))
	}
	assert.Equal(t, layout.Row(1), must(m.Add(1)), "its home row, though 0 was disposed last")
	assert.Equal(t, layout.Row(0), must(m.Create()), "the last disposed of those that are left")
	assert.Equal(t, layout.Row(3), must(m.Add(7)), "no home row of its own was disposed")
	assert.Equal(t, layout.Row(4), must(m.Add(4)))
	assert.Equal(t, 6, m.Rows.High())
}

func TestSeed_D21_ViewOfBytesThatAreHandedIn(t *testing.T) {
	size := must(manager.Size(manager.Velocity.Kind(), 100, 130))
	b := alignedBytes(size)
	first := must(manager.View(b, manager.Velocity.Kind(), 100, 130))
	assert.Equal(t, make([]byte, size), b, "views only, nothing filled")
	assert.Equal(t, make([]float32, 100), manager.Column(first, manager.Velocity))
	first = must(manager.NewIn(b, manager.Velocity.Kind(), 100, 130))
	assert.Equal(t, slices.Repeat([]float32{1}, 100), manager.Column(first, manager.Velocity))
	for object := range uint32(70) {
		must(first.Add(129 - object))
	}
	manager.Column(first, manager.Velocity)[3] = 7

	second := must(manager.View(b, manager.Velocity.Kind(), 100, 130))
	assert.Equal(t, address(manager.Column(first, manager.Velocity)), address(manager.Column(second, manager.Velocity)), "the same bytes")
	assert.Equal(t, 70, second.Rows.High())
	assert.Equal(t, layout.Row(3), must(second.Get(126)))
	assert.Equal(t, float32(7), manager.Column(second, manager.Velocity)[3])
	require.NoError(t, second.Remove(126))
	assert.False(t, first.Has(126), "what one does the other sees")
	assert.Equal(t, layout.Row(3), must(first.Create()))
}
