//go:build !purego && !race

package kernel

import "golang.org/x/sys/cpu"

const f16cBit = 29 // of the feature bits

var (
	hasAVX2 = cpu.X86.HasAVX2
	hasF16C = hasAVX2 && featureBits()>>f16cBit&1 != 0 // F16C uses AVX registers

	// The vectors of AVX-512, where they do not slow down the rest of the program: from Ice Lake
	// and Zen 4 on.
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2
)
