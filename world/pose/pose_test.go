package pose_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pose"
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

// below returns what m is in the world, of which the parent's is known if it has one.
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

// What is composed is taken apart again.
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

// No pose becomes what is not a number.
func TestZeroPosesStayNumbers(t *testing.T) {
	p, q := pose.At2(1, 2), pose.At3(1, 2, 3)
	assert.Equal(t, pose.Pose2{}, pose.Pose2{}.Compose(p))
	assert.Equal(t, pose.Rotation3{}, pose.Pose3{}.Compose(q).Rotation)
	assert.Equal(t, pose.Pose2{}, pose.Pose2{}.Relative(p))
	assert.Equal(t, pose.Rotation3{}, pose.Pose3{}.Relative(q).Rotation)
	assert.Equal(t, p, pose.Identity2.Compose(p))
	assert.Equal(t, q, pose.Identity3.Compose(q))
}

// What is turned on in a million steps is as long as before, and where it should be.
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
