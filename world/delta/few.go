package delta

import "encoding/binary"

// mostFew is the most bytes of a chunk that a record lists one by one.
const mostFew = 64

// appendFew appends a record of the changed bytes of a chunk, one by one, unless there are too
// many. at is the end of the previous record in the part.
func (c *Coder) appendFew(
	dst []byte, head uint64, at, chunk, changedLines int,
) (_ []byte, ok bool) {
	if changedLines > mostFew {
		return dst, false
	}
	begin, last, n, changes := len(dst), 0, 0, c.changes[:]
	dst = binary.AppendUvarint(dst, head|fewRecord)
	for line := range changed(c.lines[:]) {
		from := chunk*chunkSize + line*lineSize
		for i, x := range changes[:lineSize] {
			if x == 0 {
				continue
			}
			if n++; n > mostFew {
				return dst[:begin], false
			}
			last = len(dst)
			dst = append(binary.AppendUvarint(dst, uint64(from+i-at)<<1), x)
			at = from + i + 1
		}
		changes = changes[lineSize:]
	}
	dst[last] |= 1
	return dst, true
}

// readFew checks a record of single bytes, in a part from at on, and returns its length and its end
// in the part; or 0, 0.
func readFew(b []byte, at, length int) (size, end int) {
	for ended := false; !ended; {
		gap, n := binary.Uvarint(b[size:])
		if n <= 0 || size+n == len(b) || gap>>1 >= uint64(max(length-at, 0)) {
			return 0, 0
		}
		at += int(gap>>1) + 1
		size += n + 1
		ended = gap&1 != 0
	}
	return size, at
}

// flipFew xors the bytes of a record that readFew has checked.
func flipFew(part, record []byte, at int) {
	for len(record) > 0 {
		gap, n := binary.Uvarint(record)
		at += int(gap >> 1)
		part[at] ^= record[n]
		record = record[n+1:]
		at++
	}
}
