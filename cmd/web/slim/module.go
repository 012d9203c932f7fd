package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Of runtime.moduledata of Go 1.26: a pointer to the function table's header, six slices of three
// words each, then words.
const (
	atSlices    = 8
	sliceBytes  = 24
	atIndex     = atSlices + 6*sliceBytes // from pc to function
	atData      = atIndex + 21*8          // of functions
	moduleBytes = atData + 8
)

// functionData returns the data of functions, to which their entries have offsets, if what
// describes the program to itself is as expected. It lies behind the function table, before the
// index.
func (m *memory) functionData(t table) (data []byte, ok bool) {
	address := func(part int) uint64 { return uint64(m.from + t.at + t.starts[part]) }
	begin := binary.LittleEndian.AppendUint64(nil, address(0))
	begin = binary.LittleEndian.AppendUint64(begin, address(1))
	at := bytes.Index(m.bytes, begin)
	if at < 0 || bytes.Contains(m.bytes[at+1:], begin) || at+moduleBytes > len(m.bytes) {
		return nil, false
	}
	word := func(offset int) uint64 { return binary.LittleEndian.Uint64(m.bytes[at+offset:]) }
	for i, part := range []int{1, 2, 3, 4, 5, 5} {
		if word(atSlices+sliceBytes*i) != address(part) {
			return nil, false
		}
	}
	from, to := word(atData), word(atIndex)
	if from < address(5) || to < from || to-uint64(m.from) > uint64(len(m.bytes)) {
		return nil, false
	}
	data = m.bytes[from-uint64(m.from) : to-uint64(m.from)]
	return data, t.isData(len(data))
}

// isData reports whether all offsets of data are of what is there.
func (t *table) isData(length int) bool {
	offsets := t.dataOffsets()
	return len(offsets) == 0 || uint64(offsets[len(offsets)-1]) < uint64(length)
}

// dataOffsets returns the offsets of the functions' data in order, each of them once.
func (t *table) dataOffsets() (list []uint32) {
	for _, f := range t.entries {
		for i := range len(f.lists) / 4 {
			if at := f.list(i); at != none {
				list = append(list, at)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// dataEnds returns where each piece of the functions' data ends: where the next one begins, or at
// the end of all.
func (t *table) dataEnds(end int) map[uint32]int {
	offsets := t.dataOffsets()
	ends := make(map[uint32]int, len(offsets))
	for i, at := range offsets {
		ends[at] = end
		if i+1 < len(offsets) {
			ends[at] = int(offsets[i+1])
		}
	}
	return ends
}
