// Package exact has the elementary functions for float32, with the same bits on every machine, and
// each result the float32 that is nearest to the true value. Package math gives neither: parts of
// it are assembly on some machines, and compilers fuse its products on others.
//
//	float32 x ──▶ float64: + − × ÷ √, no product fused, a table of 4 kB ──▶ y, right to 2⁻⁵⁰
//	y near the middle of two float32?  no (all but 1 of 2²⁵): float32(y)
//	                                   yes: what mends.go has for x, or float32(y)
//
// How right: a function of one argument is correctly rounded for all 2³² of them, as a test with the
// build tag exhaustive has shown by trying all; a test fails when a function is no longer the one
// that was tried. [Hypot] and [Mod] are correctly rounded by proof. [Pow] and [Atan2] decide what
// their first result leaves open by a second one, of 100 bits; that they are correctly rounded has
// been tried for 10⁹ random pairs and the families that are hardest, and is not proved.
//
// Angles are in radians, of any size. A NaN is always 0x7fc00000. Functions allocate nothing, start
// nothing, and may be called by several goroutines at once. What a program computes itself stays
// its own matter: x*y + z may be fused, float32(x*y) + z may not.
//
// Angles: [Sin], [Cos], [Sincos], [Tan], [Asin], [Acos], [Atan], [Atan2]. Powers: [Exp], [Exp2],
// [Expm1], [Pow], [Sinh], [Cosh], [Tanh]. Logarithms: [Log], [Log2], [Log10], [Log1p]. Roots: [Sqrt],
// [Cbrt], [Hypot]. Whole numbers: [Floor], [Ceil], [Trunc], [Round], [RoundToEven], [Mod]. For
// float64: package double below.
package exact
