package deflate

import (
	"encoding/binary"
	"hash/crc32"
)

// stretch is how many bytes are looked at together. Stored blocks fill it, and what it costs, at
// most 22 bits for each byte, fits in 32 bits.
const stretch = 32 * mostStored

// Gzip returns content packed into one member of a gzip file, without a name or a time.
func Gzip(content []byte) []byte {
	const deflated, smallest, unknown = 8, 2, 255
	w := &writer{bytes: []byte{0x1f, 0x8b, deflated, 0, 0, 0, 0, 0, smallest, unknown}}
	f := newFinder(content)
	for at := 0; ; at += stretch {
		end := min(at+stretch, len(content))
		blocks := f.matches(at, end).blocks()
		for i, b := range blocks {
			w.block(b, end == len(content) && i == len(blocks)-1)
		}
		if end == len(content) {
			break
		}
	}
	w.align()
	w.bytes = binary.LittleEndian.AppendUint32(w.bytes, crc32.ChecksumIEEE(content))
	return binary.LittleEndian.AppendUint32(w.bytes, uint32(len(content)))
}
