package gif

import (
	"bufio"
	"compress/lzw"
	"image"
	"io"
)

// A stream writes a GIF file. Errors of writing stay with out, whose Flush returns them.
type stream struct {
	out    *bufio.Writer
	blocks blocks
	packer *lzw.Writer
	bits   int // per colour number
}

func newStream(out io.Writer, width, height int, p *palette) *stream {
	s := &stream{out: bufio.NewWriterSize(out, 1<<16), bits: 2}
	for 1<<s.bits < len(p.entries)+1 { // and the transparent one
		s.bits++
	}
	s.blocks.out = s.out
	_, _ = s.out.WriteString("GIF89a")
	s.short(width, height)
	s.bytes(0xf0|uint8(s.bits-1), 0, 0) // a palette for all frames
	for i := range 1 << s.bits {
		var c [3]uint8
		if i < len(p.entries) {
			c = p.entries[i]
		}
		s.bytes(c[:]...)
	}
	_, _ = s.out.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // for ever
	s.packer = lzw.NewWriter(&s.blocks, lzw.LSB, s.bits).(*lzw.Writer)
	return s
}

func (s *stream) bytes(values ...byte) {
	for _, v := range values {
		_ = s.out.WriteByte(v)
	}
}

func (s *stream) short(values ...int) {
	for _, v := range values {
		s.bytes(uint8(v), uint8(v>>8))
	}
}

// frame writes colour numbers for an area, row by row; delay in hundredths of a second.
func (s *stream) frame(area image.Rectangle, numbers []uint8, transparent, delay int) {
	s.bytes(0x21, 0xf9, 4, 1<<2|1) // leave it there; one colour is transparent
	s.short(delay)
	s.bytes(uint8(transparent), 0, 0x2c)
	s.short(area.Min.X, area.Min.Y, area.Dx(), area.Dy())
	s.bytes(0, uint8(s.bits))
	s.packer.Reset(&s.blocks, lzw.LSB, s.bits)
	_, _ = s.packer.Write(numbers)
	_ = s.packer.Close()
	s.blocks.end()
}

// end writes the end of the file and returns the first error of all writes.
func (s *stream) end() error {
	_ = s.out.WriteByte(0x3b)
	return s.out.Flush()
}

// blocks cuts what is written into blocks of up to 255 bytes, each after its length.
type blocks struct {
	out  *bufio.Writer
	full int
	data [256]byte // the length first
}

// WriteByte implements [io.ByteWriter].
func (b *blocks) WriteByte(c byte) error {
	b.full++
	b.data[b.full] = c
	if b.full == 255 {
		b.flush()
	}
	return nil
}

// Write implements [io.Writer].
func (b *blocks) Write(p []byte) (int, error) {
	for _, c := range p {
		_ = b.WriteByte(c)
	}
	return len(p), nil
}

// Flush is for the packer, which wants a writer that it need not wrap.
func (b *blocks) Flush() error { return nil }

func (b *blocks) flush() {
	if b.full > 0 {
		b.data[0] = byte(b.full)
		_, _ = b.out.Write(b.data[:b.full+1])
		b.full = 0
	}
}

// end writes what is left and an empty block.
func (b *blocks) end() {
	b.flush()
	_ = b.out.WriteByte(0)
}
