// Package random draws from lists by the random numbers of a world: orders, choices, samples, and
// choices by weight.
//
//	world's seed, tick, parts ──▶ world.Random ──▶ world.Stream ──▶ this package
//	world's sequence ──────────▶ world.NextStream ──┘
//
// Numbers are drawn by the methods of [world.Stream]: Uint64, IntN, Float32, Float64, Range, and
// Norm and Exp for the normal and the exponential distribution. The functions here take a stream
// and advance it. All computations use only + − × ÷ √, with each product rounded, so that equal
// streams give equal results on every machine. [Version] identifies the numbers of a stream.
//
// The package owns no bytes. Only [NewWeights] allocates.
//
// Lists: [Shuffle], [Choice], [Sample]. By weight: [Weighted] once, [NewWeights] for a [Weights]
// and [Weights.Draw] often.
package random
