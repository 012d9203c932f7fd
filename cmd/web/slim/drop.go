package slim

import (
	"bytes"
	"slices"
)

// Tables of pc values and pieces of data of a function, by their index; see internal/abi of Go
// 1.26.
const (
	safePoints  = 0 // where a signal may stop it; there are no signals
	callAt      = 2 // which of the calls that were compiled into it
	argsAliveAt = 3

	calls     = 3 // that were compiled into it: 16 bytes each, the name's offset at 4
	args      = 5 // how a panic prints its arguments
	argsAlive = 6

	none = 1<<32 - 1 // offset of a piece of data that is not there
)

// dropTables makes zeros of what a running program does not read, if all of the function table is
// as expected.
func (m *memory) dropTables() {
	t, ok := m.table()
	if !ok {
		return
	}
	t.dropLines()
	if data, ok := m.functionData(t); ok {
		ends := t.dataEnds(len(data))
		t.dropCalls(data, ends)
		t.dropData(data, ends)
	}
	t.dropPC()
}

// dropLines drops what tells files and lines.
func (t *table) dropLines() {
	for _, f := range t.entries {
		clear(f.bytes[atFile : atFile+8])
		clear(f.bytes[atUnit : atStartLine+4])
		f.dropPC(safePoints)
	}
	clear(t.units)
	clear(t.files)
}

// dropCalls drops what tells which calls were compiled into a function, and the names that are left
// over.
//
// It stays for functions that the compiler made. Whether recover returns a panic depends on how
// many calls are between them, such functions aside, but not what was compiled into them. Calls
// that were compiled into another function change nothing, as none of them calls recover.
func (t *table) dropCalls(data []byte, ends map[uint32]int) {
	names := make([]bool, len(t.names))
	for _, f := range t.entries {
		t.keepName(names, word(f.bytes, atName))
		if f.bytes[atID] == ordinary {
			f.dropPC(callAt)
			f.dropList(calls)
		} else if at := f.list(calls); at != none {
			for list := data[at:ends[at]]; len(list) >= 16; list = list[16:] {
				t.keepName(names, word(list, 4))
			}
		}
	}
	clearOthers(t.names, names)
}

// keepName marks a name.
func (t *table) keepName(keep []bool, at uint32) {
	if uint64(at) < uint64(len(keep)) {
		length, _, _ := bytes.Cut(t.names[at:], []byte{0})
		mark(keep[at : int(at)+len(length)])
	}
}

// dropData drops how a panic prints arguments, and pieces of data that no function has any more.
func (t *table) dropData(data []byte, ends map[uint32]int) {
	keep := make([]bool, len(data))
	for _, f := range t.entries {
		f.dropList(args)
		f.dropList(argsAlive)
		f.dropPC(argsAliveAt)
	}
	for _, at := range t.dataOffsets() {
		mark(keep[at:ends[at]])
	}
	clearOthers(data, keep)
}

// dropPC drops the tables of pc values that no function has any more.
func (t *table) dropPC() {
	keep := make([]bool, len(t.pc))
	for _, f := range t.entries {
		for offsets := slices.Concat(f.bytes[atStack:atStack+4], f.tables); len(offsets) > 0; {
			if at := word(offsets, 0); at != 0 {
				mark(keep[at : int(at)+pcTableBytes(t.pc[at:])])
			}
			offsets = offsets[4:]
		}
	}
	clearOthers(t.pc, keep)
}

func mark(keep []bool) {
	for i := range keep {
		keep[i] = true
	}
}

// clearOthers makes zeros of what is not marked.
func clearOthers(b []byte, keep []bool) {
	for i := range b {
		if !keep[i] {
			b[i] = 0
		}
	}
}

// dropPC drops a table of pc values.
func (f function) dropPC(i int) {
	if 4*i < len(f.tables) {
		clear(f.tables[4*i : 4*i+4])
	}
}

// list returns the offset of a piece of a function's data, or none.
func (f function) list(i int) uint32 {
	if 4*i >= len(f.lists) {
		return none
	}
	return word(f.lists, 4*i)
}

func (f function) dropList(i int) {
	if 4*i < len(f.lists) {
		copy(f.lists[4*i:], "\xff\xff\xff\xff")
	}
}
