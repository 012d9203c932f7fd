package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program is the memory of one with two functions, and where its parts begin in it.
type program struct {
	memory

	names, units, files, pc, funcs, data, module int
}

// Offsets in a program's parts. The second function is the compiler's.
const (
	nameOne, nameTwo, nameGone, nameKept        = 1, 5, 9, 14
	stackOne, stackTwo, safe, file, line        = 1, 4, 7, 10, 13
	callOne, stackMap, callTwo                  = 16, 19, 22
	dataMap, callsOne, dataArgs, callsTwo, rest = 0, 8, 24, 28, 44
	entryOne, entryTwo                          = 24, 24 + 80
)

func newProgram() (p program) {
	p.from = 1000
	p.bytes = slices.Concat([]byte("before "), magic, make([]byte, 64))
	header := p.bytes[len(p.bytes)-64:]
	binary.LittleEndian.PutUint64(header, 2)
	part := func(field int, content []byte) int {
		at := len(p.bytes)
		binary.LittleEndian.PutUint64(p.bytes[7+8+8*field:], uint64(at-7))
		p.bytes = append(p.bytes, content...)
		return at
	}
	p.names = part(3, []byte("\x00one\x00two\x00gone\x00kept\x00"))
	p.units = part(4, []byte{9, 9, 9, 9})
	p.files = part(5, []byte("a.go\x00b.go\x00"))
	var pc []byte
	for i := range byte(8) {
		pc = append(pc, 0, 2, 5+i)
	}
	p.pc = part(6, append(pc, 0))
	p.funcs = part(7, slices.Concat(words(100, entryOne, 200, entryTwo, 300, 0),
		entry(100, nameOne, stackOne, callOne, callsOne, 0),
		entry(200, nameTwo, stackTwo, callTwo, callsTwo, 22)))
	p.data = len(p.bytes)
	p.bytes = slices.Concat(p.bytes, []byte("the map."), words(0, nameGone, 1, 2), []byte("args"),
		words(0, nameKept, 3, 4), []byte("the index"))
	p.addModule()
	return p
}

func (p *program) addModule() {
	p.module = len(p.bytes)
	word := func(at int) {
		p.bytes = binary.LittleEndian.AppendUint64(p.bytes, uint64(p.from+at))
	}
	word(7)
	for _, at := range []int{p.names, p.units, p.files, p.pc, p.funcs, p.funcs} {
		word(at)
		p.bytes = append(p.bytes, make([]byte, 16)...)
	}
	word(p.data + rest)
	p.bytes = append(p.bytes, make([]byte, 20*8)...)
	word(p.data)
}

func words(list ...uint32) (b []byte) {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func entry(pc, name, stack, call, calls uint32, id byte) []byte {
	return slices.Concat(
		words(pc, name, 0, 0, stack, file, line, 3, 3, 77), []byte{id, 0, 0, 6},
		words(safe, stackMap, call), words(dataMap, none, none, calls, none, dataArgs))
}

// withoutLines makes zeros of files and lines, and of safe points.
func (p *program) withoutLines() {
	clear(p.bytes[p.units:p.pc])
	clear(p.bytes[p.pc+safe : p.pc+callOne-1])
	for _, f := range []int{entryOne, entryTwo} {
		b := p.bytes[p.funcs+f:]
		clear(b[20:28])
		clear(b[32:40])
		clear(b[44:48])
	}
}

func TestWhatNothingReadsIsDropped(t *testing.T) {
	p, want := newProgram(), newProgram()
	p.dropTables()
	want.withoutLines()
	clear(want.bytes[want.names+nameGone : want.names+nameKept-1])
	clear(want.bytes[want.pc+callOne : want.pc+callOne+2])
	clear(want.bytes[want.data+callsOne : want.data+callsTwo])
	first := want.bytes[want.funcs+entryOne:]
	clear(first[44+8 : 44+12])
	copy(first[56+12:], words(none, none, none))
	copy(want.bytes[want.funcs+entryTwo+56+20:], words(none))
	assert.Equal(t, want.bytes, p.bytes, "the calls in a function of the compiler's stay")
	again := bytes.Clone(p.bytes)
	p.dropTables()
	assert.Equal(t, again, p.bytes)
}

// Where the functions' data is not found, lines are dropped alone.
func TestOtherDataIsLeftAsItIs(t *testing.T) {
	for name, change := range map[string]func(p *program){
		"none":    func(p *program) { p.bytes = p.bytes[:p.module] },
		"cut off": func(p *program) { p.bytes = p.bytes[:len(p.bytes)-1] },
		"twice":   func(p *program) { p.bytes = append(p.bytes, p.bytes[p.module:]...) },
		"slice":   func(p *program) { p.bytes[p.module+8+4*24]++ },
		"beyond":  func(p *program) { p.bytes[p.module+atIndex+3]++ },
		"order":   func(p *program) { p.bytes[p.module+atIndex+1]-- },
		"too low": func(p *program) { p.bytes[p.module+atData+1]-- },
		"offset":  func(p *program) { p.bytes[p.funcs+entryTwo+56+1]++ },
	} {
		p, want := newProgram(), newProgram()
		change(&p)
		change(&want)
		p.dropTables()
		want.withoutLines()
		assert.Equal(t, want.bytes, p.bytes, name)
	}
}

// A table that is not as expected in any part is left alone.
func TestOtherTablesAreLeftAsTheyAre(t *testing.T) {
	word := func(p *program, at int, x uint32) { binary.LittleEndian.PutUint32(p.bytes[at:], x) }
	good := newProgram()
	header, second := 7, good.funcs+entryTwo
	for name, change := range map[string]func(p *program){
		"twice":         func(p *program) { p.bytes = append(p.bytes, p.bytes...) },
		"cut off":       func(p *program) { p.bytes = p.bytes[:p.funcs+entryTwo+79] },
		"header alone":  func(p *program) { p.bytes = p.bytes[:header+40] },
		"no functions":  func(p *program) { word(p, header+8, 0) },
		"too many":      func(p *program) { word(p, header+8, 1000) },
		"order":         func(p *program) { word(p, header+8+8*4, 1) },
		"beyond":        func(p *program) { word(p, header+8+8*7, 1<<30) },
		"other pc":      func(p *program) { word(p, second, 201) },
		"name":          func(p *program) { word(p, second+4, 1<<20) },
		"stack":         func(p *program) { word(p, second+16, 1<<20) },
		"no end":        func(p *program) { word(p, second+16, callTwo+2) },
		"file":          func(p *program) { word(p, second+20, 1<<20) },
		"line":          func(p *program) { word(p, second+24, 1<<20) },
		"tables":        func(p *program) { word(p, second+28, 65) },
		"data":          func(p *program) { p.bytes[second+43] = 65 },
		"safe points":   func(p *program) { word(p, second+44, 1<<20) },
		"entry":         func(p *program) { word(p, p.funcs+12, 1<<20) },
		"entry in list": func(p *program) { word(p, p.funcs+12, 0) },
	} {
		p := newProgram()
		change(&p)
		given := bytes.Clone(p.bytes)
		p.dropTables()
		require.Equal(t, given, p.bytes, name)
	}
}
