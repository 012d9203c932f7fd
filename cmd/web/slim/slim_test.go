package slim

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module returns a program with a data section between two others.
func module(data []byte) []byte {
	wasm := []byte("\x00asm\x01\x00\x00\x00\x0a\x03abc\x0b")
	wasm = binary.AppendUvarint(wasm, uint64(len(data)))
	return append(append(wasm, data...), "\x00\x02xy"...)
}

// section returns a data section of segments.
func section(list ...segment) []byte {
	data := binary.AppendUvarint(nil, uint64(len(list)))
	for _, s := range list {
		data = appendSigned(append(data, 0, 0x41), s.at)
		data = binary.AppendUvarint(append(data, 0x0b), uint64(len(s.bytes)))
		data = append(data, s.bytes...)
	}
	return data
}

// image returns the memory that a program begins with, as whoever runs it makes it.
func image(t *testing.T, wasm []byte) []byte {
	t.Helper()
	before, data, after, ok := split(wasm)
	require.True(t, ok)
	require.Equal(t, "\x00asm\x01\x00\x00\x00\x0a\x03abc", string(before))
	require.Equal(t, "\x00\x02xy", string(after))
	memory := make([]byte, 1<<16)
	count, n := binary.Uvarint(data)
	for data = data[n:]; count > 0; count-- {
		s, size := readSegment(data)
		require.NotZero(t, size)
		copy(memory[s.at:], s.bytes)
		data = data[size:]
	}
	require.Empty(t, data)
	return memory
}

func TestTheMemoryIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var list []segment
		at := r.IntN(200)
		for range 1 + r.IntN(20) {
			content := make([]byte, r.IntN(50))
			for i := range content {
				content[i] = byte(r.IntN(3)) * byte(r.IntN(256))
			}
			list = append(list, segment{at, content})
			at += len(content) + r.IntN(80)
		}
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		wasm := module(section(list...))
		given := bytes.Clone(wasm)
		slim := Program(wasm)
		assert.Equal(t, given, wasm, "what is given is not changed")
		require.Equal(t, image(t, wasm), image(t, slim))
		assert.Equal(t, slim, Program(slim))
	}
}

func TestFewSegments(t *testing.T) {
	var list []segment
	for i := range 1000 {
		list = append(list, segment{100 + 10*i, []byte{1, 2, 3}})
	}
	list = append(list, segment{60_000, []byte("far")})
	slim := Program(module(section(list...)))
	_, data, _, _ := split(slim)
	assert.Equal(t, byte(2), data[0])
}

func TestOtherProgramsAreLeftAsTheyAre(t *testing.T) {
	good := module(section(segment{8, []byte("abc")}, segment{20, []byte("def")}))
	require.NotEqual(t, good, Program(good))
	for name, wasm := range map[string][]byte{
		"nothing":       nil,
		"no program":    []byte("\x7fELF, and more than eight bytes"),
		"another":       bytes.Replace(good, []byte{'m', 1}, []byte{'m', 2}, 1),
		"cut off":       good[:20],
		"no data":       []byte("\x00asm\x01\x00\x00\x00\x0a\x03abc"),
		"overlap":       module(section(segment{8, []byte("abc")}, segment{10, []byte("abc")})),
		"more segments": module(append([]byte{9}, section(segment{8, []byte("abc")})[1:]...)),
		"fewer":         module(append(section(segment{8, []byte("abc")}), 1)),
		"no segments":   module([]byte{0}),
		"passive":       module([]byte{1, 1, 3, 'a', 'b', 'c'}),
		"negative":      module([]byte{1, 0, 0x41, 0x7f, 0x0b, 1, 'a'}),
		"too far":       module(section(segment{mostMemory + 1, []byte("abc")})),
	} {
		assert.Equal(t, wasm, Program(wasm), name)
	}
}

