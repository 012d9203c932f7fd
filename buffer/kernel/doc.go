// Package kernel holds the loops over flat slices that systems spend their time in. What a kernel
// writes is dst, and comes first; the doc comment of each is the loop that it runs, down to signed
// zeros and NaN. Kernels know nothing of worlds: a caller brings slices of equal numbers of
// components.
//
//	dst       | x y z | x y z | x y z | …   a position is three elements of one component
//	velocity  | v     | v     | v     | …   what moves it is one
//
// What ends in 64 is the same loop over float64. A product is rounded before it is added to
// anything, so every machine gets the same bits; of a NaN, only that it is one is the same.
//
// The slices of one call may be the same slice, but must not otherwise overlap.
//
// On amd64 with AVX2 all but short slices are left to assembly, which does the same eight float32
// or four float64 at a time, and arithmetic twice as many where there is AVX-512. It touches
// nothing beyond the slices, and is fastest where they start at a multiple of 64 bytes. -tags
// purego builds without it, and so does -race, which sees no races in assembly.
//
// Systems of the heroes: [Move], [Fly]; [Move64], [Fly64].
// Arithmetic: [Scale], [Add], [Axpy], [Translate], [Fill];
// [Scale64], [Add64], [Axpy64], [Translate64], [Fill64].
// Bounds: [Min], [Max], [Clamp]; [Min64], [Max64], [Clamp64].
// Listed rows: [Gather], [Scatter]; [GatherBytes], [ScatterBytes]; [ListRows]; [Iota].
// Bits: [Xor], [PackFloat16], [UnpackFloat16], [Split32], [Join32].
package kernel
