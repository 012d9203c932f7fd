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
	atName      = 4
	atStack     = 16
	atFile      = 20 // of an entry: offsets of pc → file, pc → line
	atTables    = 28
	atUnit      = 32
	atStartLine = 36
	atID        = 40 // ordinary, or what else it is
	atLists     = 43

	ordinary = 0 // not the runtime's own, and not made by the compiler

	mostTables = 64 // of one kind, of a function
)

var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// A table is Go's function table, in parts.
type table struct {
	at                      int    // in the memory's bytes
	bytes                   []byte // from its header on
	starts                  [6]int // of bytes, names, units, files, pc and funcs
	names, units, files, pc []byte
	funcs                   []byte // first the offset of each, then they
	entries                 []function
}

// A function is an entry of the table: views of its bytes.
type function struct {
	bytes  []byte // of fixed size
	tables []byte // 4 bytes for the offset of each table of pc values
	lists  []byte // and of each piece of its data
}

// table returns the function table, if there is one and all of it is as expected.
func (m *memory) table() (t table, ok bool) {
	at := bytes.Index(m.bytes, magic)
	if at < 0 || bytes.Contains(m.bytes[at+1:], magic) {
		return t, false
	}
	t, count, ok := newTable(m.bytes[at:])
	if !ok {
		return t, false
	}
	t.at = at
	for i := range count {
		f, ok := t.function(i, count)
		if !ok {
			return t, false
		}
		t.entries = append(t.entries, f)
	}
	return t, true
}

// newTable takes a table apart and returns how many functions it has.
func newTable(b []byte) (t table, count int, ok bool) {
	if len(b) < headerBytes {
		return t, 0, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	var starts [6]int // the last part is open
	for i, field := range []int{3, 4, 5, 6, 7} {
		x := word(field)
		if x > uint64(len(b)) || int(x) < max(headerBytes, starts[i]) {
			return t, 0, false
		}
		starts[i+1] = int(x)
	}
	t = table{
		bytes: b, starts: starts, names: b[starts[1]:starts[2]], units: b[starts[2]:starts[3]],
		files: b[starts[3]:starts[4]], pc: b[starts[4]:starts[5]], funcs: b[starts[5]:],
	}
	n := word(0)
	return t, int(n), n > 0 && n < uint64(len(t.funcs)/8)
}

// function returns an entry, if its offsets are of what is there.
func (t *table) function(i, count int) (f function, ok bool) {
	pc, offset := word(t.funcs, 8*i), uint64(word(t.funcs, 8*i+4))
	if offset < uint64(8*count) || offset+funcBytes > uint64(len(t.funcs)) {
		return f, false
	}
	entry := t.funcs[offset:]
	tables, lists := int(word(entry, atTables)), int(entry[atLists])
	if word(entry, 0) != pc || uint64(word(entry, atName)) >= uint64(len(t.names)) ||
		max(tables, lists) > mostTables || funcBytes+4*(tables+lists) > len(entry) {
		return f, false
	}
	f = function{bytes: entry[:funcBytes], tables: entry[funcBytes : funcBytes+4*tables]}
	f.lists = entry[funcBytes+4*tables : funcBytes+4*(tables+lists)]
	for _, at := range []int{atFile, atFile + 4} {
		if uint64(word(entry, at)) >= uint64(len(t.pc)) {
			return f, false
		}
	}
	ok = t.isPC(word(entry, atStack))
	for k := range tables {
		ok = ok && t.isPC(word(f.tables, 4*k))
	}
	return f, ok
}

// word returns the number of 4 bytes.
func word(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// isPC reports whether there is a table of pc values at an offset; 0 says that there is none.
func (t *table) isPC(at uint32) bool {
	return at == 0 || uint64(at) < uint64(len(t.pc)) && pcTableBytes(t.pc[at:]) > 0
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
