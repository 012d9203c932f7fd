package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	rowsRound = 4 // rows in one round of the loop
	rowBytes  = 4 // of a row's number
)

// writeRows writes the kernels about listed rows.
func (a *assembler) writeRows() {
	ascending := a.eight("ascending", func(i int) uint32 { return uint32(i) })
	bits := a.eight("bits", func(i int) uint32 { return 1 << i })
	a.writeIota(ascending, bits)
	a.writeListRows(ascending, bits)
	for _, size := range []int{4, 8, 12, 16} {
		a.copyRows("gather", size)
		a.copyRows("scatter", size)
	}
}

// writeIota writes the kernel that numbers elements.
func (a *assembler) writeIota(ascending, bits operand.Mem) {
	a.width = a.widths()[0]
	a.open("iotaAVX2", "func(dst []uint32, first uint32)")
	dst, numbers, eight := a.slice("dst", 1), a.YMM(), a.YMM()
	a.VPBROADCASTD(bits.Offset(3*rowBytes), eight)
	a.eightFrom("first", ascending, numbers)
	a.loop(elements, func(u int) {
		a.store(numbers, a.at(dst, u))
		a.VPADDD(eight, numbers, numbers)
	})
}

// eightFrom makes v eight numbers: that of a parameter, and those that follow it.
func (a *assembler) eightFrom(parameter string, ascending operand.Op, v reg.VecVirtual) {
	a.VMOVD(a.Load(a.Param(parameter), a.GP32()), v.AsX())
	a.VPBROADCASTD(v.AsX(), v)
	a.VPADDD(ascending, v, v)
}

// writeListRows writes the kernel that turns bits into rows, eight of them at a time: a table says
// where the set bits of a byte are.
func (a *assembler) writeListRows(ascending, bits operand.Mem) {
	places := a.StaticGlobal("places")
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for x := range 256 {
		a.AppendDatum(operand.U64(placesIn(x)))
	}
	a.open("listRowsAVX2",
		"func(dst, page *[64]uint32, first uint32, odd, mask uint64) (straight bool)")
	dst, page := a.Load(a.Param("dst"), a.GP64()), a.Load(a.Param("page"), a.GP64())
	odd, mask := a.Load(a.Param("odd"), a.GP64()), a.GP64()
	a.Load(a.Param("mask"), mask)
	table, rows, ramp, eight, bit := a.GP64(), a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.LEAQ(places, table)
	a.VMOVDQU(ascending, ramp)
	a.VMOVDQU(bits, bit)
	a.VPBROADCASTD(bits.Offset(3*rowBytes), eight)
	a.eightFrom("first", ramp, rows)
	end, chosen, n, v := a.GP64(), a.GP64(), a.GP64(), a.YMM()
	a.MOVQ(dst, end)
	next := func(v reg.VecVirtual) {
		at := a.YMM()
		a.MOVBLZX(mask.As8(), chosen.As32())
		a.VPMOVZXBD(operand.Mem{Base: table, Index: chosen, Scale: 8}, at)
		a.VPERMD(v, at, at)
		a.VMOVDQU(at, operand.Mem{Base: end})
		a.POPCNTL(chosen.As32(), n.As32())
		a.LEAQ(operand.Mem{Base: end, Index: n, Scale: rowBytes}, end)
		a.VPADDD(eight, rows, rows)
		a.SHRQ(operand.Imm(8), mask)
	}
	a.TESTQ(odd, odd)
	a.JEQ(operand.LabelRef("even"))
	a.Label("mixed")
	strays := a.YMM()
	a.VMOVQ(odd, strays.AsX())
	a.VPBROADCASTD(strays.AsX(), strays)
	a.VPAND(bit, strays, strays)
	a.VPCMPEQD(bit, strays, strays)
	a.VPBLENDVB(strays, operand.Mem{Base: page}, rows, v)
	next(v)
	a.ADDQ(operand.Imm(vectorBytes), page)
	a.SHRQ(operand.Imm(8), odd)
	a.TESTQ(mask, mask)
	a.JNE(operand.LabelRef("mixed"))
	a.JMP(operand.LabelRef("listed"))
	a.Label("even")
	next(rows)
	a.TESTQ(mask, mask)
	a.JNE(operand.LabelRef("even"))
	a.Label("listed")
	a.compareWithRun(dst, end, ramp, eight)
	a.VZEROUPPER()
	a.RET()
}

// placesIn returns where the set bits of a byte are, a byte each, the lowest first.
func placesIn(x int) (places uint64) {
	for bit, n := 0, 0; bit < 8; bit++ {
		if x>>bit&1 != 0 {
			places |= uint64(bit) << n
			n += 8
		}
	}
	return places
}

