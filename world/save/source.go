package save

import (
	"cmp"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
)

// A source is a file with a checked header. Its parts are read one by one.
type source struct {
	file     io.ReaderAt
	header   *header
	progress func(done, total int64) // may be nil
	telling  sync.Mutex
	done     int64
	budget   budget
	reader   partReader // of the parts that are read one after the other
}

// openSource reads and checks the header of a file of size bytes.
func openSource(file io.ReaderAt, size int64, progress func(done, total int64)) (*source, error) {
	h, err := readHeader(file, size)
	if err != nil {
		return nil, err
	}
	return &source{file: file, header: h, progress: progress, budget: newBudget(h)}, nil
}

// A used describes the used part of a world in a file.
type used struct {
	objects uint64   // indexes
	live    uint32   // live objects
	rows    []uint64 // per kind; 0: a mark
	recipes []int    // with objects, in the order of their first objects
}

// used reads how much of the world was ever used. It checks that the parts have the resulting
// lengths, and that the saved world had room.
func (f *source) used() (u used, err error) {
	h := f.header
	u.rows = make([]uint64, len(h.kinds))
	for i := range h.parts {
		p := &h.parts[i]
		if p.name != counters || p.field != noField {
			continue
		}
		var b [40]byte
		if p.units != 1 {
			return u, h.wrongUnits(p, 1)
		}
		if err := f.read(p, b[:]); err != nil {
			return u, err
		}
		if n := uint64(little.Uint32(b[:])); p.owner == ofObjects {
			u.objects, u.live = n, little.Uint32(b[8:])
		} else if !h.kinds[p.of].Mark {
			u.rows[p.of] = n
		}
	}
	for i := range h.parts {
		p, rows := &h.parts[i], uint64(0)
		if p.owner == ofKind {
			rows = u.rows[p.of]
		}
		if n := p.per.units(u.objects, rows); p.per != perByte && p.units != n {
			return u, h.wrongUnits(p, n)
		}
	}
	if u.objects > uint64(h.objects) {
		return u, wrap(ErrImpossible, "%d of %d game objects were used", u.objects, h.objects)
	}
	for i := range h.kinds {
		if k := &h.kinds[i]; u.rows[i] > uint64(k.Rows) && !k.Mark {
			return u, wrap(ErrImpossible, "%s: %d of %d rows were used", layout.Quoted(k.Name),
				u.rows[i], k.Rows)
		}
	}
	return u, nil
}

// owning returns the file's recipes that have objects, in the order of their first objects.
func (f *source) owning() (recipes []int, err error) {
	var wrong error
	seen := make([]bool, len(f.header.recipes)+1)
	seen[0] = true // 0: no recipe
	owners := f.part(ofObjects, 0, noField, "owners")
	err = f.pieces(owners, func(b []byte, first int) error {
		for i := range len(b) / 2 {
			switch n := int(little.Uint16(b[2*i:])); {
			case n >= len(seen):
				wrong = cmp.Or(wrong, wrap(ErrImpossible, "objects %d and later ones are of "+
					"recipe %d, of %d", (first+i)*64, n, len(f.header.recipes)))
			case !seen[n]:
				seen[n], recipes = true, append(recipes, n-1)
			}
		}
		return nil
	})
	return recipes, cmp.Or(err, wrong)
}

// holders reads the holders of a kind of the file.
func (f *source) holders(kind int) (holders, error) {
	return f.header.kinds[kind].holders(func(name string) ([]byte, error) {
		return f.readApart(f.part(ofKind, kind, noField, name))
	})
}

// part returns a part, which must be in the file.
func (f *source) part(o owner, of, field int, name string) *part {
	return &f.header.parts[f.header.partIndex(o, of, field, name)]
}

// read reads a whole part into dst, which has its size.
func (f *source) read(p *part, dst []byte) error {
	r, err := f.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	return r.all(dst)
}

