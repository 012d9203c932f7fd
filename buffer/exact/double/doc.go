// Package double has elementary functions for float64, with the same bits on every machine. A
// result errs by less than a unit of its last place; those of powers and roots that are whole are
// exact. For float32, package exact above has more functions, and they are correctly rounded.
//
//	x ──▶ an entry of a table + a small rest, each in two float64 ──▶ their sum, rounded once
//
// Angles are in radians, of any size. A NaN is always that of [math.NaN]. The square root is
// [math.Sqrt], which is the same on every machine but for its NaN.
//
// Angles: [Sin], [Cos], [Sincos], [Atan2]. Powers and logarithms: [Exp], [Log], [Pow]. Roots:
// [Hypot].
package double
