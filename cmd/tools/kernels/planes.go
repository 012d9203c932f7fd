package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	planes     = 4                    // bytes of an element
	planeBytes = planes * vectorBytes // per round of the loop
	laneBytes  = 16                   // of each half of a vector
)

// writePlanes writes the kernels that split elements of four bytes into planes, and join planes.
// Instructions work on each half of a vector separately, so the upper halves contain data from 64
// bytes later.
func (a *assembler) writePlanes() {
	const element, later = laneBytes, planes * laneBytes
	deal := a.StaticGlobal("deal")
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range laneBytes {
		a.AppendDatum(operand.U8(i%planes*planes + i/planes))
	}

	a.planesLoop("split32AVX2", "dst", "src", func() func(plane []reg.Register, all reg.Register) {
		mask := a.YMM()
		a.VBROADCASTI128(deal, mask)
		return func(plane []reg.Register, all reg.Register) {
			var v [planes]reg.VecVirtual
			for k := range v {
				v[k] = a.YMM()
				a.VMOVDQU(operand.Mem{Base: all, Disp: k * element}, v[k].AsX())
				upper := operand.Mem{Base: all, Disp: later + k*element}
				a.VINSERTI128(operand.Imm(1), upper, v[k], v[k])
				a.VPSHUFB(mask, v[k], v[k])
			}
			a.unpack(a.VPUNPCKLDQ, a.VPUNPCKHDQ, &v, 0, 1)
			a.unpack(a.VPUNPCKLDQ, a.VPUNPCKHDQ, &v, 2, 3)
			a.unpack(a.VPUNPCKLQDQ, a.VPUNPCKHQDQ, &v, 0, 2)
			a.unpack(a.VPUNPCKLQDQ, a.VPUNPCKHQDQ, &v, 1, 3)
			for k, from := range [planes]int{0, 2, 1, 3} {
				a.VMOVDQU(v[from], operand.Mem{Base: plane[k]})
			}
		}
	})

	a.planesLoop("join32AVX2", "src", "dst", func() func(plane []reg.Register, all reg.Register) {
		return func(plane []reg.Register, all reg.Register) {
			var v [planes]reg.VecVirtual
			for k := range v {
				v[k] = a.YMM()
				a.VMOVDQU(operand.Mem{Base: plane[k]}, v[k])
			}
			a.unpack(a.VPUNPCKLBW, a.VPUNPCKHBW, &v, 0, 1)
			a.unpack(a.VPUNPCKLBW, a.VPUNPCKHBW, &v, 2, 3)
			a.unpack(a.VPUNPCKLWD, a.VPUNPCKHWD, &v, 0, 2)
			a.unpack(a.VPUNPCKLWD, a.VPUNPCKHWD, &v, 1, 3)
			for k, from := range [planes]int{0, 2, 1, 3} {
				a.VMOVDQU(v[from].AsX(), operand.Mem{Base: all, Disp: k * element})
				upper := operand.Mem{Base: all, Disp: later + k*element}
				a.VEXTRACTI128(operand.Imm(1), v[from], upper)
			}
		}
	})
}

// unpack interleaves two vectors, and returns the lower and the upper halves of the result.
func (a *assembler) unpack(low, high func(...operand.Op), v *[planes]reg.VecVirtual, i, j int) {
	l, h := a.YMM(), a.YMM()
	low(v[j], v[i], l)
	high(v[j], v[i], h)
	v[i], v[j] = l, h
}

// planesLoop writes a function with planes and elements as slices, which runs block for all whole
// rounds.
func (a *assembler) planesLoop(
	name, planar, elements string, begin func() func(plane []reg.Register, all reg.Register),
) {
	a.open(name, "func(dst, src []byte)")
	all := a.Load(a.Param(elements).Base(), a.GP64())
	count := a.Load(a.Param(elements).Len(), a.GP64())
	stride := a.GP64()
	a.MOVQ(count, stride)
	a.SHRQ(operand.Imm(2), stride)
	plane := make([]reg.Register, planes)
	plane[0] = a.Load(a.Param(planar).Base(), a.GP64())
	for k := 1; k < planes; k++ {
		next := a.GP64()
		a.MOVQ(plane[k-1], next)
		a.ADDQ(stride, next)
		plane[k] = next
	}
	block := begin()
	a.SUBQ(operand.I32(planeBytes), count)
	a.JL(operand.LabelRef("end"))
	a.Label("round")
	block(plane, all)
	for _, p := range plane {
		a.ADDQ(operand.I32(vectorBytes), p)
	}
	a.ADDQ(operand.I32(planeBytes), all)
	a.SUBQ(operand.I32(planeBytes), count)
	a.JGE(operand.LabelRef("round"))
	a.Label("end")
	a.VZEROUPPER()
	a.RET()
}
