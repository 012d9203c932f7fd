package record

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

const (
	magic      = "flrecord"
	headerSize = 40
	sumAt      = 32
	version    = 1

	maxHead   = 1 << 20 // bytes
	maxFrame  = 1<<31 - 1
	maxInputs = 64 << 20 // bytes of a segment's inputs
	maxNotes  = 16 << 20 // bytes of a File's notes
	spread    = 64       // most decompressed bytes per stored byte
	freely    = 16 << 20 // decompressed bytes that a block may have beyond that
)

// A kind is the kind of a block.
type kind uint8

const (
	headBlock  kind = iota + 1
	worldBlock      // begins a segment
	stepsBlock
	noteBlock
	endBlock
)

var kindNames = [...]string{"no block", "head", "world", "steps", "note", "end"}

const (
	squeezed uint8 = 1 << iota // the payload is compressed
	isDelta                    // a world as a delta from the world of the previous segment
	outside                    // a world that no step leads to
)

// A header precedes a payload; the file contains it in little-endian order.
type header struct {
	Kind  kind
	Flags uint8
	Zero  uint16
	Size  uint32 // bytes of the stored payload
	Frame uint64 // of its first step, or of the next step
	Tick  uint64 // of the world before that step
	Raw   uint32 // bytes of the decompressed payload
	Steps uint32 // steps; for a resized world, its room for objects
	Sum   uint64
}

// A block is the unit of a recording: a header and its position.
type block struct {
	header
	piece
	r io.ReaderAt
}

// end returns the offset after a block.
func (b *block) end() int64 { return b.at + headerSize + int64(b.Size) }

func (b *block) frame() int { return int(b.Frame) }

// String names a block in errors.
func (b *block) String() string {
	return fmt.Sprintf("the %s at %v", kindNames[b.Kind], b.piece)
}

// String names the beginning of a piece in errors.
func (p piece) String() string {
	if p.name == "" {
		return fmt.Sprintf("byte %d", p.at)
	}
	return fmt.Sprintf("byte %d of %s", p.at, p.name)
}

// A coder encodes and decodes blocks of one recording.
type coder struct {
	seed uint64 // seed of checksums: the hash of the head
	zip  *zstd.Encoder
	un   *zstd.Decoder
}

func newCoder() *coder {
	c := &coder{}
	c.zip, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	c.un, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	return c
}

// append appends a block to dst.
func (c *coder) append(dst []byte, h header, payload []byte) []byte {
	begin := len(dst)
	dst = c.zip.EncodeAll(payload, append(dst, make([]byte, headerSize)...))
	size, raw := len(dst)-begin-headerSize, len(payload)
	if h.Flags |= squeezed; size >= raw || int64(raw) > mostOf(int64(size)) {
		dst = append(dst[:begin+headerSize], payload...)
		h.Flags, size = h.Flags&^squeezed, raw
	}
	h.Size, h.Raw = uint32(size), uint32(raw)
	_, _ = binary.Encode(dst[begin:], binary.LittleEndian, h) // cannot fail: it has a fixed size
	binary.LittleEndian.PutUint64(dst[begin+sumAt:], c.sum(dst[begin:]))
	return dst
}

// mostOf returns the limit of the decompressed size for a payload of size bytes.
func mostOf(size int64) int64 { return freely + spread*size }

// sum returns the checksum of a whole block.
func (c *coder) sum(b []byte) uint64 {
	return xxh3.HashSeed(b[headerSize:], xxh3.HashSeed(b[:sumAt], c.seed))
}

// header reads the header of the first block of a piece. The block must end within the piece.
func (c *coder) header(r io.ReaderAt, p piece) (*block, error) {
	b := &block{piece: p, r: r}
	left := p.till - p.at - headerSize
	if left < 0 {
		return nil, fmt.Errorf("%w: %d bytes at %v are no block", ErrCut, p.till-p.at, p)
	}
	from := io.NewSectionReader(r, p.at, headerSize)
	if err := binary.Read(from, binary.LittleEndian, &b.header); err != nil {
		return nil, err
	}
	switch {
	case b.Kind == 0 || int(b.Kind) >= len(kindNames) || b.Zero != 0 || b.Frame > maxFrame ||
		max(b.Size, b.Raw, b.Steps) > maxFrame || int64(b.Raw) > mostOf(int64(b.Size)) ||
		b.Flags&squeezed == 0 && b.Raw != b.Size:
		return nil, fmt.Errorf("%w: what is at %v is no block", ErrDamaged, p)
	case int64(b.Size) > left:
		return nil, fmt.Errorf("%w: %v has %d bytes, of %d left", ErrCut, b, b.Size, left)
	}
	return b, nil
}

// payload reads the payload of a block and checks it.
func (c *coder) payload(b *block) ([]byte, error) {
	whole := make([]byte, headerSize+int(b.Size))
	if _, err := b.r.ReadAt(whole, b.at); err != nil {
		return nil, err
	}
	if c.sum(whole) != b.Sum {
		return nil, fmt.Errorf("%w: %v has another checksum than it says", ErrDamaged, b)
	}
	if b.Flags&squeezed == 0 {
		return whole[headerSize:], nil
	}
	payload, err := c.un.DecodeAll(whole[headerSize:], make([]byte, 0, b.Raw))
	if err != nil || len(payload) != int(b.Raw) {
		return nil, fmt.Errorf("%w: %v does not unpack to %d bytes", ErrDamaged, b, b.Raw)
	}
	return payload, nil
}