// readApart reads a part into memory outside the world.
func (f *source) readApart(p *part) ([]byte, error) {
	n, _ := p.size()
	if !f.budget.take(uint64(n)) {
		return nil, wrap(ErrTooLarge, "%s has %d bytes", f.header.title(&p.partName), n)
	}
	b := make([]byte, n)
	return b, f.read(p, b)
}

// pieces reads a part in pieces of whole units. It calls each with the bytes of a piece and the
// number of its first unit.
func (f *source) pieces(p *part, each func(b []byte, first int) error) error {
	r, err := f.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	n, _ := p.size()
	piece := make([]byte, min(n, p.unit*max(1, pieceSize/p.unit)))
	for first, units := 0, int(p.units); first < units; first += len(piece) / p.unit {
		piece = piece[:min(len(piece), (units-first)*p.unit)]
		if err := r.read(piece); err != nil {
			return err
		}
		if err := each(piece, first); err != nil {
			return err
		}
	}
	return r.end()
}

// skip reads a part only to check it.
func (f *source) skip(p *part) error {
	return f.pieces(p, func([]byte, int) error { return nil })
}

// reportProgress reports the progress of reading.
func (f *source) reportProgress(n int64) {
	f.telling.Lock()
	defer f.telling.Unlock()
	f.done += n
	if f.progress != nil {
		f.progress(min(f.done, int64(f.header.size)), int64(f.header.size))
	}
}

// open begins to read a part with the shared reader of f.
func (f *source) open(p *part) (*partReader, error) { return &f.reader, f.begin(&f.reader, p) }

// begin begins to read a part.
func (f *source) begin(r *partReader, p *part) error {
	const maxWindow = 8 << 20 // the largest window of the decoder in bytes
	r.title, r.part, r.file, r.told = f.header.title(&p.partName), p, f.file, f.reportProgress
	r.hash.Reset()
	r.zstd = nil
	r.raw = io.NewSectionReader(f.file, int64(p.offset), int64(p.length))
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

// A budget limits the bytes that are allocated because a file asks for them, and no counts do. The
// limit depends on the size of the file.
type budget struct{ most, taken uint64 }

func newBudget(h *header) budget { return budget{most: 64<<20 + 64*h.size} }

// take reserves n bytes, and reports whether the budget allows them.
func (b *budget) take(n uint64) bool {
	if b.taken > b.most || n > b.most-b.taken {
		return false
	}
	b.taken += n
	return true
}

// A partReader reads one part of a file once, and checks it at the end.
type partReader struct {
	title string
	part  *part
	file  io.ReaderAt
	raw   io.Reader // of the uncompressed bytes
	zstd  *zstd.Decoder
	hash  xxh3.Hasher
	told  func(n int64)
	pad   [pageSize]byte
}

// all reads the whole part into dst, which has its size, and checks it.
func (r *partReader) all(dst []byte) error {
	if err := r.read(dst); err != nil {
		return err
	}
	return r.end()
}

// pieceSize is the number of bytes to read before hashing them, small enough to stay in cache.
const pieceSize = 256 << 10

// read fills dst.
func (r *partReader) read(dst []byte) error {
	for len(dst) > 0 {
		b := dst[:min(len(dst), pieceSize)]
		if _, err := io.ReadFull(r.raw, b); err != nil {
			return r.refuse(err)
		}
		_, _ = r.hash.Write(b)
		dst = dst[len(b):]
		r.told(int64(len(b)))
	}
	return nil
}

// refuse explains why a part ends early. It returns errors of the file itself unchanged.
func (r *partReader) refuse(err error) error {
	if r.zstd != nil {
		return damaged("%s: %v", r.title, err)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF { //nolint:errorlint // unwrapped by ReadFull
		return wrap(ErrTruncated, "in %s", r.title)
	}
	return err
}

// end checks the complete part, and the zeros that follow it.
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

// close ends the decoder.
func (r *partReader) close() {
	if r.zstd != nil {
		r.zstd.Close()
	}
}
