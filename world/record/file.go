package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/timeline"
)

// A File is a recording, read from a folder or a file. It has one segment in memory, and keeps no
// file open. It belongs to one goroutine.
type File struct {
	Head  Head
	Notes []Note // what happened, such as a panic; the newest, of 16 MB at most

	// Torn says where the recording was cut off, and why: the program ended without Close, or the
	// data behind is damaged. It wraps [ErrCut] or [ErrDamaged]. It is nil if the end was written.
	Torn error

	path     string
	from     io.ReaderAt // nil: read the files of the path
	code     *coder
	noted    int   // bytes of the notes
	front    piece // the position of the head
	segments []segment
	worlds   []timeline.World // first world of each segment
	next     int              // frame after the last step
	part     *part            // the segment in memory
}

// A piece is a byte range of a file.
type piece struct {
	name     string // of a file in the folder; "": the path is the file
	at, till int64
}

// A segment is the position of a world and of the steps that follow it.
type segment struct {
	piece
	delta bool // a delta from the world of the previous segment
}

// Read opens a recording: a folder by [Create], or a file by [New] or [File.Pack]. If the end
// was not written, File.Torn says where the recording was cut off. Read returns [ErrDamaged] or
// [ErrCut], wrapped, and the errors of the file system.
func Read(path string) (*File, error) {
	files, err := filesOf(path)
	return (&File{path: path}).opened(files, err)
}

// ReadFrom is [Read] of a file's bytes.
func ReadFrom(r io.ReaderAt, size int64) (*File, error) {
	if r == nil {
		program.Refuse("record: ReadFrom without a reader; give one")
	}
	return (&File{path: "the recording", from: r}).opened([]piece{{till: size}}, nil)
}

func (f *File) opened(files []piece, err error) (*File, error) {
	if err == nil {
		err = f.read(files)
	}
	if err != nil {
		return nil, f.about(err)
	}
	return f, nil
}

// about adds the name of the recording to an error.
func (f *File) about(err error) error {
	if err == nil {
		return nil
	}
	return failure.About("record", f.path, fmt.Errorf("record: %w", err),
		"give the path of a recording, or record again")
}

// filesOf lists the files of a recording, the head first.
func filesOf(path string) (all []piece, err error) {
	names := []string{""}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		segments, _ := fs.Glob(os.DirFS(path), "[0-9]*.flrec") // sorted
		names = append([]string{headName}, segments...)
		if _, err := os.Stat(filepath.Join(path, headName)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("no %s beside %d segments: %w; give the folder of a recording, "+
				"with all of its files", headName, len(segments), fs.ErrNotExist)
		}
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(path, name))
		if err == nil {
			err = failure.Regular("record", info)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, piece{name, 0, info.Size()})
	}
	return all, nil
}

// with calls read with a reader of the piece's file.
func (f *File) with(p piece, read func(r io.ReaderAt) error) error {
	if f.from != nil {
		return read(f.from)
	}
	file, err := os.Open(filepath.Join(f.path, p.name))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // closing a file that was only read
	return read(file)
}

