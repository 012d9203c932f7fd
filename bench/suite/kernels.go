package suite

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

var (
	limit32 = layout.NewField[float32]("limit") // the most that Fly adds
	limited = layout.NewKind("limit", limit32)
)

// heroes are the columns that the kernels of the heroes' scene work on.
type heroes struct{ place, pace, limit []float32 }

type kernelWork func(h *heroes)

// kernels are definitions in which C takes part: cmd compare builds its program, which has the same
// start values.
func kernels() []Definition {
	work := func(name, title string, bytes int, ours, plain kernelWork) Definition {
		return Definition{
			Name: name, Title: title, Per: "component", Bytes: bytes,
			Sizes: []int{1_000, 10_000, 100_000, 1_000_000, 10_000_000},
			Who:   []string{"kernel", "Go loop", "C -O3", "C AVX2"},
			make:  kernelCase(ours, plain),
		}
	}
	return []Definition{
		work("kernel_move", "Add a velocity to three lanes of flat float32", 28,
			func(h *heroes) { kernel.Move(h.place, h.pace) },
			func(h *heroes) { loopMove(h.place, h.pace) }),
		work("kernel_fly", "Add twice the velocity, or a maximum, to three lanes", 32,
			func(h *heroes) { kernel.Fly(h.place, h.pace, h.limit) },
			func(h *heroes) { loopFly(h.place, h.pace, h.limit) }),
		work("kernel_update", "Double three lanes; in C it is STREAM's scale, in place", 24,
			func(h *heroes) { kernel.Scale(h.place, 2) },
			func(h *heroes) { loopUpdate(h.place) }),
	}
}

func kernelCase(ours, plain kernelWork) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		state, err := systems.CreateState(systems.Counts{
			GameObjects: 64, Kinds: layout.Kinds(
				singles32.kinds[0].Count(n), singles32.kinds[1].Count(n), limited.Count(n),
			),
		})
		check(err)
		h := &heroes{
			layout.Flat[float32](place32, systems.View(state, place32))[:3*n],
			systems.View(state, pace32)[:n], systems.View(state, limit32)[:n],
		}
		for i := range n {
			h.place[3*i], h.pace[i], h.limit[i] = float32(i%4), float32(i%8)/2, float32(i%3)
		}
		work := plain
		if c.Peer == Ours {
			work = ours
		}
		return Case{
			Run:   func() { work(h) },
			Check: h.sum,
			Close: func() { systems.Close(state) },
		}
	}
}

func (h *heroes) sum() Result {
	r := Result{Count: len(h.pace)}
	for i, x := range h.place {
		r.Sum += float64(x) * float64(int(1)<<(i%3))
	}
	return r
}

func loopMove(p, v []float32) {
	for i, v := range v {
		p := p[3*i : 3*i+3]
		p[0] += v
		p[1] += v
		p[2] += v
	}
}

func loopFly(p, v, limit []float32) {
	limit = limit[:len(v)]
	for i, v := range v {
		d := limit[i]
		if v < d {
			d = v * 2
		}
		p := p[3*i : 3*i+3]
		p[0] += d
		p[1] += d
		p[2] += d
	}
}

func loopUpdate(p []float32) {
	for i := range p {
		p[i] *= 2
	}
}