// functions returns a function table of two functions, and where its parts are: both have a table
// of stacks, at 1 and 4, one of safe points at 7; files at 10, lines at 13.
func functions() (b []byte, parts map[string][2]int) {
	parts = map[string][2]int{}
	b = append(b, magic...)
	b = append(b, make([]byte, 64)...)
	put := func(field int, name string, content []byte) {
		binary.LittleEndian.PutUint64(b[8+8*field:], uint64(len(b)))
		parts[name] = [2]int{len(b), len(b) + len(content)}
		b = append(b, content...)
	}
	binary.LittleEndian.PutUint64(b[8:], 2)
	put(3, "names", []byte("\x00one\x00two\x00"))
	put(4, "units", []byte{9, 9, 9, 9})
	put(5, "files", []byte("a.go\x00b.go\x00"))
	put(6, "pc", []byte{0, 2, 5, 0, 2, 6, 0, 2, 7, 0, 2, 8, 0, 2, 9, 0})
	entry := func(pc, name, stack uint32) (f []byte) {
		for _, x := range []uint32{pc, name, 0, 0, stack, 10, 13, 1, 3, 77} {
			f = binary.LittleEndian.AppendUint32(f, x)
		}
		f = append(f, 0, 0, 0, 0)
		return binary.LittleEndian.AppendUint32(f, 7)
	}
	var table []byte
	for _, x := range []uint32{100, 24, 200, 72, 300, 0} {
		table = binary.LittleEndian.AppendUint32(table, x)
	}
	put(7, "funcs", slices.Concat(table, entry(100, 1, 1), entry(200, 5, 4)))
	return b, parts
}

func TestLinesAreDropped(t *testing.T) {
	b, parts := functions()
	m := memory{bytes: slices.Concat([]byte("before "), b)}
	m.dropLines()
	want := bytes.Clone(b)
	pc, funcs := parts["pc"][0], parts["funcs"][0]
	clear(want[parts["units"][0]:parts["files"][1]])
	clear(want[pc+10 : pc+16])
	for _, f := range []int{24, 72} {
		clear(want[funcs+f+20 : funcs+f+28])
		clear(want[funcs+f+32 : funcs+f+40])
	}
	assert.Equal(t, want, m.bytes[7:], "stacks and safe points stay")
}

// A table that is not as expected in any part is left alone.
func TestOtherTablesAreLeftAsTheyAre(t *testing.T) {
	good, parts := functions()
	word := func(b []byte, at int, x uint32) { binary.LittleEndian.PutUint32(b[at:], x) }
	second := parts["funcs"][0] + 72
	for name, change := range map[string]func(b []byte) []byte{
		"twice":         func(b []byte) []byte { return append(b, b...) },
		"cut off":       func(b []byte) []byte { return b[:len(b)-1] },
		"header alone":  func(b []byte) []byte { return b[:40] },
		"no functions":  func(b []byte) []byte { word(b, 8, 0); return b },
		"too many":      func(b []byte) []byte { word(b, 8, 1000); return b },
		"order":         func(b []byte) []byte { word(b, 8+8*4, 1); return b },
		"beyond":        func(b []byte) []byte { word(b, 8+8*7, 1<<30); return b },
		"other pc":      func(b []byte) []byte { word(b, second, 201); return b },
		"name":          func(b []byte) []byte { word(b, second+4, 1<<20); return b },
		"stack":         func(b []byte) []byte { word(b, second+16, 1<<20); return b },
		"no end":        func(b []byte) []byte { word(b, second+16, 15); return b },
		"file":          func(b []byte) []byte { word(b, second+20, 1<<20); return b },
		"line":          func(b []byte) []byte { word(b, second+24, 1<<20); return b },
		"tables":        func(b []byte) []byte { word(b, second+28, 65); return b },
		"safe points":   func(b []byte) []byte { word(b, second+44, 1<<20); return b },
		"entry":         func(b []byte) []byte { word(b, parts["funcs"][0]+12, 1<<20); return b },
		"entry in list": func(b []byte) []byte { word(b, parts["funcs"][0]+12, 0); return b },
	} {
		b := change(bytes.Clone(good))
		m := memory{bytes: bytes.Clone(b)}
		m.dropLines()
		assert.Equal(t, b, m.bytes, name)
	}
}

func FuzzProgram(f *testing.F) {
	table, _ := functions()
	f.Add(module(section(segment{8, []byte("abc")}, segment{200, table})))
	f.Fuzz(func(_ *testing.T, wasm []byte) { Program(wasm) })
}
