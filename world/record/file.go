package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A File is a recording, read from a folder or a file. It keeps one segment's inputs in memory. It
// belongs to one goroutine.
type File struct {
	path     string
	head     Head
	front    piece // the head
	coder    *coder
	segments []segment
	next     int
	notes    []Note
	ended    bool
	torn     error
	past     past

	open   *os.File // of the piece that was read last
	opened string
}

// A piece is where blocks lie.
type piece struct {
	path string
	r    io.ReaderAt // nil: a file of that path
	size int64
}

// A segment is a world, and the steps from there.
type segment struct {
	piece
	world block
	till  int64 // offset behind its blocks
}

// Read opens a recording: a folder by [Create], or a file by [New] or [File.Pack]. If its end was
// not written, the recording ends before, and [File.Torn] says where. The error wraps [ErrDamaged]
// or [ErrCut], or is that of the file system.
func Read(path string) (*File, error) {
	f := &File{path: path, coder: newDecoder()}
	pieces, err := piecesOf(path)
	if err == nil {
		err = f.read(pieces)
	}
	if err != nil {
		f.Close()
		return nil, f.about(err)
	}
	return f, nil
}

// about names the recording of an error.
func (f *File) about(err error) error {
	if err == nil {
		return nil
	}
	return failure.About("record", f.path, fmt.Errorf("record: %w", err),
		"give the path of a recording, or record again")
}

// ReadFrom is [Read] of a file's bytes.
func ReadFrom(r io.ReaderAt, size int64) (*File, error) {
	if r == nil {
		program.Refuse("record: ReadFrom without a reader; give one")
	}
	f := &File{path: "the recording", coder: newDecoder()}
	if err := f.read([]piece{{f.path, r, size}}); err != nil {
		return nil, f.about(err)
	}
	return f, nil
}

// piecesOf lists the files of a recording, that of the head first.
func piecesOf(path string) (all []piece, err error) {
	names := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		names, _ = filepath.Glob(filepath.Join(path, "[0-9]*.flrec"))
		sort.Strings(names)
		names = slices.Insert(names, 0, filepath.Join(path, headName))
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if err := failure.Regular("record", info); err != nil {
			return nil, err
		}
		all = append(all, piece{name, nil, info.Size()})
	}
	return all, nil
}

// reader returns what reads a piece, until the next call.
func (f *File) reader(p *piece) (io.ReaderAt, error) {
	if p.r != nil {
		return p.r, nil
	}
	if f.open == nil || f.opened != p.path {
		f.closePiece()
		file, err := os.Open(p.path)
		if err != nil {
			return nil, err
		}
		f.open, f.opened = file, p.path
	}
	return f.open, nil
}

func (f *File) closePiece() {
	if f.open != nil {
		_ = f.open.Close() // only read from
	}
	f.open = nil
}

// Close closes the files.
func (f *File) Close() {
	if f == nil {
		program.Refuse(noFile)
	}
	f.closePiece()
	f.segments = nil
}

// read reads the head, finds the segments, and checks the last one.
func (f *File) read(pieces []piece) error {
	at, err := f.readHead(&pieces[0])
	if err != nil {
		return err
	}
	f.find(pieces[0], at)
	f.front = pieces[0]
	f.front.size = at
	for _, p := range pieces[1:] {
		f.find(p, 0)
	}
	for len(f.segments) > 0 {
		last := len(f.segments) - 1
		if err = f.finish(&f.segments[last]); err == nil {
			return nil
		}
		f.torn = f.inPiece(&f.segments[last].piece, err)
		f.segments = f.segments[:last]
	}
	if f.torn != nil {
		return fmt.Errorf("no world to begin from: %w", f.torn)
	}
	return fmt.Errorf("%w before the first step", ErrCut)
}

// inPiece names the file of an error.
func (f *File) inPiece(p *piece, err error) error {
	if p.path == f.path {
		return err
	}
	return fmt.Errorf("%s: %w", filepath.Base(p.path), err)
}

// readHead reads the head, and returns where it ends.
func (f *File) readHead(p *piece) (int64, error) {
	r, err := f.reader(p)
	if err != nil {
		return 0, err
	}
	got := make([]byte, len(magic))
	if n, err := r.ReadAt(got, 0); n < len(got) || string(got) != magic {
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if n < len(got) && strings.HasPrefix(magic, string(got[:n])) {
			return 0, fmt.Errorf("%w in the head", ErrCut)
		}
		return 0, fmt.Errorf("%w: it begins with %q, not %q", ErrDamaged, got[:n], magic)
	}
	b, err := f.coder.header(r, int64(len(magic)), p.size)
	switch {
	case err != nil:
		return 0, err
	case b.kind != headBlock || b.raw > maxHead:
		return 0, fmt.Errorf("%w: a %s of %d bytes is no head", ErrDamaged, kindNames[b.kind],
			b.raw)
	}
	text, err := f.coder.payload(r, &b)
	if err == nil {
		err = json.Unmarshal(text, &f.head)
	}
	h := &f.head
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: the head: %w", ErrDamaged, err)
	case h.Version != version:
		return 0, fmt.Errorf("%w: its version is %d, and this program reads %d", ErrDamaged,
			h.Version, version)
	case h.InputBytes < 0 || h.InputBytes > maxInputs || h.StepRate < 1 || h.StepRate > maxFrame:
		return 0, fmt.Errorf("%w: the head says %d bytes of input, %d steps of a second",
			ErrDamaged, h.InputBytes, h.StepRate)
	}
	f.coder.seed = xxh3.Hash(text)
	return b.end(), nil
}

