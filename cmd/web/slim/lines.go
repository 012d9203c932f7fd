package slim

import (
	"bytes"
	"encoding/binary"
)

// The header of Go's function table, and an entry of it; see runtime.pcHeader and runtime._func of
// Go 1.26.
const (
	headerBytes = 8 + 8*8
	funcBytes   = 44 // and 4 for each table of pc values, and of data
	atFile      = 20 // of an entry: offsets of pc → file, pc → line
	atUnit      = 32
	atStartLine = 36

	mostTables = 64 // of one kind, of a function
)

var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// A table is Go's function table, in parts.
type table struct {
	bytes                   []byte // from its header on
	names, units, files, pc []byte
	funcs                   []byte // first the offset of each, then they
	count                   int
}

// dropLines makes zeros of what tells files and lines, if all of the table is as expected.
func (m *memory) dropLines() {
	at := bytes.Index(m.bytes, magic)
	if at < 0 || bytes.Contains(m.bytes[at+1:], magic) {
		return
	}
	t, ok := newTable(m.bytes[at:])
	if !ok {
		return
	}
	keep := make([]bool, len(t.pc))
	for i := range t.count {
		if !t.keepTables(i, keep) {
			return
		}
	}
	for i := range t.count {
		f, _ := t.function(i)
		clear(f[atFile : atFile+8])
		clear(f[atUnit : atStartLine+4])
	}
	for i := range t.pc {
		if !keep[i] {
			t.pc[i] = 0
		}
	}
	clear(t.units)
	clear(t.files)
}

// newTable takes a table apart.
func newTable(b []byte) (t table, ok bool) {
	if len(b) < headerBytes {
		return t, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	var ends [6]int // of the header and of the parts after it; the last part is open
	for i, field := range []int{3, 4, 5, 6, 7} {
		x := word(field)
		if x > uint64(len(b)) || int(x) < max(headerBytes, ends[i]) {
			return t, false
		}
		ends[i+1] = int(x)
	}
	t = table{
		bytes: b, names: b[ends[1]:ends[2]], units: b[ends[2]:ends[3]],
		files: b[ends[3]:ends[4]], pc: b[ends[4]:ends[5]], funcs: b[ends[5]:],
	}
	count := word(0)
	t.count = int(count)
	return t, count > 0 && count < uint64(len(t.funcs)/8)
}

// function returns an entry, from its beginning on, with the offsets of its tables of pc values.
func (t *table) function(i int) (entry, tables []byte) {
	pc := binary.LittleEndian.Uint32(t.funcs[8*i:])
	offset := uint64(binary.LittleEndian.Uint32(t.funcs[8*i+4:]))
	if offset < uint64(8*t.count) || offset+funcBytes > uint64(len(t.funcs)) {
		return nil, nil
	}
	entry = t.funcs[offset:]
	n := binary.LittleEndian.Uint32(entry[28:])
	if binary.LittleEndian.Uint32(entry) != pc || n > mostTables ||
		uint64(binary.LittleEndian.Uint32(entry[4:])) >= uint64(len(t.names)) ||
		funcBytes+4*int(n) > len(entry) {
		return nil, nil
	}
	return entry, entry[funcBytes : funcBytes+4*n]
}

// keepTables marks the bytes of the tables of a function that are not of files and lines, and
// reports whether all of it is as expected.
func (t *table) keepTables(i int, keep []bool) bool {
	entry, tables := t.function(i)
	if entry == nil {
		return false
	}
	offsets := append(bytes.Clone(entry[16:20]), tables...) // stack first
	for ; len(offsets) > 0; offsets = offsets[4:] {
		at := uint64(binary.LittleEndian.Uint32(offsets))
		if at == 0 {
			continue // there is none
		}
		if at >= uint64(len(t.pc)) {
			return false
		}
		length := pcTableBytes(t.pc[at:])
		if length == 0 {
			return false
		}
		for j := range length {
			keep[int(at)+j] = true
		}
	}
	for _, field := range []int{atFile, atFile + 4} {
		if uint64(binary.LittleEndian.Uint32(entry[field:])) >= uint64(len(t.pc)) {
			return false
		}
	}
	return true
}

// pcTableBytes returns how long a table of pc values is: pairs of changes, of the value and of the
// pc, up to a value that does not change; 0 for what has no end.
func pcTableBytes(b []byte) int {
	for at := 0; ; {
		value, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return 0
		}
		if value == 0 && at > 0 {
			return at + n
		}
		at += n
		if _, n = binary.Uvarint(b[at:]); n <= 0 {
			return 0
		}
		at += n
	}
}
