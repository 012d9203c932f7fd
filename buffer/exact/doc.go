// Package exact has the elementary functions for float32, with the same bits on every machine, each
// result the float32 nearest to the true value. Package math gives neither: parts of it are
// assembly on some machines, and compilers fuse its products on others.
//
//	float32 x ──▶ float64: + − × ÷ √, no product fused, 4 kB of tables ──▶ y, right to 2⁻⁵⁰
//	y next to the middle of two float32?  no (all but 1 of 2²⁵): float32(y)
//	                                      yes: what mends.go has for x, else float32(y)
//
// How right: a function of one argument is correctly rounded. A test with the build tag exhaustive
// has tried all 2³² arguments of each; another fails when a function is no longer the one that was
// tried (testdata/proofs.txt). [Hypot] and [Mod] are correctly rounded by proof, in their comments.
// [Pow] and [Atan2] decide what 42 and 48 bits leave open by 100. That they are correctly rounded
// is shown for random pairs and the families that are hardest, and not proved.
//
// How fast: none takes longer than float32(math.F(float64(x))) on amd64, as
//
//	go test ./buffer/exact -run=^$ -bench=AgainstMath
//
// shows. There are no forms for slices: in them, a call costs a ninth less.
//
// Angles are in radians, of any size. A NaN is always 0x7fc00000. Functions allocate nothing, start
// nothing, and may be called by several goroutines at once. What a program computes itself stays
// its own matter: x*y + z may be fused, float32(x*y) + z may not.
//
// Angles: [Sin], [Cos], [Sincos], [Tan], [Asin], [Acos], [Atan], [Atan2]. Powers: [Exp], [Exp2],
// [Expm1], [Pow], [Sinh], [Cosh], [Tanh]. Logarithms: [Log], [Log2], [Log10], [Log1p]. Roots:
// [Sqrt], [Cbrt], [Hypot]. Whole numbers: [Floor], [Ceil], [Trunc], [Round], [RoundToEven], [Mod].
// For float64: package double below.
package exact
