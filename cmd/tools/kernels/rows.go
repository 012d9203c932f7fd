package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	rowsRound = 4 // rows per round of the loop
	rowBytes  = 4 // of a row's number
)

// writeRows writes the kernels about listed rows.
func (a *assembler) writeRows() {
	bits := a.table("bits", 8, func(i int) uint32 { return 1 << i })
	counts := a.table("counts", 9, func(i int) uint32 { return uint32(i) })
	a.writeIota(counts)
	a.writeListRows(counts, bits)
	for _, size := range []int{4, 8, 12, 16} {
		a.copyRows("gather", size)
		a.copyRows("scatter", size)
	}
	a.writePrefetch()
}

// writeIota writes the kernel that writes consecutive numbers.
func (a *assembler) writeIota(counts operand.Mem) {
	a.width = a.float32()
	a.open("iotaAVX2", "func(dst []uint32, first uint32)")
	dst, numbers, eight := a.slice("dst", 1), a.YMM(), a.YMM()
	a.VPBROADCASTD(counts.Offset(8*rowBytes), eight)
	a.eightFrom(a.Load(a.Param("first"), a.GP32()), counts, numbers)
	a.loop(elements, func(u int) {
		a.store(numbers, a.at(dst, u))
		a.VPADDD(eight, numbers, numbers)
	})
}

// eightFrom sets v to eight consecutive numbers.
func (a *assembler) eightFrom(first reg.Register, ascending operand.Op, v reg.VecVirtual) {
	a.VMOVD(first, v.AsX())
	a.VPBROADCASTD(v.AsX(), v)
	a.VPADDD(ascending, v, v)
}

// A rowLister is the registers of the loops that convert bits to rows.
type rowLister struct {
	dst, mask, table reg.GPVirtual
	chosen, n        reg.GPVirtual // bits of the current eight rows, and the number of set bits
	rows, eight      reg.VecVirtual
}

// writeListRows writes the kernel that converts bits to rows, eight rows at a time, with a table of
// the places of set bits in a byte.
func (a *assembler) writeListRows(counts, bits operand.Mem) {
	places := a.table("places", 512, func(i int) uint32 {
		return uint32(placesIn(i/2) >> (i % 2 * 32))
	})
	a.open("listRowsAVX2",
		"func(dst, page *[64]uint32, first uint32, odd, mask uint64) (straight bool)")
	l := rowLister{a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.YMM(), a.YMM()}
	a.Load(a.Param("dst"), l.dst)
	a.Load(a.Param("mask"), l.mask)
	first, odd := a.Load(a.Param("first"), a.GP32()), a.Load(a.Param("odd"), a.GP64())
	straight, ramp := a.GP64(), a.YMM()
	a.LEAQ(places, l.table)
	a.VMOVDQU(counts, ramp)
	a.VPBROADCASTD(counts.Offset(8*rowBytes), l.eight)
	a.eightFrom(first, ramp, l.rows)
	a.TESTQ(odd, odd)
	a.JNE(operand.LabelRef("odd"))
	a.MOVQ(l.mask, straight) // for a single run, adding its lowest bit leaves one bit above it
	a.NEGQ(straight)
	a.ANDQ(l.mask, straight)
	a.ADDQ(l.mask, straight)
	a.TESTQ(l.mask, straight)
	a.SETEQ(straight.As8())
	a.Label("even")
	a.listEight(&l, l.rows)
	a.JNE(operand.LabelRef("even"))
	a.JMP(operand.LabelRef("end"))
	a.Label("odd")
	run := a.YMM()
	a.startRun(&l, run, ramp, first, odd)
	differs := a.listOdd(&l, run, odd, counts, bits)
	a.VPTEST(differs, differs)
	a.SETEQ(straight.As8())
	a.Label("end")
	a.Store(straight.As8(), a.ReturnIndex(0))
	a.VZEROUPPER()
	a.RET()
}

