package kernel

const (
	unequal  = "kernel: dst must have 3 elements for each element of the other slices"
	unpaired = "kernel: dst and x must have equal numbers of elements"

	unpairedBytes  = "kernel: dst and src must have equal numbers of bytes"
	unpairedHalves = "kernel: dst and src must have equal numbers of elements"
	unevenPlanes   = "kernel: dst and src must be a multiple of 8 elements"
	noPlanes       = "kernel: elements of planes must have 1, 2, 4 or 8 bytes"
	unlisted       = "kernel: there must be an element for each of the listed rows"
)

const (
	perVector   = 8 // float32 in a vector of AVX2
	perVector64 = 4 // float64

	perVectorBytes = 32

	short = 8 // number of components below which a call into assembly costs more than it saves
)

// forAssembly returns how many of n components the assembly processes: whole vectors, or none.
func forAssembly(n, perVector int) int {
	if n < short || !hasAVX2 {
		return 0
	}
	return n &^ (perVector - 1)
}

const noPlane = "kernel: Diffuse: src is not rows of width cells, or dst is not cells of it; " +
	"give first and width of the plane"
