package save

import "github.com/flatecs/flatecs/layout"

// A FileList gives access to the lists of one field in a file.
type FileList struct {
	Element *layout.FieldSpec // the type of the elements
	IsText  bool              // the elements are the bytes of texts

	spec       *layout.FieldSpec
	runs, rows []byte
}

// At returns the elements of the list in a row of the kind, or nil if they are not in the file; see
// [File.Verify].
func (l *FileList) At(row int) []byte {
	const size = 12 // bytes of a layout.Run
	if l == nil || l.spec == nil || row < 0 || row >= len(l.runs)/size {
		return nil
	}
	run := l.runs[row*size:]
	stride := uint64(l.Element.Stride)
	from := uint64(little.Uint32(run)) * uint64(l.spec.List.Chunk) * stride
	n := uint64(little.Uint32(run[8:])) * stride
	if from > uint64(len(l.rows)) || n > uint64(len(l.rows))-from {
		return nil
	}
	return l.rows[from:][:n:n]
}

// holders are the parts of a kind that say which object each row is on: blocks and homes for a kind
// by block, otherwise objects and mounted.
type holders struct{ objects, mounted, homes, blocks []byte }

// holders returns the holders of k. The function read reads a part.
func (k *FileKind) holders(read func(part string) ([]byte, error)) (h holders, err error) {
	if k.ByBlock {
		if h.homes, err = read("homes"); err == nil {
			h.blocks, err = read("blocks")
		}
		return h, err
	}
	if h.objects, err = read("objects"); err == nil {
		h.mounted, err = read("mounted")
	}
	return h, err
}

const (
	onNone    = 1<<32 - 1 // a row in use, on no object
	suspended = 1 << 30   // plus the index of the object that the values are kept for
)

// Offsets in the record of a block.
const (
	atPresent = 0
	atKept    = 16
)

// word returns the entry of a row in objects, or for a kind by block the index of the row's object.
func (h holders) word(row int) uint32 {
	if h.homes != nil {
		return uint32(row) + little.Uint32(h.homes[row/64*4:]) - 1
	}
	return little.Uint32(h.objects[4*row:])
}

// inBlock reports whether the record of a block has the bit at offset at set for the owner of a
// row.
func (h holders) inBlock(row, at int) bool {
	object := uint64(h.word(row))
	b := object / 64 * 32
	return little.Uint32(h.homes[row/64*4:]) != 0 && b < uint64(len(h.blocks)) &&
		little.Uint64(h.blocks[int(b)+at:])>>(object%64)&1 != 0
}

// mountedAt reports whether a row is on the object that word returns.
func (h holders) mountedAt(row int) bool {
	if h.homes != nil {
		return h.inBlock(row, atPresent)
	}
	return h.mounted[row/8]>>(row%8)&1 != 0
}

// used reports whether a row is in use: on an object, suspended, or loose.
func (h holders) used(row int) bool {
	if h.mountedAt(row) || h.homes != nil {
		return h.mountedAt(row) || h.inBlock(row, atKept)
	}
	o := h.word(row)
	return o == onNone || o&^(suspended-1) == suspended
}
