package save

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// A partReader reads one part of a file, once, and checks it at its end.
type partReader struct {
	title string
	part  *part
	file  io.ReaderAt
	raw   io.Reader // of its bytes before they were compressed
	zstd  *zstd.Decoder
	hash  xxh3.Hasher
	done  uint64
	told  func(n int64)
	pad   [pageSize]byte
}

// maxWindow is how many bytes a decoder looks back at most.
const maxWindow = 8 << 20

// open begins to read a part by the loader's own reader, one part after the other.
func (l *loader) open(p *part) (*partReader, error) { return &l.reader, l.begin(&l.reader, p) }

// begin begins to read a part.
func (l *loader) begin(r *partReader, p *part) error {
	r.title, r.part, r.file, r.told = l.header.title(&p.partName), p, l.file, l.told
	r.hash.Reset()
	r.done, r.zstd = 0, nil
	r.raw = io.NewSectionReader(l.file, int64(p.offset), int64(p.length))
	if p.stored == storedZstd {
		d, err := zstd.NewReader(r.raw, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return damaged("%s: %v", r.title, err)
		}
		r.raw, r.zstd = d, d
	}
	return nil
}

// all reads the whole part into dst, which has its size, and checks it.
func (r *partReader) all(dst []byte) error {
	if err := r.read(dst); err != nil {
		return err
	}
	return r.end()
}

// piece is how many bytes are read before they are hashed: they are in cache still.
const piece = 256 << 10

// read fills dst.
func (r *partReader) read(dst []byte) error {
	for len(dst) > 0 {
		b := dst[:min(len(dst), piece)]
		if _, err := io.ReadFull(r.raw, b); err != nil {
			return r.refuse(err)
		}
		_, _ = r.hash.Write(b)
		r.done += uint64(len(b))
		dst = dst[len(b):]
		r.told(int64(len(b)))
	}
	return nil
}

// refuse says why a part ends early: the file's own errors are told as they are.
func (r *partReader) refuse(err error) error {
	if r.zstd != nil {
		return damaged("%s: %v", r.title, err)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF { //nolint:errorlint // as ReadFull returns them
		return wrap(ErrTruncated, "in %s", r.title)
	}
	return err
}

// skip reads what is left, to check it.
func (r *partReader) skip() error {
	n, _ := r.part.size()
	scratch := make([]byte, min(piece, uint64(n)-r.done))
	for r.done < uint64(n) {
		if err := r.read(scratch[:min(uint64(len(scratch)), uint64(n)-r.done)]); err != nil {
			return err
		}
	}
	return nil
}

// end checks the part after all of it was read, and the zeros after it.
func (r *partReader) end() error {
	if got := r.hash.Sum64(); got != r.part.sum {
		return wrongSum(r.title, got, r.part.sum)
	}
	if r.zstd != nil {
		n, err := r.zstd.Read(r.pad[:1])
		if n != 0 || !errors.Is(err, io.EOF) {
			return damaged("%s decompresses to more than it says", r.title)
		}
	}
	pad := r.pad[:aligned(r.part.length)-r.part.length]
	if _, err := r.file.ReadAt(pad, int64(r.part.offset+r.part.length)); err != nil &&
		!errors.Is(err, io.EOF) {
		return err
	}
	if !isZero(pad) {
		return damaged("the bytes after %s are not zero", r.title)
	}
	return nil
}

func wrongSum(title string, got, said uint64) error {
	return damaged("%s: its checksum is %016x, and the file says %016x", title, got, said)
}

// close ends the decoder.
func (r *partReader) close() {
	if r.zstd != nil {
		r.zstd.Close()
	}
}
