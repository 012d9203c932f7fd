// Package kernel holds the inner loops of systems, over flat slices. The destination is named dst
// and comes first; the doc comment of each kernel is the loop that it runs, exact down to signed
// zeros and NaNs. Kernels do not know worlds: callers pass slices of equal numbers of components.
//
//	dst       | x y z | x y z | x y z | …   a position is three elements of one component
//	velocity  | v     | v     | v     | …   what moves it is one
//
// Products are rounded before they are added, so that all machines compute the same bits, except
// for the bits of NaNs.
//
// The slices of one call may be the same slice, but must not otherwise overlap.
//
// On amd64 with AVX2, long slices are processed by assembly, eight float32 or four float64 at a
// time, and twice as many for arithmetic with AVX-512. It accesses nothing outside the slices, and
// is fastest if they start on a multiple of 64 bytes. Builds with -tags purego or -race have no
// assembly, because the race detector does not see into it.
//
// Systems of the heroes: [Move], [Fly].
// Arithmetic: [Scale], [Axpy], [Clamp]; of float64, [Add64].
// Planes of cells: [Diffuse].
// Listed rows: [Gather], [Scatter]; [GatherBytes], [ScatterBytes]; [ListRows]; [Iota];
// [Prefetch], [PrefetchSpan], [Prefetches].
// Bits: [Xor], [PackFloat16], [UnpackFloat16], [Split], [Join].
//
// # Decisions
//
// Variants without a gain were left out: AVX-512 beyond arithmetic in the innermost cache,
// prefetching and non-temporal stores in kernels, gather instructions (there are none for rows of
// 12 bytes), compressing by a mask, masked stores for odd ends. arm64 runs plain Go, because Go's
// assembler lacks additions of float32 vectors there.
package kernel
