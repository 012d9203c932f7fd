package save

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// Options are options for writing and reading files. The zero Options suit worlds without Go values
// whose fields have not changed.
type Options struct {
	Frame      uint64      // steps of the program; a step may have any number of ticks
	Behaviour  uint32      // version of the program's systems; later versions are refused
	Compress   bool        // compress parts with zstd; reading detects it
	Codecs     []Codec     // of Go values, one per kind
	Migrations []Migration // of changed fields

	// DropFields drops fields, and parts of fields, that the program lacks or declares with another
	// type, as [Drop] does, and lists them in [Report.Dropped]. Without it such a file is refused.
	// It does not drop lists whose elements have no part in common, nor fields that are a list or a
	// text only in the file or only in the program. It is for programs under development that keep
	// the file.
	DropFields bool

	// Progress is called with the bytes done and the bytes in total. It may be nil.
	Progress func(done, total int64)
}

// A file is a header and the bytes of its parts, to be written.
type file struct {
	header []byte
	parts  [][]byte
	size   int64
	told   func(done, total int64)
}

// Write writes the used part of a world, without derived data. It only reads the State; the State
// of a [systems.Snapshot] may be written while the world continues. Write returns
// [systems.ErrWalking], [tool.ErrUnapplied] or [ErrCodec], wrapped, and the errors of w.
func Write(w io.Writer, s systems.State, o Options) error {
	f, err := newFile(s, &o)
	switch {
	case err != nil:
		return err
	case w == nil:
		panic("save: Write without a writer; hand in one")
	}
	return f.write(w)
}

func newFile(s systems.State, o *Options) (*file, error) {
	if err := tool.Settled(s); err != nil {
		return nil, err
	}
	shape := tool.ShapeOf(s)
	h := headerOf(&shape)
	h.tick, h.behaviour, h.frame = systems.Tick(s), o.Behaviour, min(o.Frame, maxFrame)
	described := h.described()
	if err := described.Check(); err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	f := &file{told: o.Progress}
	var small compressor
	w := &gatherer{state: s, options: o, shape: shape, parts: tool.Parts(s)}
	for name := range h.names() {
		b, err := w.bytes(&name)
		if err != nil {
			return nil, err
		}
		p := part{partName: name, units: uint64(len(b) / name.unit), sum: xxh3.Hash(b)}
		if o.Compress {
			if c := small.compress(b); c != nil {
				b, p.stored = c, storedZstd
			}
		}
		p.length = uint64(len(b))
		h.parts = append(h.parts, p)
		f.parts = append(f.parts, b)
	}
	f.header = h.encode()
	if len(f.header) > maxHeader {
		return nil, fmt.Errorf("save: kinds, recipes and watchers take %d bytes, of %d that there "+
			"may be", len(f.header), maxHeader)
	}
	f.size = int64(h.size)
	return f, nil
}

// headerOf returns the header for worlds of a shape, without the data of a single world.
func headerOf(shape *tool.Shape) *header {
	w := kinds.Of(shape)
	h := &header{
		inOrder: shape.InOrder, objects: shape.Objects, recipes: w.Recipes, watchers: w.Watchers,
	}
	for i := range w.Kinds {
		k := fileKind(&w.Kinds[i])
		if k.Mark {
			k.Rows = 0
		}
		h.kinds = append(h.kinds, k)
	}
	return h
}

// A gatherer collects the bytes of a world's parts.
type gatherer struct {
	state   systems.State
	options *Options
	shape   tool.Shape
	parts   []tool.Part // remaining
	values  []byte      // of the kind whose lengths were requested last
}

// bytes returns the bytes of a part. The caller requests parts in their order.
func (w *gatherer) bytes(name *partName) ([]byte, error) {
	switch {
	case name.owner == ofKind && name.name == lengths && name.field == noField:
		kind := w.shape.Kinds[name.of].Kind
		codec, err := w.options.codec(kind)
		if err != nil {
			return nil, err
		}
		column, used := tool.ValueColumn(w.state, kind)
		sizes, b, err := encodeAll(codec, column, used)
		w.values = b
		return sizes, err
	case name.owner == ofKind && name.name == goValues && name.field == noField:
		return w.values, nil
	}
	for !w.parts[0].Truth {
		w.parts = w.parts[1:]
	}
	p := &w.parts[0]
	w.parts = w.parts[1:]
	return tool.Used(w.state, p), nil
}

var zeros [pageSize]byte

func (f *file) write(w io.Writer) error {
	if _, err := w.Write(f.header); err != nil {
		return err
	}
	done := int64(len(f.header))
	for _, b := range f.parts {
		pad := zeros[:aligned(uint64(len(b)))-uint64(len(b))]
		for len(b) > 0 {
			n := min(len(b), stretch)
			if _, err := w.Write(b[:n]); err != nil {
				return err
			}
			b, done = b[n:], done+int64(n)
			if f.told != nil {
				f.told(done, f.size)
			}
		}
		if _, err := w.Write(pad); err != nil {
			return err
		}
		done += int64(len(pad))
	}
	if f.told != nil {
		f.told(f.size, f.size)
	}
	return nil
}

// stretch is the number of bytes to write, or read, between two reports of progress.
const stretch = 8 << 20

// A compressor compresses the parts of one file. They share one encoder, because an encoder takes
// more memory than most parts.
type compressor struct{ encoder *zstd.Encoder }

// compress returns b compressed by zstd, or nil if that takes no fewer pages.
func (c *compressor) compress(b []byte) []byte {
	if len(b) <= pageSize {
		return nil
	}
	var small bytes.Buffer
	var err error
	if c.encoder == nil {
		c.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
			zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true))
	}
	if err == nil {
		c.encoder.Reset(&small)
		if _, err = c.encoder.Write(b); err == nil {
			err = c.encoder.Close()
		}
	}
	if err != nil {
		panic("save: zstd into memory fails; report this: " + err.Error())
	}
	if aligned(uint64(small.Len())) >= aligned(uint64(len(b))) {
		return nil
	}
	return small.Bytes()
}
