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
	version    = 1

	maxHead   = 1 << 20  // bytes
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

// A block is the unit of a recording: its header, and where its payload is.
type block struct {
	kind  kind
	flags uint8
	size  int // bytes of the stored payload
	frame int // of its first step, or of the next one
	tick  uint64
	raw   int // bytes of the payload
	steps int
	sum   uint64

	at int64 // of the header, in its file
}

// A coder encodes and decodes blocks of one recording.
type coder struct {
	seed uint64 // of checksums: the hash of the head
	zip  *zstd.Encoder
	un   *zstd.Decoder
}

// newEncoder returns a coder that appends.
func newEncoder() *coder {
	c := &coder{}
	c.zip, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	return c
}

// newDecoder returns a coder that reads.
func newDecoder() *coder {
	c := &coder{}
	c.un, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	return c
}

// append appends a block to dst.
func (c *coder) append(dst []byte, b block, payload []byte) []byte {
	begin := len(dst)
	b.raw = len(payload)
	dst = append(dst, make([]byte, headerSize)...)
	dst = c.zip.EncodeAll(payload, dst)
	b.size = len(dst) - begin - headerSize
	if b.flags |= squeezed; b.size >= b.raw || b.raw > mostOf(b.size) {
		dst = append(dst[:begin+headerSize], payload...)
		b.flags, b.size = b.flags&^squeezed, b.raw
	}
	le, h := binary.LittleEndian, dst[begin:]
	h[0], h[1] = byte(b.kind), b.flags
	le.PutUint32(h[4:], uint32(b.size))
	le.PutUint64(h[8:], uint64(b.frame))
	le.PutUint64(h[16:], b.tick)
	le.PutUint32(h[24:], uint32(b.raw))
	le.PutUint32(h[28:], uint32(b.steps))
	le.PutUint64(h[32:], c.sum(h))
	return dst
}

// mostOf returns how many bytes a compressed payload of so many bytes may have.
func mostOf(size int) int { return freely + spread*size }

// sum returns the checksum of a whole block.
func (c *coder) sum(b []byte) uint64 {
	return xxh3.HashSeed(b[headerSize:], xxh3.HashSeed(b[:32], c.seed))
}

// header reads the header of a block at an offset. It checks that the block lies in the file.
func (c *coder) header(r io.ReaderAt, at, size int64) (b block, err error) {
	var h [headerSize]byte
	if size-at < headerSize {
		return b, fmt.Errorf("%w: %d bytes at %d are no block", ErrCut, size-at, at)
	}
	if _, err := r.ReadAt(h[:], at); err != nil {
		return b, err
	}
	le := binary.LittleEndian
	b = block{
		kind: kind(h[0]), flags: h[1], size: int(le.Uint32(h[4:])), frame: int(le.Uint64(h[8:])),
		tick: le.Uint64(h[16:]), raw: int(le.Uint32(h[24:])), steps: int(le.Uint32(h[28:])),
		sum: le.Uint64(h[32:]), at: at,
	}
	plain := b.flags&squeezed == 0
	switch {
	case b.kind == 0 || int(b.kind) >= len(kindNames) || h[2] != 0 || h[3] != 0 ||
		b.frame < 0 || b.frame > maxFrame || b.steps > maxFrame ||
		min(b.size, b.raw, b.steps) < 0 || plain && b.raw != b.size ||
		!plain && b.raw > mostOf(b.size):
		return b, fmt.Errorf("%w: what is at byte %d is no block", ErrDamaged, at)
	case int64(b.size) > size-at-headerSize:
		return b, fmt.Errorf("%w: the %s at byte %d has %d bytes, of %d left", ErrCut,
			kindNames[b.kind], at, b.size, size-at-headerSize)
	}
	return b, nil
}

const maxFrame = 1<<31 - 1

// end returns the offset behind a block.
func (b *block) end() int64 { return b.at + headerSize + int64(b.size) }

// payload reads the payload of a block and checks it.
func (c *coder) payload(r io.ReaderAt, b *block) ([]byte, error) {
	whole := make([]byte, headerSize+b.size)
	if _, err := r.ReadAt(whole, b.at); err != nil {
		return nil, err
	}
	if c.sum(whole) != b.sum {
		return nil, fmt.Errorf("%w: the %s at byte %d has another checksum than it says",
			ErrDamaged, kindNames[b.kind], b.at)
	}
	if b.flags&squeezed == 0 {
		return whole[headerSize:], nil
	}
	payload, err := c.un.DecodeAll(whole[headerSize:], make([]byte, 0, b.raw))
	if err != nil || len(payload) != b.raw {
		return nil, fmt.Errorf("%w: the %s at byte %d does not unpack to %d bytes", ErrDamaged,
			kindNames[b.kind], b.at, b.raw)
	}
	return payload, nil
}
