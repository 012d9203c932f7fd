package save

import (
	"slices"

	"github.com/flatecs/flatecs/systems/tool"
)

// part returns a part of a kind of the file.
func (l *loader) part(kind, field int, name string) *part {
	return &l.header.parts[slices.IndexFunc(l.header.parts, func(p part) bool {
		return p.owner == ofKind && p.of == kind && p.field == field && p.name == name
	})]
}

// holders are the parts of a kind that say which object each row is on: blocks and homes of a kind
// by block, else objects and mounted.
type holders struct{ objects, mounted, homes, blocks []byte }

func (l *loader) holders(kind int) (holders, error) {
	return l.header.kinds[kind].holders(func(name string) ([]byte, error) {
		return l.readApart(l.part(kind, noField, name))
	})
}

// holders reads holders of k by a function that reads a part.
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
	suspended = 1 << 30   // plus the object whose values it keeps
)

// Places in a block's record.
const (
	atPresent = 0
	atKept    = 16
)

// word returns what objects holds for a row, or of which object a row by block is.
func (h holders) word(row int) uint32 {
	if h.homes != nil {
		return uint32(row) + little.Uint32(h.homes[row/64*4:]) - 1
	}
	return little.Uint32(h.objects[4*row:])
}

// inBlock reports whether the bit of the owner of a row is set in its block's record.
func (h holders) inBlock(row, at int) bool {
	object := uint64(h.word(row))
	b := object / 64 * 32
	return little.Uint32(h.homes[row/64*4:]) != 0 && b < uint64(len(h.blocks)) &&
		little.Uint64(h.blocks[int(b)+at:])>>(object%64)&1 != 0
}

// mountedAt reports whether a row is on an object, which word returns.
func (h holders) mountedAt(row int) bool {
	if h.homes != nil {
		return h.inBlock(row, atPresent)
	}
	return h.mounted[row/8]>>(row%8)&1 != 0
}

// used reports whether a row is in use: on an object, kept for one, or loose.
func (h holders) used(row int) bool {
	if h.mountedAt(row) || h.homes != nil {
		return h.mountedAt(row) || h.inBlock(row, atKept)
	}
	o := h.word(row)
	return o == onNone || o&^(suspended-1) == suspended
}

// fillNew gives the fields that the file lacks their defaults, in all rows. Readers that it lacks
// begin at the end of their events.
func (l *loader) fillNew() error {
	for i, k := range l.kinds {
		if k.Spec() == nil {
			continue
		}
		for _, f := range k.Fields() {
			if !slices.ContainsFunc(l.columns[i], func(c column) bool { return c.to == f }) {
				l.state = tool.FillNew(l.state, f)
				if isReader(&l.counts, k.String(), f.Name) { // it begins at the end
					copy(l.columnIn(f), l.columnIn(k.Fields()[0])[:8])
				}
			}
		}
	}
	return nil
}
