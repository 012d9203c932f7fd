package pose_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A matrix is one of rows × columns, column by column, in float64.
type matrix struct {
	rows int
	a    []float64
}

func matrixOf(rows int, a []float32) matrix {
	m := matrix{rows, make([]float64, len(a))}
	for i, x := range a {
		m.a[i] = float64(x)
	}
	return m
}

func (m matrix) times(n matrix) matrix {
	product := matrix{m.rows, make([]float64, len(n.a))}
	for i := range product.a {
		column, row := i/m.rows, i%m.rows
		for k := range m.rows {
			product.a[i] += m.a[k*m.rows+row] * n.a[column*m.rows+k]
		}
	}
	return product
}

// below returns the global matrix of m; known has the parent's if the object has one.
func (m matrix) below(known map[world.GameObject]matrix, parent world.GameObject) matrix {
	if p, ok := known[parent]; ok {
		return p.times(m)
	}
	return m
}

// isNear checks that numbers differ by rounding at most.
func (m matrix) isNear(t *testing.T, got []float32) {
	t.Helper()
	largest := 1.0
	for _, x := range m.a {
		largest = max(largest, math.Abs(x))
	}
	for i, x := range got {
		require.InDelta(t, m.a[i], x, largest*2e-5, "%v %v", m.a, got)
	}
}

func near2(t *testing.T, want, got pose.Pose2) {
	t.Helper()
	a, b := want.Matrix(), got.Matrix()
	matrixOf(3, a[:]).isNear(t, b[:])
}

func near3(t *testing.T, want, got pose.Pose3) {
	t.Helper()
	a, b := want.Matrix(), got.Matrix()
	matrixOf(4, a[:]).isNear(t, b[:])
}

func TestTurnsAgainstMath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		angle := float32((r.Float64() - .5) * math.Exp(r.Float64()*28-14))
		sin, cos := math.Sincos(float64(angle))
		turn := pose.Turn2(angle)
		require.InDelta(t, cos, turn.Cos, 1e-7, angle)
		require.InDelta(t, sin, turn.Sin, 1e-7, angle)
		around := pose.Turn3([3]float32{0, 0, 3}, angle)
		v := around.Of([3]float32{1, 0, 5})
		require.InDeltaSlice(t, []float32{float32(cos), float32(sin), 5}, v[:], 1e-6, angle)
	}
	for _, quarters := range []int{-4, -1, 0, 1, 2, 3, 4} {
		turn := pose.Turn2(float32(quarters) * math.Pi / 2)
		assert.InDelta(t, math.Cos(float64(quarters)*math.Pi/2), turn.Cos, 5e-7)
		off := float64(turn.Angle()) - float64(quarters)*math.Pi/2
		assert.InDelta(t, 0, math.Remainder(off, 2*math.Pi), 1e-6)
	}
	for _, angle := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		assert.PanicsWithValue(t, panicked(func() { pose.Turn2(float32(angle)) }), func() {
			pose.Turn3([3]float32{1, 0, 0}, float32(angle))
		}, "both name the angle")
	}
	assert.Equal(t, pose.Identity3.Rotation, pose.Turn3([3]float32{}, 1))
}

func panicked(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestFacing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	number := func() float32 { return float32(r.NormFloat64()) }
	for i := range 20_000 {
		to, up := [3]float32{number(), number(), number()}, [3]float32{number(), number(), number()}
		switch i % 5 {
		case 0:
			up = to
		case 1:
			up = [3]float32{}
		case 2:
			to, up = [3]float32{0, number(), 0}, [3]float32{0, 1, 0}
		}
		n := norm(to[:])
		rotation := pose.Facing3(to, up)
		require.InDelta(t, 1, norm(rotation[:]), 1e-6)
		ahead := rotation.Of([3]float32{0, 0, -1})
		for axis := range 3 {
			require.InDelta(t, float64(to[axis])/n, ahead[axis], 2e-6, "%v %v", to, up)
		}
		if i%5 > 2 {
			side := rotation.Of([3]float32{1, 0, 0})
			require.InDelta(t, 0, dot(side, up), 1e-5*norm(up[:]), "up has no part to the side")
			require.Positive(t, dot(rotation.Of([3]float32{0, 1, 0}), up))
		}
		n = norm(to[:2])
		turn := pose.Facing2([2]float32(to[:2]))
		if n > 0 {
			require.InDelta(t, float64(to[0])/n, turn.Cos, 1e-6)
			require.InDelta(t, float64(to[1])/n, turn.Sin, 1e-6)
		}
	}
	assert.Equal(t, pose.Identity3.Rotation, pose.Facing3([3]float32{}, [3]float32{0, 1, 0}))
	assert.Equal(t, pose.Identity2.Rotation, pose.Facing2([2]float32{}))
}

