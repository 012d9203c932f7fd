package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	vectorBytes = 32
	wideBytes   = 64 // bytes of an AVX-512 vector
)

// hasAVX512 is the package variable of that name.
var hasAVX512 = operand.NewDataAddr(operand.Symbol{Name: "·hasAVX512"}, 0)

// An assembler writes functions, each with parameters and a loop.
type assembler struct {
	*build.Context
	width

	thirds  [3]operand.Mem // tables for spread: element j of table k is (8*k+j)/3
	count   reg.GPVirtual  // remaining components
	streams []stream
	scalars []reg.VecVirtual // broadcast to all elements of a vector
	wide    bool             // use AVX-512 vectors
}

// A stream is a slice that the loop processes.
type stream struct {
	next reg.Register // address of its next element
	step int          // bytes per AVX2 vector of components
}

// A width is the set of instructions for one type of element.
type width struct {
	suffix  string // of the kernels' names
	element string // the Go type
	bytes   int    // of an element

	move, broadcast         func(...operand.Op)
	add, multiply, min, max func(...operand.Op)
	compare                 func(...operand.Op) // predicate, right, left, dst
	blend                   func(mask, yes, no, dst operand.Op)
}

func newAssembler() *assembler {
	a := &assembler{Context: build.NewContext()}
	for k := range a.thirds {
		a.thirds[k] = a.table(fmt.Sprintf("thirds%d", k), 8,
			func(j int) uint32 { return uint32(8*k+j) / 3 })
	}
	return a
}

// bits returns the width of a kernel whose elements are bytes.
func (a *assembler) bits() width {
	return width{suffix: "", element: "byte", bytes: 1, move: a.VMOVUPS}
}

func (a *assembler) float32() width {
	return width{
		suffix: "", element: "float32", bytes: 4,
		move: a.VMOVUPS, broadcast: a.VBROADCASTSS,
		add: a.VADDPS, multiply: a.VMULPS, min: a.VMINPS, max: a.VMAXPS,
		compare: a.VCMPPS, blend: a.VBLENDVPS,
	}
}

func (a *assembler) float64() width {
	return width{suffix: "64", element: "float64", bytes: 8, move: a.VMOVUPD, add: a.VADDPD}
}

// begin starts a function; %s in its parameters is replaced by the type of element.
func (a *assembler) begin(name, parameters string) {
	a.open(name+a.suffix+"AVX2", fmt.Sprintf("func("+parameters+")", a.element))
}

func (a *assembler) open(name, signature string) {
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.SignatureExpr(signature)
	a.Pragma("noescape")
	a.count, a.streams, a.scalars = nil, nil, nil
}

// slice opens the stream of a parameter. The first stream with one element per component determines
// the count.
func (a *assembler) slice(name string, lanes int) int {
	s := a.stream(name, lanes*vectorBytes)
	if lanes == 1 && a.count == nil {
		a.count = a.GP64()
		a.Load(a.Param(name).Len(), a.count)
	}
	return s
}

func (a *assembler) stream(name string, step int) int {
	next := a.Load(a.Param(name).Base(), a.GP64())
	a.streams = append(a.streams, stream{next, step})
	return len(a.streams) - 1
}

// scalar returns a parameter, broadcast to all elements of a vector.
func (a *assembler) scalar(name string) reg.VecVirtual { return a.every(a.Param(name)) }

func (a *assembler) every(parameter gotypes.Component) reg.VecVirtual {
	v := a.YMM()
	p, err := parameter.Resolve()
	if err != nil {
		panic(err) // the kernel has no such parameter
	}
	a.broadcast(p.Addr, v)
	a.scalars = append(a.scalars, v)
	return v
}

// vector allocates a register.
func (a *assembler) vector() reg.VecVirtual {
	if a.wide {
		return a.ZMM()
	}
	return a.YMM()
}

// whole returns the full register of v, which must be filled.
func (a *assembler) whole(v reg.VecVirtual) reg.Register {
	if a.wide {
		return v.AsZ()
	}
	return v.AsY()
}

func (a *assembler) size() int {
	if a.wide {
		return wideBytes
	}
	return vectorBytes
}

// at returns vector k of a stream, counted from its next element.
func (a *assembler) at(s, k int) operand.Mem {
	return operand.Mem{Base: a.streams[s].next, Disp: k * a.size()}
}

// read loads vector k of a stream.
func (a *assembler) read(s, k int) reg.VecVirtual {
	v := a.vector()
	a.move(a.at(s, k), v)
	return v
}

func (a *assembler) store(v reg.VecVirtual, to operand.Mem) { a.move(v, to) }

// loop runs block for each vector of components, with many vectors per round as long as possible,
// and ends the function.
func (a *assembler) loop(many int, block func(u int)) {
	nothing := func() {}
	a.rounds("many", many, nothing, block)
	a.rounds("one", 1, nothing, block)
	a.VZEROUPPER()
	a.RET()
}

// wideLoop is loop for a block that also works with AVX-512 vectors, which come first if available.
func (a *assembler) wideLoop(block func(u int)) {
	a.CMPB(hasAVX512, operand.Imm(0))
	a.JEQ(operand.LabelRef("narrow"))
	a.wide = true
	a.rounds("wide", elements, a.widen, block)
	a.wide = false
	a.Label("narrow")
	a.loop(elements, block)
}

// widen fills the upper half of each register with a broadcast scalar.
func (a *assembler) widen() {
	for _, v := range a.scalars {
		a.broadcast(v.AsX(), v.AsZ())
	}
}

// rounds runs block for all whole rounds of vectors. It runs first before them, if there are any.
func (a *assembler) rounds(label string, vectors int, first func(), block func(u int)) {
	components := operand.I32(vectors * a.size() / a.bytes)
	end := label + "_end"
	a.SUBQ(components, a.count)
	a.JL(operand.LabelRef(end))
	first()
	a.Label(label)
	for u := range vectors {
		block(u)
	}
	for _, s := range a.streams {
		a.ADDQ(operand.I32(vectors*s.step*a.size()/vectorBytes), s.next)
	}
	a.SUBQ(components, a.count)
	a.JGE(operand.LabelRef(label))
	a.Label(end)
	a.ADDQ(components, a.count)
}
