// Package double provides elementary functions for float64, with the same bits on every machine.
// The error of a result is less than a unit in its last place; powers and roots that are whole
// numbers are exact. Package exact above has more functions, for float32, which are correctly
// rounded.
//
//	x ──▶ an entry of a table + a small rest, each in two float64 ──▶ their sum, rounded once
//
// Angles are in radians, of any size. A NaN is always equal to [math.NaN]. For square roots use
// [math.Sqrt], which is the same on every machine except for its NaN.
//
// Angles: [Sin], [Cos], [Sincos], [Atan2]. Powers and logarithms: [Exp], [Log], [Pow]. Roots:
// [Hypot].
package double