func dot(a, b [3]float32) float64 {
	return float64(a[0])*float64(b[0]) + float64(a[1])*float64(b[1]) + float64(a[2])*float64(b[2])
}

func norm(v []float32) (n float64) {
	for _, x := range v {
		n += float64(x) * float64(x)
	}
	return math.Sqrt(n)
}

// Relative inverts Compose.
func TestRelativeIsTheInverse(t *testing.T) {
	f := grown(t, 6, 400)
	for range 2000 {
		a, b := f.ids[f.IntN(400)], f.ids[f.IntN(400)]
		p := world.Must(world.Get(f.s, a, pose.Local2))
		q := world.Must(world.Get(f.s, b, pose.Local2))
		near2(t, q, p.Relative(p.Compose(q)))
		near2(t, pose.Identity2, p.Compose(p.Relative(pose.Identity2)))
		there, point := q.Position(), p.Local(p.Point(q.Position()))
		assert.InDeltaSlice(t, there[:], point[:], 1e-5)

		m := world.Must(world.Get(f.s, a, pose.Local3))
		n := world.Must(world.Get(f.s, b, pose.Local3))
		near3(t, n, m.Relative(m.Compose(n)))
		near3(t, pose.Identity3, m.Compose(m.Relative(pose.Identity3)))
		place := m.Local(m.Point(n.Position))
		assert.InDeltaSlice(t, n.Position[:], place[:], 1e-5)
	}
}

// Zero poses do not become NaN.
func TestZeroPosesStayNumbers(t *testing.T) {
	p, q := pose.At2(1, 2), pose.At3(1, 2, 3)
	assert.Equal(t, pose.Pose2{}, pose.Pose2{}.Compose(p))
	assert.Equal(t, pose.Rotation3{}, pose.Pose3{}.Compose(q).Rotation)
	assert.Equal(t, pose.Pose2{}, pose.Pose2{}.Relative(p))
	assert.Equal(t, pose.Rotation3{}, pose.Pose3{}.Relative(q).Rotation)
	assert.Equal(t, p, pose.Identity2.Compose(p))
	assert.Equal(t, q, pose.Identity3.Compose(q))
}

// After a million rotations the length is unchanged, and the direction right.
func TestTurnsStayLong(t *testing.T) {
	const steps = 1_000_000
	flat, step := pose.Identity2.Rotation, pose.Turn2(.001)
	solid, turn := pose.Identity3.Rotation, pose.Turn3([3]float32{1, 2, 3}, .001)
	for range steps {
		flat, solid = flat.Times(step), turn.Times(solid)
	}
	assert.InDelta(t, 1, norm([]float32{flat.Cos, flat.Sin}), 1e-6)
	assert.InDelta(t, 1, norm(solid[:]), 1e-6)
	assert.InDelta(t, 1, norm([]float32{step.Cos, step.Sin}), 1e-7)
}

var (
	limb    = world.NewRecipe("limb", family.ChildOf, pose.Local2, pose.Global2, pose.Local3, pose.Global3)
	rock    = world.NewRecipe("rock", pose.Local2, pose.Global2, pose.Local3, pose.Global3)
	bare    = world.NewRecipe("bare", family.ChildOf) // a link without poses
	counted = world.Counts{
		GameObjects: 4096,
		Kinds: layout.Kinds(
			family.ChildOf, pose.Local2, pose.Global2, pose.Local3, pose.Global3,
		),
		Recipes: []world.Recipe{limb, rock, bare},
		Queries: []world.Query{pose.Placing2, pose.Placing3},
	}
)

// A forest is a world of random trees.
type forest struct {
	*rand.Rand
	s      world.State
	ids    []world.GameObject // parents first
	parent map[world.GameObject]world.GameObject
}

