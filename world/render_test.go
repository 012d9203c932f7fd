package world_test

import (
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

// drawn returns a world of n objects with a position, in which pick says which are instances, and in
// which the positions are mounted in the order of the objects, or in another.
func drawn(n int, row func(int) int, pick func(int) bool) (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(n), heroes.Instance.Count(n))}))
	s, ids := worldtest.Create(s, n)
	for range n {
		s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
	}
	for i, id := range ids {
		s = world.Must(world.Mount(s, id, heroes.Position, layout.Row(row(i))))
		s = world.SetRow(s, heroes.Position, layout.Row(row(i)), [3]float32{float32(i), 1, 2})
		if pick(i) {
			s = world.Must(world.Add(s, id, heroes.Instance))
		}
	}
	return s, ids
}

// swapped gives two objects each other's rows, and every other object the row of its number.
func swapped(a, b int) func(int) int {
	return func(i int) int {
		switch i {
		case a:
			return b
		case b:
			return a
		}
		return i
	}
}

func TestRenderInstancesHandsOverTheLiveColumn(t *testing.T) {
	inOrder := func(i int) int { return i }
	type stretch struct{ row, n int }
	for _, c := range []struct {
		name string
		n    int
		row  func(int) int
		pick func(int) bool
		want []stretch // of rows
	}{
		{"all of one object", 1, inOrder, func(int) bool { return true }, []stretch{{0, 1}}},
		{"all of two groups", 4096 + 70, inOrder, func(int) bool { return true }, []stretch{{0, 4166}}},
		{
			"a run across blocks", 300, inOrder,
			func(i int) bool { return i >= 50 && i < 250 },
			[]stretch{{50, 200}},
		},
		{
			"two runs", 300, inOrder,
			func(i int) bool { return i >= 3 && i < 60 || i >= 70 && i < 200 },
			[]stretch{{3, 57}, {70, 130}},
		},
		{
			"lockstep from another row on", 200,
			func(i int) int { return (i + 30) % 200 },
			func(i int) bool { return i < 170 },
			[]stretch{{30, 170}},
		},
		{
			"one stray", 100,
			swapped(10, 99),
			func(int) bool { return true },
			[]stretch{{0, 10}, {99, 1}, {11, 88}, {10, 1}},
		},
		{"nobody", 0, inOrder, nil, []stretch{{0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := drawn(c.n, c.row, c.pick)
			r := &worldtest.Recorder{}
			s = heroes.RenderInstances(s, r)
			require.Len(t, r.Calls, len(c.want))
			buffer := tool.Buffer(s, heroes.Position.Kind())
			for i, call := range r.Calls {
				want := buffer[c.want[i].row*12:][:c.want[i].n*12]
				require.Equal(t, want, call, "call %d", i)
				if len(want) > 0 {
					assert.Equal(t, address(want), address(call), "call %d is the column, not a copy", i)
				}
			}
			for _, line := range r.Log {
				assert.Contains(t, line, "instance ")
			}
			world.Close(s)
		})
	}
}

// A onesRecorder keeps the positions of objects that are drawn one by one.
type onesRecorder struct {
	worldtest.Recorder
	positions [][]byte
}

func (r *onesRecorder) DrawOne(object uint32, position []byte) {
	r.Recorder.DrawOne(object, position)
	r.positions = append(r.positions, position)
}

func TestRenderOneByOneHandsOverTheLiveRows(t *testing.T) {
	const n = 200
	s, ids := drawn(n, func(i int) int { return i * 7 % n }, func(i int) bool { return i%2 == 0 })
	defer func() { world.Close(s) }()
	r := &onesRecorder{}
	s = heroes.RenderOneByOne(s, r)
	require.Len(t, r.Ones, n/2)
	require.True(t, slices.IsSorted(r.Ones))
	buffer := tool.Buffer(s, heroes.Position.Kind())
	for i, object := range r.Ones {
		row := int(world.Must(world.RowOf(s, ids[object], heroes.Position)))
		require.Equal(t, address(buffer[row*12:]), address(r.positions[i]), "of %d", object)
		require.Len(t, r.positions[i], 12)
	}
}
