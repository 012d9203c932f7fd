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
	wideBytes   = 64 // of a vector of AVX-512
)

// hasAVX512 is a variable of the package.
var hasAVX512 = operand.NewDataAddr(operand.Symbol{Name: "·hasAVX512"}, 0)

// An assembler writes one function after another, each as parameters, then a loop.
type assembler struct {
	*build.Context
	width

	thirds  [3]operand.Mem // tables for spread: element j of table k is (8*k+j)/3
	count   reg.GPVirtual  // components left
	streams []stream
	scalars []reg.VecVirtual // each in every element of a vector
	wide    bool             // vectors are those of AVX-512 now
}

// A stream is a slice on its way through the loop.
type stream struct {
	next reg.Register // address of its next element
	step int          // bytes that go with one vector of components of AVX2
}

// A width is the instructions for one type of element.
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

// bits is the width of a kernel for which an element is any byte.
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

// begin opens a function; %s in its parameters is the type of element.
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

// slice opens the stream of a parameter. The first with one element per component counts them.
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

// scalar returns a parameter in every element of a vector.
func (a *assembler) scalar(name string) reg.VecVirtual { return a.every(a.Param(name)) }

func (a *assembler) every(parameter gotypes.Component) reg.VecVirtual {
	v := a.YMM()
	p, err := parameter.Resolve()
	if err != nil {
		panic(err) // the kernel names a parameter that it does not have
	}
	a.broadcast(p.Addr, v)
	a.scalars = append(a.scalars, v)
	return v
}

// vector returns a register.
func (a *assembler) vector() reg.VecVirtual {
	if a.wide {
		return a.ZMM()
	}
	return a.YMM()
}

// whole is all of a register that has been filled.
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

// at is vector k of a stream, counted from its next element.
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

// loop runs block for one vector of components after another, many of them in each round while
// there are as many, and ends the function.
func (a *assembler) loop(many int, block func(u int)) {
	nothing := func() {}
	a.rounds("many", many, nothing, block)
	a.rounds("one", 1, nothing, block)
	a.VZEROUPPER()
	a.RET()
}

// wideLoop is loop for a block that is the same with the vectors of AVX-512, which come first where
// there are any.
func (a *assembler) wideLoop(block func(u int)) {
	a.CMPB(hasAVX512, operand.Imm(0))
	a.JEQ(operand.LabelRef("narrow"))
	a.wide = true
	a.rounds("wide", elements, a.widen, block)
	a.wide = false
	a.Label("narrow")
	a.loop(elements, block)
}

// widen fills the other half of each register that has a scalar in every element.
func (a *assembler) widen() {
	for _, v := range a.scalars {
		a.broadcast(v.AsX(), v.AsZ())
	}
}

// rounds runs block for as many vectors as there are in whole rounds, and first, if there are any.
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
