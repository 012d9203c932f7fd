package world_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

func TestSeed_D1_MaxUIDCountsUp(t *testing.T) {
	s := must(world.CreateState(world.Counts{GameObjects: 200}))
	assert.Zero(t, world.MaxUID(s))
	assert.Empty(t, slices.Collect(world.GameObjects(s)))
	var ids []world.GameObject
	for want := range uint32(150) {
		before := world.MaxUID(s)
		var id world.GameObject
		s, id = made(world.CreateGameObject(s))
		assert.Equal(t, want, id.Index(), "0, 1, 2, …")
		assert.Equal(t, before, int(id.Index()), "the old maxUID")
		assert.Equal(t, int(want)+1, world.MaxUID(s))
		ids = append(ids, id)
	}
	assert.Equal(t, ids, slices.Collect(world.GameObjects(s)))

	for _, i := range []int{0, 3, 64, 65, 149} {
		s = must(world.DisposeGameObject(s, ids[i]))
	}
	assert.Equal(t, 145, world.Live(s))
	assert.Equal(t, 150, world.MaxUID(s), "disposing leaves it")
	s, again := create(s, 2)
	assert.Equal(t, []uint32{149, 65}, indexes(again), "the last disposed first")
	want := slices.DeleteFunc(slices.Clone(ids), func(id world.GameObject) bool {
		return !world.Alive(s, id)
	})
	want = append(want, again...)
	slices.SortFunc(want, func(a, b world.GameObject) int { return int(a.Index()) - int(b.Index()) })
	assert.Equal(t, want, slices.Collect(world.GameObjects(s)), "every live one, ascending")
	for _, id := range want {
		assert.Equal(t, id, must(world.GameObjectAt(s, id.Index())))
	}
}

func TestSeed_D2_CountsSizeEveryManagerOnce(t *testing.T) {
	counts := world.Counts{Positions: 10, Velocities: 7, Flies: 3}
	s := must(world.CreateState(counts))
	kinds := map[layout.Kind]struct{ rows, bytes int }{
		world.PositionKind: {10, 120}, world.VelocityKind: {7, 28}, world.FlyKind: {3, 12},
		world.InstanceKind: {10, 0},
	}
	size, start, buffers := world.Size(s), address(world.Bytes(s)), map[layout.Kind]uintptr{}
	for k, want := range kinds {
		assert.Equal(t, want.rows, world.Cap(s, k), k)
		assert.Len(t, world.Buffer(s, k), want.bytes, k)
		assert.Zero(t, world.MaxIndex(s, k), k)
		assert.Zero(t, world.Mounted(s, k), k)
		buffers[k] = address(world.Buffer(s, k))
	}
	assert.Len(t, world.Bytes(s), size)
	for k, want := range kinds { // all of it is used
		for row := range want.rows {
			var got world.Row
			s, got = made(world.Create(s, k))
			assert.Equal(t, world.Row(row), got)
		}
		_, _, err := world.Create(s, k)
		require.ErrorIs(t, err, world.ErrFull)
	}
	s, ids := create(s, 10)
	assert.Len(t, ids, 10, "as many objects as the largest of the other counts")
	assert.Equal(t, size, world.Size(s))
	assert.Equal(t, start, address(world.Bytes(s)), "nothing was allocated again")
	for k, want := range kinds {
		assert.Len(t, world.Buffer(s, k), want.bytes, k)
		assert.Equal(t, buffers[k], address(world.Buffer(s, k)), k)
	}
}

func TestSeed_D3_BuffersViewsMapsAndDefaults(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 10, Velocities: 10, Flies: 10}))
	for _, c := range []struct {
		kind  layout.Kind
		view  func(world.State) []float32
		value float32
		lanes int
	}{
		{world.PositionKind, flatView(world.XYZ), 0, 3},
		{world.VelocityKind, flatView(world.Speed), 1, 1},
		{world.FlyKind, flatView(world.MaxVelocity), 10, 1},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			buffer, view := world.Buffer(s, c.kind), c.view(s)
			assert.Equal(t, repeat(c.value, 10*c.lanes), view, "the whole buffer, before any create")
			assert.Len(t, buffer, 4*len(view))
			assert.Equal(t, address(buffer), address(view), "a view of the buffer")

			var row world.Row
			for want := range world.Row(4) {
				assert.Equal(t, int(want), world.MaxIndex(s, c.kind))
				s, row = made(world.Create(s, c.kind))
				assert.Equal(t, want, row)
			}
			var ids []world.GameObject
			s, ids = create(s, 3)
			s = must(world.Mount(s, ids[2], c.kind, 1))
			s = must(world.Mount(s, ids[0], c.kind, 3))
			for id, want := range map[world.GameObject]world.Row{ids[2]: 1, ids[0]: 3} {
				assert.Equal(t, want, must(world.RowOf(s, id, c.kind)), "game object to component")
				owner, ok := world.ObjectOf(s, c.kind, want)
				assert.True(t, ok)
				assert.Equal(t, id, owner, "component to game object")
			}
			_, ok := world.ObjectOf(s, c.kind, 0)
			assert.False(t, ok, "mounted nowhere")
		})
	}
}