// compareWithRun returns whether the rows from dst to end are eight at least, and a run: all but
// the last eight of them, eight at a time, and the last eight. Ends too far apart tell at once.
func (a *assembler) compareWithRun(dst, end reg.Register, run, eight reg.VecVirtual) {
	span, same := a.GP64(), a.GP64()
	a.MOVL(operand.Mem{Base: end, Disp: -rowBytes}, span.As32())
	a.SUBL(operand.Mem{Base: dst}, span.As32())
	a.LEAQ(operand.Mem{Base: dst, Index: span, Scale: rowBytes, Disp: rowBytes}, span)
	a.XORL(same.As32(), same.As32())
	a.CMPQ(span, end)
	a.JNE(operand.LabelRef("told"))
	a.SUBQ(operand.Imm(vectorBytes), end)
	a.CMPQ(end, dst)
	a.JLT(operand.LabelRef("told"))

	first, differs, different := a.YMM(), a.YMM(), a.YMM()
	a.VPBROADCASTD(operand.Mem{Base: dst}, first)
	a.VPADDD(first, run, run)
	a.VPXOR(differs, differs, differs)
	a.JEQ(operand.LabelRef("last"))
	a.Label("compare")
	a.VPXOR(operand.Mem{Base: dst}, run, different)
	a.VPOR(different, differs, differs)
	a.VPADDD(eight, run, run)
	a.ADDQ(operand.Imm(vectorBytes), dst)
	a.CMPQ(dst, end)
	a.JLT(operand.LabelRef("compare"))
	a.Label("last")
	beyond := a.YMM()
	a.SUBQ(end, dst) // how far the last eight lie before the next ones
	a.SHRQ(operand.Imm(2), dst)
	a.VMOVQ(dst, beyond.AsX())
	a.VPBROADCASTD(beyond.AsX(), beyond)
	a.VPSUBD(beyond, run, run)
	a.VPXOR(operand.Mem{Base: end}, run, run)
	a.VPOR(run, differs, differs)
	a.VPTEST(differs, differs)
	a.SETEQ(same.As8())
	a.Label("told")
	a.Store(same.As8(), a.ReturnIndex(0))
}

// eight returns a table of eight numbers.
func (a *assembler) eight(name string, f func(i int) uint32) operand.Mem {
	table := a.StaticGlobal(name)
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		a.AppendDatum(operand.U32(f(i)))
	}
	return table
}

// copyRows writes a function that copies rows of one size, listed on the one side and one after the
// other on the other side: as many as make whole rounds, or none where one of them is outside.
func (a *assembler) copyRows(name string, size int) {
	listed, packed := "src", "dst"
	if name == "scatter" {
		listed, packed = packed, listed
	}
	a.open(fmt.Sprintf("%s%dAVX2", name, size), "func(dst, src []byte, rows []uint32) (done int)")
	there := a.Load(a.Param(listed).Base(), a.GP64())
	here := a.Load(a.Param(packed).Base(), a.GP64())
	rows := a.Load(a.Param("rows").Base(), a.GP64())
	count := a.Load(a.Param("rows").Len(), a.GP64())
	a.ANDQ(operand.I32(-rowsRound), count)
	a.inside(listed, size, rows, count)
	a.Store(count, a.ReturnIndex(0))
	a.Label("copy")
	var row [rowsRound]reg.GPVirtual
	for u := range row {
		row[u] = a.GP64()
		a.MOVL(operand.Mem{Base: rows, Disp: u * rowBytes}, row[u].As32())
	}
	for u, r := range row {
		far, near := a.scaled(there, r, size), operand.Mem{Base: here, Disp: u * size}
		if name == "scatter" {
			far, near = near, far
		}
		a.moveRow(far, near, size)
	}
	a.ADDQ(operand.I32(rowsRound*rowBytes), rows)
	a.ADDQ(operand.I32(rowsRound*size), here)
	a.SUBQ(operand.I32(rowsRound), count)
	a.JNE(operand.LabelRef("copy"))
	a.RET()
	a.Label("none")
	a.Store(count, a.ReturnIndex(0))
	a.RET()
}

// inside goes to none, with a count of 0, unless there are rows and the slice has all of them.
func (a *assembler) inside(slice string, size int, rows, count reg.Register) {
	highest, half := a.XMM(), a.XMM()
	at, end := a.GP64(), a.GP64()
	length := a.Load(a.Param(slice).Len(), a.GP64())
	a.TESTQ(count, count)
	a.JEQ(operand.LabelRef("none"))
	a.VPXOR(highest, highest, highest)
	a.XORQ(at, at)
	a.Label("inside")
	a.VPMAXUD(operand.Mem{Base: rows, Index: at, Scale: rowBytes}, highest, highest)
	a.ADDQ(operand.Imm(rowsRound), at)
	a.CMPQ(at, count)
	a.JLT(operand.LabelRef("inside"))
	a.VPSHUFD(operand.Imm(0b1110), highest, half)
	a.VPMAXUD(half, highest, highest)
	a.VPSHUFD(operand.Imm(1), highest, half)
	a.VPMAXUD(half, highest, highest)
	a.VMOVD(highest, end.As32())
	a.INCQ(end)
	a.IMUL3Q(operand.Imm(uint64(size)), end, end)
	a.CMPQ(end, length)
	a.JLE(operand.LabelRef("all"))
	a.XORQ(count, count)
	a.JMP(operand.LabelRef("none"))
	a.Label("all")
}

// scaled is where a row is in a slice. It may change the register that holds the row's number.
func (a *assembler) scaled(slice reg.Register, row reg.GPVirtual, size int) operand.Mem {
	scale := size
	switch size {
	case 12:
		a.LEAQ(operand.Mem{Base: row, Index: row, Scale: 2}, row)
		scale = 4
	case 16:
		a.SHLQ(operand.Imm(4), row)
		scale = 1
	}
	return operand.Mem{Base: slice, Index: row, Scale: uint8(scale)}
}

// moveRow copies a row in as few moves as its size takes.
func (a *assembler) moveRow(from, to operand.Mem, size int) {
	if size == 16 {
		v := a.XMM()
		a.VMOVDQU(from, v)
		a.VMOVDQU(v, to)
		return
	}
	if size >= 8 {
		v := a.GP64()
		a.MOVQ(from, v)
		a.MOVQ(v, to)
		from, to = from.Offset(8), to.Offset(8)
	}
	if size%8 != 0 {
		v := a.GP32()
		a.MOVL(from, v)
		a.MOVL(v, to)
	}
}