// find adds the segments of a piece, by the headers of its blocks: in a folder by the first one.
// What is behind a block that is none is cut off.
func (f *File) find(p piece, at int64) {
	r, err := f.reader(&p)
	for single := at > 0; err == nil && at < p.size; {
		var b block
		if b, err = f.coder.header(r, at, p.size); err != nil {
			break
		}
		n := len(f.segments)
		if b.kind == worldBlock && b.flags&isDelta != 0 && n == 0 && !single {
			return // the full world before it is removed: Keep was interrupted
		}
		if b.kind == worldBlock {
			if n > 0 && b.frame < f.segments[n-1].world.frame || n == 0 && b.flags&isDelta != 0 {
				err = fmt.Errorf("%w: the world at byte %d is of frame %d", ErrDamaged, at, b.frame)
				break
			}
			f.segments = append(f.segments, segment{p, b, p.size})
			n++
		}
		if !single {
			return
		}
		if at = b.end(); n > 0 {
			f.segments[n-1].till = at
		}
	}
	if err != nil {
		f.torn = f.inPiece(&p, err)
	}
}

// finish reads the last segment to its end, which may be torn.
func (f *File) finish(s *segment) error {
	r, err := f.reader(&s.piece)
	if err != nil {
		return err
	}
	if _, err := f.coder.payload(r, &s.world); err != nil {
		return err
	}
	f.next = s.world.frame
	for at := s.world.end(); at < s.size; {
		b, err := f.coder.header(r, at, s.size)
		if err == nil {
			err = f.add(r, &b)
		}
		if err != nil {
			f.torn = f.inPiece(&s.piece, err)
			s.till = at
			return nil
		}
		at = b.end()
	}
	s.till = s.size
	return nil
}

// add adds a block of the last segment.
func (f *File) add(r io.ReaderAt, b *block) error {
	payload, err := f.coder.payload(r, b)
	switch {
	case err != nil:
		return err
	case f.ended || b.frame != f.next || b.kind < stepsBlock:
		return fmt.Errorf("%w: the %s at byte %d is of frame %d, after frame %d", ErrDamaged,
			kindNames[b.kind], b.at, b.frame, f.next)
	case b.kind == stepsBlock:
		f.next += b.steps
	case b.kind == noteBlock:
		var n Note
		if err := json.Unmarshal(payload, &n); err != nil {
			return fmt.Errorf("%w: the note at byte %d: %w", ErrDamaged, b.at, err)
		}
		f.notes = append(f.notes, n)
	case b.kind == endBlock:
		f.ended = true
	}
	return nil
}

// mustBeOpen returns f. It panics if f is nil, closed, or was not made by Read.
func (f *File) mustBeOpen() *File {
	if f == nil || f.segments == nil {
		program.Refuse(noFile)
	}
	return f
}

const noFile = "record: this File is nil, closed, or was not opened; get one by Read"

// Head returns what was recorded.
func (f *File) Head() Head { return f.mustBeOpen().head }

// Notes returns what happened in the last segment, such as a panic.
func (f *File) Notes() []Note { return slices.Clone(f.mustBeOpen().notes) }

// Torn returns nil if the recording has its end; otherwise where it was cut off, and why: the
// program ended without Close, or what was behind is damaged. The error wraps [ErrCut] or
// [ErrDamaged].
func (f *File) Torn() error {
	if f.mustBeOpen().torn == nil && f.ended {
		return nil
	}
	return f.about(fmt.Errorf("%w; it is whole up to frame %d", cmp.Or(f.torn, ErrCut), f.next-1))
}

// Worlds returns the frames whose worlds are on disk.
func (f *File) Worlds() (frames []int) {
	for i := range f.mustBeOpen().segments {
		frames = append(frames, f.segments[i].world.frame)
	}
	return frames
}

// Pack writes the recording as one file, without what was cut off.
func (f *File) Pack(w io.Writer) error {
	if f.mustBeOpen(); w == nil {
		program.Refuse("record: Pack without a writer; give one")
	}
	err := f.copyTo(w, &f.front, 0, f.front.size)
	for i := range f.segments {
		s := &f.segments[i]
		err = errors.Join(err, f.copyTo(w, &s.piece, s.world.at, s.till))
	}
	return err
}

// copyTo copies a part of a piece.
func (f *File) copyTo(w io.Writer, p *piece, from, to int64) error {
	r, err := f.reader(p)
	if err == nil {
		_, err = io.Copy(w, io.NewSectionReader(r, from, to-from))
	}
	return f.about(err)
}
