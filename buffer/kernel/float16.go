package kernel

import "math"

// Bits of a float16 (IEEE 754 binary16: sign, 5 of exponent, 10 of fraction) and of a float32
// (sign, 8, 23).
const (
	halfSign  = 1 << 15
	halfInf   = 0x1f << 10
	halfQuiet = 1 << 9 // set in every NaN of the result

	dropped  = 23 - 10          // bits of the fraction
	rebias   = (127 - 15) << 23 // difference of the exponents
	floatInf = 0xff << 23
	halfMin  = (127 - 14) << 23 // 2⁻¹⁴, the smallest normal float16
	halfOver = (127 + 16) << 23 // 2¹⁶, above every float16
	half     = 126 << 23        // 0.5

	least float32 = 1.0 / (1 << 14) // halfMin
)

// PackFloat16 rounds each element to the nearest float16, ties to even:
//
//	for i := range dst {
//		dst[i] = uint16(float16.Fromfloat32(src[i])) // of github.com/x448/float16
//	}
//
// Values from 65520 on become infinite, and NaNs keep the first bits of their payload. PackFloat16
// panics when len(dst) != len(src).
func PackFloat16(dst []uint16, src []float32) {
	if len(dst) != len(src) {
		panic(unpairedHalves)
	}
	n := forF16C(len(src))
	if n > 0 {
		packF16C(dst, src)
	}
	packFloat16(dst[n:], src[n:])
}

// forF16C returns how many of n elements the assembly processes.
func forF16C(n int) int {
	if !hasF16C {
		return 0
	}
	return forAssembly(n, perVector)
}

// packFloat16 computes all cases and selects one without branches, like choose.
func packFloat16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, number := range src {
		f := math.Float32bits(number)
		sign := f >> 16 & halfSign
		f &^= 1 << 31
		even := f >> dropped & 1
		h := (f - rebias + (1<<(dropped-1) - 1) + even) >> dropped
		// This sum has bits left for a subnormal float16, and no more: the addition rounds.
		small := math.Float32bits(math.Float32frombits(f)+0.5) - half
		if f < halfMin {
			h = small
		}
		if f >= halfOver {
			h = halfInf
		}
		if quiet := f>>dropped&(halfQuiet-1) | halfInf | halfQuiet; f > floatInf {
			h = quiet
		}
		dst[i] = uint16(sign | h)
	}
}

// UnpackFloat16 widens each float16, without loss:
//
//	for i := range dst {
//		dst[i] = float16.Float16(src[i]).Float32() // of github.com/x448/float16
//	}
//
// It panics when len(dst) != len(src).
func UnpackFloat16(dst []float32, src []uint16) {
	if len(dst) != len(src) {
		panic(unpairedHalves)
	}
	n := forF16C(len(src))
	if n > 0 {
		unpackF16C(dst, src)
	}
	unpackFloat16(dst[n:], src[n:])
}

// unpackFloat16 computes all cases and selects one without branches, like choose.
func unpackFloat16(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, number := range src {
		h := uint32(number)
		sign := h & halfSign << 16
		h &^= halfSign
		f := h<<dropped + rebias
		// With the exponent of the least normal number, a subnormal one is as much too large.
		small := math.Float32bits(math.Float32frombits(h<<dropped|halfMin) - least)
		if h < 1<<10 {
			f = small
		}
		if h >= halfInf {
			f |= floatInf
		}
		if h > halfInf {
			f |= halfQuiet << dropped
		}
		dst[i] = math.Float32frombits(sign | f)
	}
}
