//go:build !purego && !race

package kernel

import "golang.org/x/sys/cpu"

const f16cBit = 29 // of the feature bits

var (
	hasAVX2 = cpu.X86.HasAVX2
	hasF16C = hasAVX2 && featureBits()>>f16cBit&1 != 0 // F16C uses the registers of AVX
)
