package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	xyz = 3 // lanes of a position

	// Vectors of components in one round of the loop.
	positions = 2
	elements  = 4

	lessThan = 0x11 // a predicate of comparison: false for NaN, and quiet
)

// kernels writes all of them for one width.
func (a *assembler) kernels() {
	a.writeMove()
	a.writeFly()
	a.writeScale()
	a.writeFill()
	a.writeCombine("add", func(dst operand.Mem, v reg.VecVirtual) { a.add(dst, v, v) })
	a.writeAxpy()
	a.writeTranslate()
	a.writeCombine("min", func(dst operand.Mem, v reg.VecVirtual) { a.min(dst, v, v) })
	a.writeCombine("max", func(dst operand.Mem, v reg.VecVirtual) { a.max(dst, v, v) })
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
		a.add(v, v, d) // doubling is exact, so it is a product too
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

func (a *assembler) writeFill() {
	a.begin("fill", "dst []%[1]s, value %[1]s")
	dst, value := a.slice("dst", 1), a.scalar("value")
	a.loop(elements, func(u int) { a.store(value, a.at(dst, u)) })
}

// writeCombine writes a kernel of dst and x: into replaces v, which holds x, by what dst becomes.
// Where one of two is NaN, or both are zero, min and max take their first operand here, dst.
func (a *assembler) writeCombine(name string, into func(dst operand.Mem, v reg.VecVirtual)) {
	a.begin(name, "dst, x []%s")
	dst, x := a.slice("dst", 1), a.slice("x", 1)
	a.wideLoop(func(u int) {
		v := a.read(x, u)
		into(a.at(dst, u), v)
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

func (a *assembler) writeTranslate() {
	a.begin("translate", "dst []%[1]s, by [3]%[1]s, n int")
	dst := a.stream("dst", xyz*vectorBytes)
	a.count = a.GP64()
	a.Load(a.Param("n"), a.count)
	repeated := a.repeated("by")
	a.loop(positions, func(u int) {
		for k, v := range repeated {
			to := a.YMM()
			a.add(a.at(dst, xyz*u+k), v, to)
			a.store(to, a.at(dst, xyz*u+k))
		}
	})
}

// repeated returns three vectors that hold the three lanes of a parameter again and again.
func (a *assembler) repeated(name string) (vectors [xyz]reg.VecVirtual) {
	var lanes [xyz]reg.VecVirtual
	for lane := range lanes {
		lanes[lane] = a.every(a.Param(name).Index(lane))
	}
	perVector := vectorBytes / a.bytes
	for k := range vectors {
		var bits [xyz]uint64 // which elements are of each lane
		for j := range perVector {
			bits[(perVector*k+j)%xyz] |= 1 << j
		}
		v := a.YMM()
		a.choose(operand.Imm(bits[1]), lanes[1], lanes[0], v)
		a.choose(operand.Imm(bits[2]), lanes[2], v, v)
		vectors[k] = v
	}
	return vectors
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
	if a.bytes == 8 {
		return a.spread64
	}
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

// spread64 needs no tables: four indices of two bits fit into the instruction, lowest first.
func (a *assembler) spread64(k int, v reg.VecVirtual) reg.VecVirtual {
	to := a.YMM()
	a.VPERMPD(operand.Imm([xyz]uint64{0b01_00_00_00, 0b10_10_01_01, 0b11_11_11_10}[k]), v, to)
	return to
}
