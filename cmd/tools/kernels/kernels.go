package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	xyz = 3 // lanes of a position

	// Vectors of components per round of the loop.
	positions = 2
	elements  = 4

	lessThan = 0x11 // a comparison predicate: false for NaN, and quiet
)

// kernels32 writes the kernels for float32.
func (a *assembler) kernels32() {
	a.writeMove()
	a.writeFly()
	a.writeScale()
	a.writeAxpy()
	a.writeClamp()
}

func (a *assembler) writeMove() {
	a.begin("move", "dst, velocity []%s")
	dst, velocity := a.slice("dst", xyz), a.slice("velocity", 1)
	spread := a.spread()
	a.loop(positions, func(u int) {
		a.addToPositions(dst, u, a.read(velocity, u), spread)
	})
}

func (a *assembler) writeFly() {
	a.begin("fly", "dst, velocity, maxVelocity []%s")
	dst, velocity, limit := a.slice("dst", xyz), a.slice("velocity", 1), a.slice("maxVelocity", 1)
	spread := a.spread()
	a.loop(positions, func(u int) {
		v, most := a.read(velocity, u), a.read(limit, u)
		below, d := a.YMM(), a.YMM()
		a.compare(operand.Imm(lessThan), most, v, below)
		a.add(v, v, d) // doubling is exact, so it equals a product
		a.blend(below, d, most, d)
		a.addToPositions(dst, u, d, spread)
	})
}

func (a *assembler) writeScale() {
	a.begin("scale", "dst []%[1]s, factor %[1]s")
	dst, factor := a.slice("dst", 1), a.scalar("factor")
	a.wideLoop(func(u int) {
		v := a.vector()
		a.multiply(a.at(dst, u), a.whole(factor), v)
		a.store(v, a.at(dst, u))
	})
}

func (a *assembler) writeAdd() {
	a.begin("add", "dst, x []%s")
	dst, x := a.slice("dst", 1), a.slice("x", 1)
	a.wideLoop(func(u int) {
		v := a.read(x, u)
		a.add(a.at(dst, u), v, v)
		a.store(v, a.at(dst, u))
	})
}

func (a *assembler) writeAxpy() {
	a.begin("axpy", "dst []%[1]s, a %[1]s, x []%[1]s")
	dst, factor, x := a.slice("dst", 1), a.scalar("a"), a.slice("x", 1)
	a.wideLoop(func(u int) {
		v := a.vector()
		a.multiply(a.at(x, u), a.whole(factor), v)
		a.add(a.at(dst, u), v, v)
		a.store(v, a.at(dst, u))
	})
}

func (a *assembler) writeClamp() {
	a.begin("clamp", "dst []%[1]s, low, high %[1]s")
	dst, low, high := a.slice("dst", 1), a.scalar("low"), a.scalar("high")
	a.wideLoop(func(u int) {
		v := a.vector()
		a.max(a.at(dst, u), a.whole(low), v)
		a.min(v, a.whole(high), v)
		a.store(v, a.at(dst, u))
	})
}

// addToPositions adds each element of d to the three lanes of its position in vectors 3u, 3u+1 and
// 3u+2 of dst.
func (a *assembler) addToPositions(dst, u int, d reg.VecVirtual, spread spreader) {
	for k := range xyz {
		v := spread(k, d)
		a.add(a.at(dst, xyz*u+k), v, v)
		a.store(v, a.at(dst, xyz*u+k))
	}
}

// A spreader returns the k-th of the three vectors that hold each element of v three times.
type spreader func(k int, v reg.VecVirtual) reg.VecVirtual

func (a *assembler) spread() spreader {
	var thirds [xyz]reg.VecVirtual
	for k := range thirds {
		thirds[k] = a.YMM()
		a.VMOVDQU(a.thirds[k], thirds[k])
	}
	return func(k int, v reg.VecVirtual) reg.VecVirtual {
		to := a.YMM()
		a.VPERMPS(v, thirds[k], to)
		return to
	}
}
