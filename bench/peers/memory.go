package peers

import (
	"slices"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/world"
)

// memory returns cases for the memory of worlds, and for copying it.
func memory() []harness.Case {
	return []harness.Case{
		{
			Name: "resident", Title: "Memory that was ever touched, beyond the 32 bytes of two " +
				"components",
			Per: "object", Sizes: []int{500_000}, Who: with("slices"), Make: resident,
		},
		{
			Name: "sparse_resident", Title: "Memory of a sparse world, beyond 16 bytes",
			Per: "component", Sizes: []int{100_000}, Who: sparsely, Against: []string{"maps"},
			Make: sparseResident,
		},
		{
			Name: "copy", Title: "Copy a world, its bytes, and as many bytes by copy alone",
			Per: "object", Sizes: large, Against: []string{"copy"}, Make: copies,
			Who: []string{
				"flatecs Clone", "flatecs as README Clone", "flatecs copy of Bytes", "copy",
			},
		},
	}
}

// resident measures the resident memory of the process.
func resident(who string, n int) harness.Work {
	before := harness.Resident()
	w := filled(who, uniform(n)...)
	w.Forget()
	value := (float64(harness.Resident())-float64(before))/float64(n) - 32
	return harness.Known("bytes", value, w.Positions, w.Close)
}

// copies copies a world of two kinds to existing memory, or, for a clone, to new memory.
func copies(who string, n int) harness.Work {
	form, clones := strings.CutSuffix(who, " Clone")
	if !clones {
		form = "flatecs"
	}
	w := filled(form, uniform(n)...).(*flat)
	run := func() { world.Close(world.Must(world.Clone(w.state))) }
	if !clones {
		dst, src := slices.Clone(world.Bytes(w.state)), slices.Clone(world.Bytes(w.state))
		run = func() { copy(dst, world.Bytes(w.state)) }
		if who == "copy" {
			run = func() { copy(dst, src) }
		}
	}
	return harness.Work{Run: run, Check: w.Positions, Close: w.Close}
}