// grown returns random trees, created in random order; in each second one a few links have no pose.
func grown(t *testing.T, seed uint64, n int) *forest {
	t.Helper()
	f := &forest{
		Rand: rand.New(rand.NewPCG(seed, 1)), ids: make([]world.GameObject, n),
		s: world.Must(world.CreateState(counted)), parent: map[world.GameObject]world.GameObject{},
	}
	for _, i := range f.Perm(n) {
		recipe := limb
		switch {
		case i < 10:
			recipe = rock
		case seed%2 == 1 && i%50 == 0:
			recipe = bare
		}
		f.s, f.ids[i] = world.Must2(world.Spawn(f.s, recipe))
	}
	for i, id := range f.ids {
		if f.s = f.shake(id); i >= 10 && f.IntN(10) > 0 {
			f.parent[id] = f.ids[max(0, i-1-f.IntN(30))]
			f.s = world.Must(world.Set(f.s, id, family.ChildOf, f.parent[id]))
		}
	}
	t.Cleanup(func() { world.Close(f.s) })
	return f
}

func (f *forest) number() float32 { return float32(f.IntN(2001)-1000) / 256 }

// shake gives an object other local poses, if it has any.
func (f *forest) shake(id world.GameObject) world.State {
	if !world.Has(f.s, id, pose.Local2) {
		return f.s
	}
	axis := [3]float32{f.number(), f.number(), f.number() + 5}
	f.s = world.Must(world.Set(f.s, id, pose.Local2, pose.Pose2{
		X: f.number(), Y: f.number(),
		Rotation: pose.Turn2(f.number()),
	}))
	return world.Must(world.Set(f.s, id, pose.Local3, pose.Pose3{
		Position: [3]float32{f.number(), f.number(), f.number()},
		Rotation: pose.Turn3(axis, f.number()),
	}))
}

func (f *forest) update() {
	f.s = pose.Update3(pose.Update2(f.s))
}

// globals returns the global poses of an object.
func (f *forest) globals(id world.GameObject) (pose.Pose2, pose.Pose3) {
	return world.Must(world.Get(f.s, id, pose.Global2)), world.Must(world.Get(f.s, id, pose.Global3))
}

// Global poses are the products of the matrices from the root on, in float64.
func TestUpdateAgainstMatrices(t *testing.T) {
	for seed := range uint64(6) {
		f := grown(t, seed, 500)
		f.update()
		planes, spaces := map[world.GameObject]matrix{}, map[world.GameObject]matrix{}
		for _, id := range f.ids {
			if !world.Has(f.s, id, pose.Local2) {
				continue
			}
			local2 := world.Must(world.Get(f.s, id, pose.Local2)).Matrix()
			local3 := world.Must(world.Get(f.s, id, pose.Local3)).Matrix()
			planes[id] = matrixOf(3, local2[:]).below(planes, f.parent[id])
			spaces[id] = matrixOf(4, local3[:]).below(spaces, f.parent[id])
			plane, space := f.globals(id)
			got2, got3 := plane.Matrix(), space.Matrix()
			planes[id].isNear(t, got2[:])
			spaces[id].isNear(t, got3[:])
		}
	}
}

// Global poses equal the result of a recursion from each object up to its root, to the bit: a chain
// ends at a root, or below an object without a pose.
func TestUpdateAgainstRecursion(t *testing.T) {
	for seed := range uint64(8) {
		f := grown(t, seed, 500)
		for round := range 3 {
			f.update()
			for _, id := range f.ids {
				if !world.Has(f.s, id, pose.Local2) {
					continue
				}
				plane, space := f.globals(id)
				want2, want3 := f.recursive(id)
				require.Equal(t, want2, plane, "round %d", round)
				require.Equal(t, want3, space, "round %d", round)
			}
			for range 50 {
				id := f.ids[f.IntN(len(f.ids))]
				f.s = f.shake(id)
				if f.s = f.hang(id, f.ids[f.IntN(len(f.ids))]); f.IntN(4) == 0 {
					f.s = f.hang(id, 0)
				}
			}
		}
	}
}

// hang gives an object another parent, unless that is below it.
func (f *forest) hang(id, parent world.GameObject) world.State {
	s, err := world.Set(f.s, id, family.ChildOf, parent)
	if err == nil {
		f.parent[id] = parent
	}
	return s
}