func TestSeed_D4_CreateComponentCountsUpAndAllocatesNothing(t *testing.T) {
	const rows = 2000
	s := must(world.CreateState(world.Counts{Positions: rows, Velocities: rows, Flies: rows}))
	size, start := world.Size(s), address(world.Bytes(s))
	var next world.Row
	perRun := testing.AllocsPerRun(rows-2, func() {
		var p world.Position
		var v world.Velocity
		var f world.Flight
		var i world.Instance
		s, p = made(world.CreatePosition(s))
		s, v = made(world.CreateVelocity(s))
		s, f = made(world.CreateFly(s))
		s, i = made(world.CreateInstance(s))
		if world.Row(p) != next || world.Row(v) != next || world.Row(f) != next || world.Row(i) != next {
			t.Fail()
		}
		next++
		if world.MaxIndex(s, world.PositionKind) != int(next) {
			t.Fail()
		}
	})
	assert.Zero(t, perRun)
	assert.Equal(t, world.Row(rows-1), next)
	assert.Equal(t, size, world.Size(s))
	assert.Equal(t, start, address(world.Bytes(s)))
}

func TestSeed_D5_MountHasGet(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 4, Velocities: 4, Flies: 4}))
	s, ids := create(s, 2)
	a, b := ids[0], ids[1]
	for _, c := range []struct {
		kind   layout.Kind
		create createVerb[uint32]
		mount  mountVerb[uint32]
		has    func(world.State, world.GameObject) bool
		get    getVerb[uint32]
	}{
		{
			world.PositionKind, numbered(world.CreatePosition), mounting(world.MountPosition),
			world.HasPosition, number(world.PositionOf),
		},
		{
			world.VelocityKind, numbered(world.CreateVelocity), mounting(world.MountVelocity),
			world.HasVelocity, number(world.VelocityOf),
		},
		{
			world.FlyKind, numbered(world.CreateFly), mounting(world.MountFly),
			world.HasFly, number(world.FlyOf),
		},
		{
			world.InstanceKind, numbered(world.CreateInstance), mounting(world.MountInstance),
			world.HasInstance, number(world.InstanceOf),
		},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			var first, second uint32
			s, first = made(c.create(s))
			s, second = made(c.create(s))
			assert.False(t, c.has(s, a), "created, not mounted")
			_, err := c.get(s, a)
			require.ErrorIs(t, err, world.ErrAbsent)

			s = must(c.mount(s, a, second))
			assert.True(t, c.has(s, a))
			assert.False(t, c.has(s, b))
			assert.Equal(t, second, must(c.get(s, a)))
			assert.True(t, world.Has(s, a, c.kind))
			assert.Equal(t, world.Row(second), must(world.RowOf(s, a, c.kind)))

			s, err = c.mount(s, a, first)
			require.ErrorIs(t, err, world.ErrTwice, "at most one of a kind per object")
			s, err = c.mount(s, b, second)
			require.ErrorIs(t, err, world.ErrTwice, "at most one object per component")
			assert.Equal(t, second, must(c.get(s, a)))
			assert.False(t, c.has(s, b))
			s = must(c.mount(s, b, first))
			assert.Equal(t, first, must(c.get(s, b)))
			_, err = c.get(s, world.GameObject(math.MaxUint64))
			require.ErrorIs(t, err, world.ErrOutOfRange)
		})
	}
}

// The verbs of one kind, whose rows are of type R.
type (
	createVerb[R ~uint32] func(world.State) (world.State, R, error)
	mountVerb[R ~uint32]  func(world.State, world.GameObject, R) (world.State, error)
	getVerb[R ~uint32]    func(world.State, world.GameObject) (R, error)
)

// numbered, mounting and number lend them to a table of all kinds.
func numbered[R ~uint32](create createVerb[R]) createVerb[uint32] {
	return func(s world.State) (world.State, uint32, error) {
		s, row, err := create(s)
		return s, uint32(row), err
	}
}

func mounting[R ~uint32](mount mountVerb[R]) mountVerb[uint32] {
	return func(s world.State, id world.GameObject, row uint32) (world.State, error) {
		return mount(s, id, R(row))
	}
}

func number[R ~uint32](get getVerb[R]) getVerb[uint32] {
	return func(s world.State, id world.GameObject) (uint32, error) {
		row, err := get(s, id)
		return uint32(row), err
	}
}