// listEight writes the chosen ones of eight rows, and compares the rest of the mask with zero. It
// returns the written rows.
func (a *assembler) listEight(l *rowLister, v reg.VecVirtual) (listed reg.VecVirtual) {
	listed = a.YMM()
	a.MOVBLZX(l.mask.As8(), l.chosen.As32())
	a.VPMOVZXBD(operand.Mem{Base: l.table, Index: l.chosen, Scale: 8}, listed)
	a.VPERMD(v, listed, listed)
	a.VMOVDQU(listed, operand.Mem{Base: l.dst})
	a.POPCNTL(l.chosen.As32(), l.n.As32())
	a.LEAQ(operand.Mem{Base: l.dst, Index: l.n, Scale: rowBytes}, l.dst)
	a.VPADDD(l.eight, l.rows, l.rows)
	a.SHRQ(operand.Imm(8), l.mask)
	return listed
}

// startRun sets run to the first listed row and its successors.
func (a *assembler) startRun(l *rowLister, run, ramp reg.VecVirtual, first, odd reg.Register) {
	page, row := a.Load(a.Param("page"), a.GP64()), a.GP32()
	a.BSFQ(l.mask, l.n)
	a.ADDL(l.n.As32(), first)
	a.MOVL(operand.Mem{Base: page, Index: l.n, Scale: rowBytes}, row)
	a.BTQ(l.n, odd)
	a.CMOVLCC(first, row)
	a.eightFrom(row, ramp, run)
}

// listOdd lists rows, some of which are in the page, and returns where they differ from a run.
func (a *assembler) listOdd(
	l *rowLister, run reg.VecVirtual, odd reg.Register, counts, bits operand.Mem,
) (differs reg.VecVirtual) {
	lanes := a.table("lanes", 9*8, func(i int) uint32 { // as many as were listed
		if i%8 < i/8 {
			return 1<<32 - 1
		}
		return 0
	})
	page, count, some := a.Load(a.Param("page"), a.GP64()), a.GP64(), a.GP64()
	bit, v, strays, differs := a.YMM(), a.YMM(), a.YMM(), a.YMM()
	a.VPXOR(differs, differs, differs)
	a.VMOVDQU(bits, bit)
	a.LEAQ(counts, count)
	a.LEAQ(lanes, some)
	a.Label("mixed")
	a.VMOVQ(odd, strays.AsX())
	a.VPBROADCASTD(strays.AsX(), strays)
	a.VPAND(bit, strays, strays)
	a.VPCMPEQD(bit, strays, strays)
	a.VPBLENDVB(strays, operand.Mem{Base: page}, l.rows, v)
	a.ADDQ(operand.Imm(vectorBytes), page)
	a.SHRQ(operand.Imm(8), odd)
	listed := a.listEight(l, v)
	a.VPXOR(run, listed, listed)
	a.VPBROADCASTD(operand.Mem{Base: count, Index: l.n, Scale: rowBytes}, v)
	a.VPADDD(v, run, run)
	a.SHLQ(operand.Imm(5), l.n) // bytes of eight lanes
	a.VPAND(operand.Mem{Base: some, Index: l.n, Scale: 1}, listed, listed)
	a.VPOR(listed, differs, differs)
	a.TESTQ(l.mask, l.mask)
	a.JNE(operand.LabelRef("mixed"))
	return differs
}

// placesIn returns the places of the set bits in a byte, one byte each, the lowest first.
func placesIn(x int) (places uint64) {
	for bit, n := 0, 0; bit < 8; bit++ {
		if x>>bit&1 != 0 {
			places |= uint64(bit) << n
			n += 8
		}
	}
	return places
}

// table returns a table of numbers.
func (a *assembler) table(name string, n int, f func(i int) uint32) operand.Mem {
	table := a.StaticGlobal(name)
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range n {
		a.AppendDatum(operand.U32(f(i)))
	}
	return table
}

