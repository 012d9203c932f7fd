// Package slim makes a WebAssembly program of Go's smaller to send, and changes nothing that it
// does:
//
//	data section, as the linker writes it        as Program writes it
//	57,000 segments, each of them without        1,000 segments, with the zeros of up to 127
//	the zeros around it                          bytes between them, which pack to nothing
//
//	function table: pc → stack, pointers         the same
//	                pc → file, line              zeros: a panic names functions, but no lines,
//	                pc → inlined calls           no calls that were compiled into another
//	                arguments, safe points       function, and no arguments
//
// What is dropped is of no use to a running program but to tell where it is. Stacks are unwound,
// and scanned for the collector, by the rest, and recover finds its panic. A table that is not as
// expected is left as it is.
//
// To use: [Program].
package slim

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

const (
	gap         = 128 // zeros between two segments, at least
	dataSection = 11
	mostMemory  = 1 << 28 // bytes of data that are looked at
)

// Program returns a program that does the same and packs better, or the program itself where it has
// another form than Go's linker gives it.
func Program(wasm []byte) []byte {
	before, data, after, ok := split(wasm)
	if !ok {
		return wasm
	}
	m, ok := decode(data)
	if !ok {
		return wasm
	}
	m.dropTables()
	section := m.encode()
	slim := append(bytes.Clone(before), dataSection)
	slim = binary.AppendUvarint(slim, uint64(len(section)))
	return append(append(slim, section...), after...)
}

// split returns a program's data section, and what is before its header and after it.
func split(wasm []byte) (before, data, after []byte, ok bool) {
	if !bytes.HasPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, nil, nil, false
	}
	for at := 8; at < len(wasm); {
		size, n := binary.Uvarint(wasm[at+1:])
		begin := at + 1 + n
		if n <= 0 || size > uint64(len(wasm)-begin) {
			return nil, nil, nil, false
		}
		end := begin + int(size)
		if wasm[at] == dataSection {
			return wasm[:at], wasm[begin:end], wasm[end:], true
		}
		at = end
	}
	return nil, nil, nil, false
}

// A memory is what a program's memory begins with: bytes from an address on.
type memory struct {
	from  int
	bytes []byte
}

// A segment is bytes at an address.
type segment struct {
	at    int
	bytes []byte
}

// decode lays the segments of a data section, which do not overlap, into a memory.
func decode(data []byte) (m memory, ok bool) {
	count, n := binary.Uvarint(data)
	if n <= 0 || count == 0 || count > uint64(len(data)) {
		return m, false
	}
	list := make([]segment, count)
	rest := data[n:]
	for i := range list {
		s, size := readSegment(rest)
		if size == 0 || s.at > mostMemory {
			return m, false
		}
		list[i], rest = s, rest[size:]
	}
	slices.SortStableFunc(list, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	m.from = list[0].at
	for _, s := range list {
		end := m.from + len(m.bytes)
		if s.at < end {
			return m, false
		}
		m.bytes = append(append(m.bytes, make([]byte, s.at-end)...), s.bytes...)
	}
	return m, len(rest) == 0
}

// readSegment reads a segment at a constant address of the only memory. It returns how many bytes
// it takes, or 0 for what is none.
func readSegment(data []byte) (s segment, size int) {
	const active, constant, end = 0x00, 0x41, 0x0b
	if len(data) < 2 || data[0] != active || data[1] != constant {
		return s, 0
	}
	at := 2
	for shift := 0; ; shift += 7 {
		if at == len(data) || shift > 28 {
			return s, 0
		}
		b := data[at]
		at++
		s.at |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 { // a negative number
				return s, 0
			}
			break
		}
	}
	if at == len(data) || data[at] != end {
		return s, 0
	}
	length, n := binary.Uvarint(data[at+1:])
	at += 1 + n
	if n <= 0 || length > uint64(len(data)-at) {
		return s, 0
	}
	s.bytes = data[at : at+int(length)]
	return s, at + int(length)
}

// encode returns a data section that makes the memory: what a program's memory is not told to be is
// zeros.
func (m *memory) encode() []byte {
	var list []segment
	zeros := make([]byte, gap)
	for at := 0; at < len(m.bytes); {
		if m.bytes[at] == 0 {
			at++
			continue
		}
		length := bytes.Index(m.bytes[at:], zeros)
		if length < 0 {
			length = len(bytes.TrimRight(m.bytes[at:], "\x00"))
		}
		list = append(list, segment{m.from + at, m.bytes[at : at+length]})
		at += length
	}
	section := binary.AppendUvarint(nil, uint64(len(list)))
	for _, s := range list {
		section = append(section, 0x00, 0x41)
		section = append(appendSigned(section, s.at), 0x0b)
		section = binary.AppendUvarint(section, uint64(len(s.bytes)))
		section = append(section, s.bytes...)
	}
	return section
}

// appendSigned appends a number from 0 on, as signed numbers are written.
func appendSigned(dst []byte, x int) []byte {
	for ; x >= 0x40; x >>= 7 {
		dst = append(dst, byte(x)|0x80)
	}
	return append(dst, byte(x))
}
