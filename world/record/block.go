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
	spread    = 64       // bytes that a stored byte may stand for
	freely    = 16 << 20 // bytes that a block may stand for beyond that
)

// A kind of block.
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
	isDelta                    // of a world: to the world of the segment before
	outside                    // of a world: no step leads to it
)

// A header is what precedes a payload, as it is in the file, little-endian.
type header struct {
	Kind  kind
	Flags uint8
	Zero  uint16
	Size  uint32 // bytes of the stored payload
	Frame uint64 // of its first step, or of the next one
	Tick  uint64 // of the world before that
	Raw   uint32 // bytes of the payload
	Steps uint32 // of a world that was resized: the objects that it has room for
	Sum   uint64
}

// A block is the unit of a recording: its header, and where that is.
type block struct {
	header
	piece
	r io.ReaderAt
}

// end returns the offset behind a block.
func (b *block) end() int64 { return b.at + headerSize + int64(b.Size) }

func (b *block) frame() int { return int(b.Frame) }

// String names a block in errors.
func (b *block) String() string {
	return fmt.Sprintf("the %s at %v", kindNames[b.Kind], b.piece)
}

// String names the begin of a piece.
func (p piece) String() string {
	if p.name == "" {
		return fmt.Sprintf("byte %d", p.at)
	}
	return fmt.Sprintf("byte %d of %s", p.at, p.name)
}

// A coder encodes and decodes blocks of one recording.
type coder struct {
	seed uint64 // of checksums: the hash of the head
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
	_, _ = binary.Encode(dst[begin:], binary.LittleEndian, h) // it has a fixed size
	binary.LittleEndian.PutUint64(dst[begin+sumAt:], c.sum(dst[begin:]))
	return dst
}

// mostOf returns how many bytes a compressed payload of so many bytes may have.
func mostOf(size int64) int64 { return freely + spread*size }

// sum returns the checksum of a whole block.
func (c *coder) sum(b []byte) uint64 {
	return xxh3.HashSeed(b[headerSize:], xxh3.HashSeed(b[:sumAt], c.seed))
}

// header reads the header of the block with which a piece begins. The block lies in the piece.
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
