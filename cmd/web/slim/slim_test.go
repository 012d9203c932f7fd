package slim

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
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

func FuzzProgram(f *testing.F) {
	f.Add(module(section(segment{8, []byte("abc")}, segment{200, newProgram().bytes})))
	f.Fuzz(func(_ *testing.T, wasm []byte) { Program(wasm) })
}
