// Package exact provides the elementary functions for float32, with the same bits on every machine:
// each result is the float32 nearest to the true value. Package math guarantees neither: parts of
// it are assembly on some machines, and compilers fuse its products on others.
//
//	float32 x ──▶ float64: + − × ÷ √, no product fused, 4 kB of tables ──▶ y, right to 2⁻⁵⁰
//	y next to the middle of two float32?  no (all but 1 of 2²⁵): float32(y)
//	                                      yes: what mends.go has for x, else float32(y)
//
// Accuracy: functions of one argument are correctly rounded. A test with the build tag exhaustive
// has tried all 2³² arguments of each; another test fails if a function differs from the tested one
// (testdata/proofs.txt). [Hypot] and [Mod] are correctly rounded by proofs in their comments. [Pow]
// and [Atan2] compute 42 and 48 bits first, and 100 bits when these do not decide. Tests of random
// pairs and of the hardest families show that they are correctly rounded; there is no proof.
//
// Speed: no function takes longer than float32(math.F(float64(x))) on amd64, as
//
//	go test ./buffer/exact -run=^$ -bench=AgainstMath
//
// shows. There are no variants for slices: calls would cost only a ninth less.
//
// Angles are in radians, of any size. A NaN is always 0x7fc00000. Functions allocate nothing, start
// no goroutines, and may be called by several goroutines at once. The program's own arithmetic is
// not covered: the compiler may fuse x*y + z, but not float32(x*y) + z.
//
// Angles: [Sin], [Cos], [Sincos], [Tan], [Asin], [Acos], [Atan], [Atan2]. Powers: [Exp], [Exp2],
// [Expm1], [Pow], [Sinh], [Cosh], [Tanh]. Logarithms: [Log], [Log2], [Log10], [Log1p]. Roots:
// [Sqrt], [Cbrt], [Hypot]. Whole numbers: [Floor], [Ceil], [Trunc], [Round], [RoundToEven], [Mod].
// For float64: package double below.
package exact
