package save

import (
	"bytes"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// readHeader reads and checks the header of a file of size bytes.
func readHeader(r io.ReaderAt, size int64) (*header, error) {
	if r == nil {
		panic("save: the reader is nil; pass an io.ReaderAt")
	}
	var fixed [fixedSize]byte
	n, err := r.ReadAt(fixed[:min(max(size, 0), fixedSize)], 0)
	if err != nil && err != io.EOF { //nolint:errorlint // readers return it unwrapped
		return nil, err
	}
	length, err := checkFixed(fixed[:n], uint64(size))
	if err != nil {
		return nil, err
	}
	b := make([]byte, length)
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), b); err != nil {
		return nil, wrap(ErrTruncated, "the header: %v", err)
	}
	return decodeHeader(b)
}

// checkFixed checks the fixed part of a file, and returns the length of its header.
func checkFixed(b []byte, size uint64) (length uint32, err error) {
	if n := min(len(b), len(magic)); n == 0 || string(b[:n]) != magic[:n] {
		return 0, wrap(ErrNotFlat, "it does not begin with %q", magic)
	}
	if len(b) < fixedSize {
		return 0, wrap(ErrTruncated, "it has %d bytes, its header alone %d", len(b), fixedSize)
	}
	switch order := little.Uint32(b[atOrder:]); order {
	case byteOrder:
	case bits.ReverseBytes32(byteOrder):
		return 0, wrap(ErrOrder, "save it on a little-endian one")
	default:
		return 0, damaged("the byte order is %#x", order)
	}
	switch v := little.Uint32(b[atVersion:]); {
	case v > version:
		return 0, wrap(ErrNewer, "format %d, this library reads format %d; update it", v, version)
	case v < version:
		return 0, damaged("format %d, which no release has written; this library reads format %d",
			v, version)
	}
	length = little.Uint32(b[atHeader:])
	if length < pageSize || length%pageSize != 0 || length > maxHeader {
		return 0, damaged("a header cannot have %d bytes", length)
	}
	switch said := little.Uint64(b[atSize:]); {
	case said < uint64(length):
		return 0, damaged("a file of %d bytes cannot have a header of %d", said, length)
	case size < said:
		return 0, wrap(ErrTruncated, "%d bytes of %d are there", size, said)
	case size > said:
		return 0, wrap(ErrTrailing, "%d bytes, and it says %d", size, said)
	}
	return length, nil
}

// decodeHeader decodes a header. The header's length bounds the memory that it allocates.
func decodeHeader(b []byte) (*header, error) {
	sum := little.Uint32(b[atChecksum:])
	zeroed := slices.Clone(b[:fixedSize])
	little.PutUint32(zeroed[atChecksum:], 0)
	got := crc32.Checksum(zeroed, castagnoli)
	if got = crc32.Update(got, castagnoli, b[fixedSize:]); got != sum {
		return nil, damaged("the header's checksum is %08x, and it says %08x", got, sum)
	}
	h := &header{
		size: little.Uint64(b[atSize:]), length: little.Uint32(b[atHeader:]),
		tick: little.Uint64(b[atTick:]), behaviour: little.Uint32(b[atBehaviour:]),
		objects: int(little.Uint32(b[atObjects:])),
	}
	flags := little.Uint32(b[atFlags:])
	h.inOrder = flags&flagInOrder != 0
	if h.frame = little.Uint64(b[atFrame:]); h.frame > maxFrame {
		return nil, damaged("no program has come to frame %d", h.frame)
	}
	if h.tick == 0 || h.tick > systems.MaxTick {
		return nil, damaged("no world is at tick %d; the first is 1", h.tick)
	}
	if flags&^flagInOrder != 0 || !isZero(b[atParts+4:atFrame]) ||
		!isZero(b[atFrame+8:fixedSize]) || uint32(h.objects) > tool.MaxRows {
		return nil, damaged("the header has flags %#x, %d objects, or bytes that are not zero",
			flags, h.objects)
	}
	c := &kinds.Cursor{Rest: b[fixedSize:]}
	h.describe(c, b)
	h.readParts(c, little.Uint32(b[atParts:]))
	if !isZero(c.Rest) {
		c.Refuse("bytes after the parts' directory are not zero")
	}
	if c.Err != nil {
		return nil, damaged("header: %v", c.Err)
	}
	if err := h.checkParts(); err != nil {
		return nil, err
	}
	return h, nil
}

// describe reads the description of the world.
func (h *header) describe(c *kinds.Cursor, b []byte) {
	var w kinds.World
	w.Read(c, kinds.Files, little.Uint32(b[atKinds:]), little.Uint32(b[atRecipes:]),
		little.Uint32(b[atWatchers:]))
	for i := range w.Kinds {
		h.kinds = append(h.kinds, fileKind(&w.Kinds[i]))
	}
	h.recipes, h.watchers = w.Recipes, w.Watchers
	h.findRoles()
}

// readParts reads the directory.
func (h *header) readParts(c *kinds.Cursor, n uint32) {
	if c.Err != nil {
		return
	}
	for want := range h.names() {
		p := part{partName: want}
		o := owner(c.Number(1))
		p.stored = uint8(c.Number(1))
		of, field, name := int(c.Number(2)), int(c.Number(2)), c.Text()
		unit := int(c.Number(4))
		p.units, p.offset, p.length, p.sum = c.Number(8), c.Number(8), c.Number(8), c.Number(8)
		switch {
		case c.Err != nil:
			return
		case o != want.owner || of != want.of || field != want.field || name != want.name ||
			unit != want.unit || p.stored > storedZstd:
			c.Refuse("where %s should be, there is another part", h.title(&want))
			return
		}
		if o == ofKind && of == len(h.first) {
			h.first = append(h.first, len(h.parts))
		}
		h.parts = append(h.parts, p)
	}
	if len(h.parts) != int(n) {
		c.Refuse("the directory has another number of parts than such a file has")
	}
}

// checkParts checks the offsets and lengths of the parts.
func (h *header) checkParts() error {
	end := uint64(h.length)
	for i := range h.parts {
		p := &h.parts[i]
		n, ok := p.size()
		switch title := h.title(&p.partName); {
		case !ok || p.stored == storedRaw && uint64(n) != p.length:
			return damaged("%s has %d bytes for %d units of %d", title, p.length, p.units, p.unit)
		case p.offset < end:
			return wrap(ErrOverlap, "%s begins at %d, and what is before it ends at %d", title,
				p.offset, end)
		case p.offset > end:
			return damaged("there is a gap before %s", title)
		case p.length > h.size || p.offset > h.size-p.length:
			return wrap(ErrTruncated, "%s ends after the file", title)
		}
		end = p.offset + aligned(p.length)
	}
	switch {
	case end < h.size:
		return wrap(ErrTrailing, "its parts end at %d, and it has %d bytes", end, h.size)
	case end > h.size:
		return wrap(ErrTruncated, "its parts end at %d, and it has %d bytes", end, h.size)
	}
	return nil
}

// isZero reports whether all bytes of b are zero.
func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }
