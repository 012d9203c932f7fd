package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

const (
	maxLength = 200 // components
	maxSkip   = 16  // elements, and as many guard each end
)

type float interface{ float32 | float64 }

// A call hands a kernel what it needs of these.
type call[F float] func(dst []F, from [][]F, a, b F)

// A subject is one kernel: as it is exported, its loop in Go, and the loop of its comment.
type subject[F float] struct {
	name            string
	lanes           int // elements of dst per component; slices that are only read have one
	others          int // slices that are only read
	run, twin, loop call[F]
}

func reads1[F float](f func(dst, x []F)) call[F] {
	return func(dst []F, from [][]F, _, _ F) { f(dst, from[0]) }
}

func reads2[F float](f func(dst, x, y []F)) call[F] {
	return func(dst []F, from [][]F, _, _ F) { f(dst, from[0], from[1]) }
}

func takes1[F float](f func(dst []F, a F)) call[F] {
	return func(dst []F, _ [][]F, a, _ F) { f(dst, a) }
}

func takes2[F float](f func(dst []F, a, b F)) call[F] {
	return func(dst []F, _ [][]F, a, b F) { f(dst, a, b) }
}

func takes1reads1[F float](f func(dst []F, a F, x []F)) call[F] {
	return func(dst []F, from [][]F, a, _ F) { f(dst, a, from[0]) }
}

var subjects = []subject[float32]{
	{"Move", 3, 1, reads1(Move), reads1(move), reads1(moveLoop[float32])},
	{"Fly", 3, 2, reads2(Fly), reads2(fly), reads2(flyLoop[float32])},
	{"Scale", 1, 0, takes1(Scale), takes1(scale), takes1(scaleLoop[float32])},
	{"Axpy", 1, 1, takes1reads1(Axpy), takes1reads1(axpy), takes1reads1(axpyLoop[float32])},
	{"Clamp", 1, 0, takes2(Clamp), takes2(clamp), takes2(clampLoop[float32])},
}

var subjects64 = []subject[float64]{
	{"Add64", 1, 1, reads1(Add64), reads1(add64), reads1(addLoop[float64])},
}

var (
	inf     = math.Inf(1)
	nan     = math.NaN()
	negZero = math.Copysign(0, -1)
)

// special are the values that a fast loop gets wrong first.
func special[F float]() []F {
	common := []F{0, F(negZero), 1, -1, 8, 10, 16, F(inf), F(-inf), F(nan), 1 << 24, F(0.1)}
	switch any(F(0)).(type) {
	case float32:
		largest, smallest := float32(math.MaxFloat32), float32(math.SmallestNonzeroFloat32)
		return append(common, F(largest), F(-largest), F(smallest))
	default:
		largest, smallest := math.MaxFloat64, math.SmallestNonzeroFloat64
		return append(common, F(largest), F(-largest), F(smallest))
	}
}

// values fills n elements, one in four of them special.
func values[F float](r *rand.Rand, n int) []F {
	s, odd := make([]F, n), special[F]()
	for i := range s {
		if r.IntN(4) == 0 {
			s[i] = odd[r.IntN(len(odd))]
		} else {
			s[i] = F(r.Float64()*40 - 20)
		}
	}
	return s
}

// different returns the first element that is not bit for bit the same, the payloads of NaNs aside.
func different[F float](want, got []F) (i int, found bool) {
	for i, w := range want {
		g := got[i]
		sameSign := math.Signbit(float64(w)) == math.Signbit(float64(g))
		bothNaN := math.IsNaN(float64(w)) && math.IsNaN(float64(g))
		if !bothNaN && (w != g || !sameSign) {
			return i, true
		}
	}
	return 0, false
}

// expectSame holds what a kernel wrote, guards included, against what it ought to.
func expectSame[F float](t *testing.T, want, got []F, where string) {
	t.Helper()
	if i, found := different(want, got); found {
		t.Fatalf("%s: element %d: want %g, got %g", where, i, want[i], got[i])
	}
}

// try runs all three on slices of n components, off elements after the beginning of their guards.
func (s subject[F]) try(t *testing.T, r *rand.Rand, n, off int, a, b F) {
	t.Helper()
	where := fmt.Sprintf("length %d, %d elements off, %g and %g", n, off, a, b)
	inner := func(whole []F) []F { return whole[off : off+s.lanes*n] }
	ran := values[F](r, maxSkip+s.lanes*n+maxSkip)
	twin, want := append([]F(nil), ran...), append([]F(nil), ran...)
	var from, before [][]F
	for i := range s.others {
		whole := values[F](r, maxSkip+n)
		from = append(from, whole[(off+5*i)%maxSkip:][:n])
		before = append(before, append([]F(nil), from[i]...))
	}
	s.run(inner(ran), from, a, b)
	s.twin(inner(twin), from, a, b)
	s.loop(inner(want), before, a, b)
	expectSame(t, want, ran, where)
	expectSame(t, want, twin, where+", in Go")
	for i := range from {
		expectSame(t, before[i], from[i], where+": what is only read stays")
	}
}

// everywhere tries every length at every alignment, and special arguments at some lengths.
func (s subject[F]) everywhere(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range maxLength + 1 {
		for off := range maxSkip {
			s.try(t, r, n, off, F(-0.1), 7)
		}
	}
	for _, a := range special[F]() {
		for _, b := range special[F]() {
			s.try(t, r, 77, 3, a, b)
		}
	}
}

// onSubjects tries all kernels of float32 and of float64, with each set of instructions.
func onSubjects(t *testing.T, f func(subject[float32], *testing.T), g func(subject[float64], *testing.T)) {
	t.Helper()
	onEach(t, func(t *testing.T) {
		t.Helper()
		for _, s := range subjects {
			t.Run(s.name, func(t *testing.T) { f(s, t) })
		}
		for _, s := range subjects64 {
			t.Run(s.name, func(t *testing.T) { g(s, t) })
		}
	})
}

func TestTwins(t *testing.T) {
	onSubjects(t, subject[float32].everywhere, subject[float64].everywhere)
}
