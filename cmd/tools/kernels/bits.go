package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	halfBytes     = vectorBytes / 2 // of the float16 for a vector of float32
	toNearestEven = 0               // rounding
)

// writeXor writes the xor kernel, whose elements are bytes.
func (a *assembler) writeXor() {
	a.begin("xor", "dst, src []%s")
	dst, src := a.slice("dst", 1), a.slice("src", 1)
	a.wideLoop(func(u int) {
		v := a.read(src, u)
		a.VXORPS(a.at(dst, u), v, v)
		a.store(v, a.at(dst, u))
	})
}

// writeFloat16 writes the kernels that need F16C, and the check for F16C. It needs the width of
// float32.
func (a *assembler) writeFloat16() {
	a.width = a.float32()
	half := func(s, u int) operand.Mem {
		return operand.Mem{Base: a.streams[s].next, Disp: u * halfBytes}
	}

	a.open("packF16C", "func(dst []uint16, src []float32)")
	src, dst := a.slice("src", 1), a.stream("dst", halfBytes)
	a.loop(elements, func(u int) {
		a.VCVTPS2PH(operand.Imm(toNearestEven), a.read(src, u), half(dst, u))
	})

	a.open("unpackF16C", "func(dst []float32, src []uint16)")
	dst, src = a.slice("dst", 1), a.stream("src", halfBytes)
	a.loop(elements, func(u int) {
		v := a.YMM()
		a.VCVTPH2PS(half(src, u), v)
		a.store(v, a.at(dst, u))
	})

	a.Function("featureBits")
	a.SignatureExpr("func() uint32")
	a.Doc("featureBits is ECX of CPUID leaf 1.")
	a.MOVL(operand.U32(1), reg.EAX)
	a.XORL(reg.ECX, reg.ECX)
	a.CPUID()
	a.Store(reg.ECX, a.ReturnIndex(0))
	a.RET()
}