// blocks yields the blocks of a piece, up to an error.
func (f *File) blocks(p piece) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		err := f.with(p, func(r io.ReaderAt) error {
			for p.at < p.till {
				b, err := f.code.header(r, p)
				if err != nil {
					return err
				}
				if !yield(b, nil) {
					return nil
				}
				p.at = b.end()
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// read reads the head, finds the segments, and loads the last segment that has a world.
func (f *File) read(files []piece) (err error) {
	f.code, f.front = newCoder(), files[0]
	if err := f.with(f.front, f.readHead); err != nil {
		return err
	}
	files[0].at = f.front.till
	for _, p := range files {
		err = cmp.Or(f.find(p), err)
	}
	for n := len(f.segments) - 1; n >= 0; n-- {
		p, why := f.readPart(n, false)
		if err = cmp.Or(why, err); p != nil {
			f.segments[n].till, f.next, f.part = p.till, p.next, p
			if err != nil || !p.ended {
				f.Torn = f.about(fmt.Errorf("%w; it is whole up to frame %d", cmp.Or(err, ErrCut),
					f.next-1))
			}
			return nil
		}
		f.segments, f.worlds = f.segments[:n], f.worlds[:n]
	}
	if err != nil {
		return fmt.Errorf("no world to begin from: %w", err)
	}
	return fmt.Errorf("%w before the first step", ErrCut)
}

// readHead reads the head and finds its end.
func (f *File) readHead(r io.ReaderAt) error {
	got := make([]byte, len(magic))
	switch n, err := r.ReadAt(got, 0); {
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case n < len(got) && strings.HasPrefix(magic, string(got[:n])):
		return fmt.Errorf("%w in the head", ErrCut)
	case string(got) != magic:
		return fmt.Errorf("%w: it begins with %q, not %q", ErrDamaged, got[:n], magic)
	}
	b, err := f.code.header(r, piece{f.front.name, int64(len(magic)), f.front.till})
	if err != nil {
		return err
	}
	if b.Kind != headBlock || b.Raw > maxHead {
		return fmt.Errorf("%w: %v, of %d bytes, is no head", ErrDamaged, b, b.Raw)
	}
	text, err := f.code.payload(b)
	if err == nil {
		err = json.Unmarshal(text, &f.Head)
	}
	h := &f.Head
	switch {
	case err != nil:
		return fmt.Errorf("%w: the head: %w", ErrDamaged, err)
	case h.Version != version:
		return fmt.Errorf("%w: its version is %d, and this program reads %d", ErrDamaged,
			h.Version, version)
	case h.InputBytes < 0 || h.InputBytes > maxInputs || h.StepRate < 1 || h.StepRate > maxFrame:
		return fmt.Errorf("%w: the head says %d bytes of input, %d steps of a second",
			ErrDamaged, h.InputBytes, h.StepRate)
	}
	f.code.seed, f.front.till = xxh3.Hash(text), b.end()
	return nil
}

// find adds the segments and notes of a file, from the headers of its blocks. In a folder it reads
// only the first header of a segment; errors after it are found when the segment is read.
func (f *File) find(p piece) error {
	begins := p.name != ""
	for b, err := range f.blocks(p) {
		n, delta := len(f.segments), err == nil && b.Flags&isDelta != 0
		switch {
		case err != nil && (begins || p.name == ""):
			return err
		case err != nil:
		case b.Kind == noteBlock:
			f.note(b)
		case b.Kind != worldBlock || p.name != "" && !begins:
		case n == 0 && delta && begins:
			return nil // Keep was interrupted after it removed the previous world
		case n == 0 && delta, n > 0 && b.frame() <= f.worlds[n-1].Frame:
			return fmt.Errorf("%w: %v is of frame %d", ErrDamaged, b, b.Frame)
		default:
			if n > 0 && p.name == "" {
				f.segments[n-1].till = b.at
			}
			f.segments = append(f.segments, segment{piece{p.name, b.at, p.till}, delta})
			f.worlds = append(f.worlds, timeline.World{
				Frame: b.frame(), Tick: b.Tick, Fixed: b.Flags&outside != 0,
			})
		}
		begins = false
	}
	return nil
}

// note adds a note if it is complete, and drops the oldest ones beyond maxNotes. Reading the
// segment reports damage.
func (f *File) note(b *block) {
	var n Note
	text, err := f.code.payload(b)
	if err != nil || json.Unmarshal(text, &n) != nil {
		return
	}
	f.Notes, f.noted = append(f.Notes, n), f.noted+n.size()
	for ; f.noted > maxNotes; f.Notes = f.Notes[1:] {
		f.noted -= f.Notes[0].size()
		f.Notes[0] = Note{} // free its texts
	}
}

// mustBeOpen returns f. It panics if f is nil or was not returned by Read.
func (f *File) mustBeOpen() *File {
	if f == nil || f.segments == nil {
		program.Refuse("record: this File is nil, or was not opened; get one by Read")
	}
	return f
}

// Frames returns the range of recorded frames: first ≤ frame < next.
func (f *File) Frames() (first, next int) { return f.mustBeOpen().worlds[0].Frame, f.next }

// Worlds returns the stored worlds, for reading.
func (f *File) Worlds() []timeline.World { return f.mustBeOpen().worlds }

// Pack writes the recording as one file, without the damaged end.
func (f *File) Pack(w io.Writer) error {
	if f.mustBeOpen(); w == nil {
		program.Refuse("record: Pack without a writer; give one")
	}
	all := []piece{f.front}
	for _, s := range f.segments {
		all = append(all, s.piece)
	}
	for _, p := range all {
		if err := f.with(p, func(r io.ReaderAt) error {
			_, err := io.Copy(w, io.NewSectionReader(r, p.at, p.till-p.at))
			return err
		}); err != nil {
			return f.about(err)
		}
	}
	return nil
}