func (f *forest) recursive(id world.GameObject) (pose.Pose2, pose.Pose3) {
	plane := world.Must(world.Get(f.s, id, pose.Local2))
	space := world.Must(world.Get(f.s, id, pose.Local3))
	if p := f.parent[id]; p == 0 || !world.Has(f.s, p, pose.Local2) {
		return pose.Identity2.Compose(plane), pose.Identity3.Compose(space)
	}
	above2, above3 := f.recursive(f.parent[id])
	return above2.Compose(plane), above3.Compose(space)
}

// All machines come to the same bytes.
func TestUpdateIsTheSameEverywhere(t *testing.T) {
	f := grown(t, 8, 1000)
	f.update()
	h := fnv.New64a()
	for _, id := range f.ids {
		plane, space := f.globals(id)
		require.NoError(t, binary.Write(h, binary.LittleEndian, plane))
		require.NoError(t, binary.Write(h, binary.LittleEndian, space))
	}
	assert.Equal(t, uint64(0x4a4e15ea6957c4ee), h.Sum64())
}

func TestReparentKeepsPlaces(t *testing.T) {
	worldtest.OneGoroutine(t)
	f := grown(t, 4, 300)
	f.update()
	moved := 0
	for range 300 {
		id, parent := f.ids[f.IntN(290)+10], f.ids[f.IntN(300)]
		if f.IntN(5) == 0 {
			parent = 0
		}
		before := world.Must(world.Clone(f.s))
		plane, space := f.globals(id)
		after, err := pose.Reparent2(f.s, id, parent)
		if f.s = after; err != nil {
			require.True(t, world.Equal(before, f.s), "an error changes nothing: %v", err)
			world.Close(before)
			continue
		}
		moved++
		f.s = world.Must(pose.Reparent3(f.s, id, parent))
		f.update()
		plane2, space2 := f.globals(id)
		near2(t, plane, plane2)
		near3(t, space, space2)
		world.Close(before)
	}
	assert.Greater(t, moved, 100)
}

func TestReparentRefuses(t *testing.T) {
	f := grown(t, 1, 300)
	f.update()
	bones := f.ids[50]
	_, err := pose.Reparent2(f.s, bones, 0)
	require.ErrorIs(t, err, world.ErrAbsent)
	f.s = world.Must(world.Dispose(f.s, f.ids[299]))
	_, err = pose.Reparent3(f.s, f.ids[20], f.ids[299])
	require.ErrorIs(t, err, world.ErrDead)
	// A parent without a pose is one at the origin.
	_, was := f.globals(f.ids[49])
	f.s = world.Must(pose.Reparent3(f.s, f.ids[49], bones))
	assert.Equal(t, was, world.Must(world.Get(f.s, f.ids[49], pose.Local3)))
}

func TestAllocUpdateNothing(t *testing.T) {
	s := world.Must(world.CreateState(counted))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, limb, 1000, nil))
	assert.Zero(t, testing.AllocsPerRun(10, func() { s = pose.Update3(pose.Update2(s)) }))
}

// TestDownAfterAnotherObjectGotAParent: what a walk remembers about blocks of matching objects does
// not outlive an object of a block that does not match, and gets a parent, by one change or by many.
func TestDownAfterAnotherObjectGotAParent(t *testing.T) {
	part := world.NewRecipe("part of many", family.ChildOf, pose.Local2, pose.Global2)
	stray := world.NewRecipe("stray", family.ChildOf, pose.Global2)
	for _, changes := range []int{1, 40} {
		s := world.Must(world.CreateState(world.Counts{
			GameObjects: 64, Recipes: []world.Recipe{part, stray},
		}))
		var ids [42]world.GameObject
		for i := range ids {
			r := part
			if i == 1 {
				r = stray
			}
			s, ids[i] = world.Must2(world.Spawn(s, r))
			if i > 1 {
				s = world.Must(world.Set(s, ids[i], family.ChildOf, ids[0]))
			}
		}
		visited := func() (n int) {
			for b := range pose.Placing2.Down(s, family.ChildOf) {
				n += b.Len()
			}
			return n
		}
		for range 2 {
			require.Equal(t, len(ids)-1, visited())
		}
		for i := range changes {
			s = world.Must(world.Set(s, ids[1+i], family.ChildOf, ids[0]))
		}
		require.Equal(t, len(ids)-1, visited(), changes)
		world.Close(s)
	}
}