// copyRows writes a function that copies rows of one size between listed and contiguous places: all
// whole rounds, or nothing if a row is outside.
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
	end, length := a.inside(listed, size, rows, count)
	a.Store(count, a.ReturnIndex(0))
	if name == "gather" && size == 12 {
		a.gatherWide(there, here, rows, count, end, length)
	}
	a.Label("copy")
	a.copyRound(there, here, rows, size, func(far, near operand.Mem) {
		if name == "scatter" {
			far, near = near, far
		}
		a.moveRow(far, near, size)
	})
	a.SUBQ(operand.I32(rowsRound), count)
	a.JNE(operand.LabelRef("copy"))
	a.RET()
	a.Label("none")
	a.Store(count, a.ReturnIndex(0))
	a.RET()
}

// copyRound copies the rows of one round, and advances.
func (a *assembler) copyRound(
	there, here, rows reg.Register, size int, move func(far, near operand.Mem),
) {
	var row [rowsRound]reg.GPVirtual
	for u := range row {
		row[u] = a.GP64()
		a.MOVL(operand.Mem{Base: rows, Disp: u * rowBytes}, row[u].As32())
	}
	for u, r := range row {
		move(a.scaled(there, r, size), operand.Mem{Base: here, Disp: u * size})
	}
	a.ADDQ(operand.I32(rowsRound*rowBytes), rows)
	a.ADDQ(operand.I32(rowsRound*size), here)
}

// gatherWide copies rows of 12 bytes together with the following 4 bytes, which the next row
// overwrites: all rounds except the last one, unless the extra bytes of a row are outside.
func (a *assembler) gatherWide(there, here, rows, count, end, length reg.Register) {
	a.ADDQ(operand.Imm(4), end)
	a.CMPQ(end, length)
	a.JGT(operand.LabelRef("copy"))
	a.Label("wide")
	a.CMPQ(count, operand.Imm(rowsRound))
	a.JEQ(operand.LabelRef("copy"))
	a.copyRound(there, here, rows, 12, func(far, near operand.Mem) { a.moveRow(far, near, 16) })
	a.SUBQ(operand.I32(rowsRound), count)
	a.JMP(operand.LabelRef("wide"))
}

// writePrefetch writes the kernel that prefetches listed rows. Rows outside are harmless.
func (a *assembler) writePrefetch() {
	a.open("prefetchAVX2", "func(src []byte, size int, rows []uint32, offset uint32)")
	base, size := a.Load(a.Param("src").Base(), a.GP64()), a.Load(a.Param("size"), a.GP64())
	offset := a.Load(a.Param("offset"), a.GP32())
	rows := a.Load(a.Param("rows").Base(), a.GP64())
	count := a.Load(a.Param("rows").Len(), a.GP64())
	row := a.GP64()
	a.TESTQ(count, count)
	a.JEQ(operand.LabelRef("end"))
	a.Label("ask")
	a.MOVL(operand.Mem{Base: rows}, row.As32())
	a.ADDL(offset, row.As32())
	a.IMULQ(size, row)
	a.PREFETCHT0(operand.Mem{Base: base, Index: row, Scale: 1})
	a.ADDQ(operand.Imm(rowBytes), rows)
	a.DECQ(count)
	a.JNE(operand.LabelRef("ask"))
	a.Label("end")
	a.RET()
}

// inside jumps to none, with a count of 0, if there are no rows, or a row is outside of the slice.
// It returns the end of the last row, and the end of the slice.
func (a *assembler) inside(
	slice string, size int, rows, count reg.Register,
) (end reg.GPVirtual, length reg.Register) {
	highest, half := a.XMM(), a.XMM()
	at, end := a.GP64(), a.GP64()
	length = a.Load(a.Param(slice).Len(), a.GP64())
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
	return end, length
}

// scaled returns the address of a row in a slice. It may change the register with the row's number.
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

// moveRow copies a row in as few moves as possible.
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
