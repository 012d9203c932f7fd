package record

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/timeline"
)

// A past is what a File has in memory of one segment.
type past struct {
	counts  world.Counts
	options Options
	deltas  delta.Coder
	loaded  int // segment of inputs, or -1
	inputs  []byte
	marks   []mark // with frames in place of steps
}

// Open opens a recording as a timeline: any frame by At; package why and the inspector take it, and
// hunt takes the file. The error is that of [Read], or wraps [ErrBuild]. Close closes the file.
func Open(path string, c world.Counts, step Step, o Options) (*timeline.Timeline, error) {
	f, err := Read(path)
	if err != nil {
		return nil, err
	}
	t, err := f.Timeline(c, step, o)
	if err != nil {
		f.Close()
	}
	return t, err
}

// Timeline opens a recording as a timeline, which closes it. The error wraps [ErrBuild].
func (f *File) Timeline(c world.Counts, step Step, o Options) (*timeline.Timeline, error) {
	if err := f.mustBeOpen().play(c, o); err != nil {
		return nil, err
	}
	return timeline.Open(&store{f}, step), nil
}

// play prepares to restore worlds.
func (f *File) play(c world.Counts, o Options) error {
	o = o.filled()
	if o.Build != f.head.Build && !o.AnyBuild {
		return f.about(fmt.Errorf("%w: %q, and this is %q", ErrBuild, f.head.Build, o.Build))
	}
	f.past = past{counts: c, options: o, loaded: -1}
	return nil
}

// A store is a File as a timeline reads it.
type store struct{ f *File }

func (s *store) Close() { s.f.Close() }

func (s *store) Frames() (first, next int) { return s.f.Frames() }

// Frames returns the range of recorded frames: first ≤ frame < next.
func (f *File) Frames() (first, next int) { return f.mustBeOpen().segments[0].world.frame, f.next }

// newest returns which segment is the last one of those that come first, or -1.
func (f *File) newest(later func(b *block) bool) int {
	return sort.Search(len(f.segments), func(i int) bool { return later(&f.segments[i].world) }) - 1
}

func (f *File) segmentOf(frame int) int {
	return f.newest(func(b *block) bool { return b.frame > frame })
}

func (s *store) Kept(frame int) (kept int, fixed bool) {
	b := &s.f.segments[s.f.segmentOf(frame)].world
	return b.frame, b.flags&outside != 0
}

func (s *store) KeptByTick(tick uint64) (kept int, ok bool) {
	i := s.f.newest(func(b *block) bool { return b.tick > tick })
	if i < 0 {
		return 0, false
	}
	return s.f.segments[i].world.frame, true
}

func (s *store) Input(frame int) ([]byte, error) { return s.f.Input(frame) }

// Input returns the input of a frame, for reading until the next call. The error wraps [ErrDamaged]
// or [ErrCut], or is that of the file system.
func (f *File) Input(frame int) ([]byte, error) {
	if first, next := f.Frames(); frame < first || frame >= next {
		return nil, program.NoFrame("record", ErrCut, frame, first, next)
	}
	n := f.segmentOf(frame)
	if err := f.load(n); err != nil {
		return nil, err
	}
	size := f.head.InputBytes
	return f.past.inputs[(frame-f.segments[n].world.frame)*size:][:size:size], nil
}

// Digest returns the digest of the world before the step of a frame, if it was recorded; that of
// the frame behind the last step, if the recording has an [Recorder.End]. The error is as that of
// Input.
func (f *File) Digest(frame int) (digest uint64, ok bool, err error) {
	if first, next := f.Frames(); frame < first || frame > next {
		return 0, false, program.NoFrame("record", ErrCut, frame, first, next)
	}
	if err := f.load(f.segmentOf(frame)); err != nil {
		return 0, false, err
	}
	i, ok := slices.BinarySearchFunc(f.past.marks, frame, func(m mark, frame int) int {
		return cmp.Compare(m.step, frame)
	})
	if !ok {
		return 0, false, nil
	}
	return f.past.marks[i].digest, true, nil
}

// endOf returns the frame behind the steps of a segment.
func (f *File) endOf(n int) int {
	if n+1 < len(f.segments) {
		return f.segments[n+1].world.frame
	}
	return f.next
}

// load reads the steps of a segment, and the digests.
func (f *File) load(n int) error {
	p := &f.past
	if p.loaded == n && p.inputs != nil {
		return nil
	}
	p.loaded, p.inputs, p.marks = n, make([]byte, 0, 1), nil
	s := &f.segments[n]
	next, err := f.steps(s)
	if end := f.endOf(n); err == nil && next != end {
		err = fmt.Errorf("%w: frames %d to %d are missing", ErrDamaged, next, end-1)
	}
	if err != nil {
		p.loaded, p.inputs = -1, nil
		return f.about(f.inPiece(&s.piece, err))
	}
	return nil
}

// steps reads the steps of a segment, and returns the frame behind them.
func (f *File) steps(s *segment) (next int, err error) {
	next = s.world.frame
	digest, _, r, err := f.world(s)
	if err != nil {
		return next, err
	}
	f.past.marks = append(f.past.marks, mark{next, digest})
	coder := newStepCoder(f.head.InputBytes)
	for at := s.world.end(); at < s.till; {
		b, err := f.coder.header(r, at, s.till)
		if err != nil {
			return next, err
		}
		at = b.end()
		if b.kind != stepsBlock {
			continue
		}
		payload, err := f.coder.payload(r, &b)
		if err != nil {
			return next, err
		}
		inputs, marks, ok := coder.take(f.past.inputs, payload, b.steps)
		if !ok || b.frame != next {
			return next, fmt.Errorf("%w: the steps at byte %d are not %d from frame %d on",
				ErrDamaged, b.at, b.steps, next)
		}
		for _, m := range marks {
			f.past.marks = append(f.past.marks, mark{m.step + next, m.digest})
		}
		f.past.inputs = inputs
		next += b.steps
	}
	return next, nil
}

func (s *store) Restore(to world.State, kept int) (world.State, error) {
	return s.f.restore(to, s.f.segmentOf(kept))
}

// restore brings a world, or the zero State, to the beginning of a segment: it reads the last full
// world, and applies the differences from there. After an error the world is not to be used.
func (f *File) restore(s world.State, n int) (world.State, error) {
	full := n
	for f.segments[full].world.flags&isDelta != 0 {
		full--
	}
	for i := full; i <= n; i++ {
		var err error
		if s, err = f.apply(s, &f.segments[i], i == n); err != nil {
			return s, f.about(fmt.Errorf("the world of frame %d: %w", f.segments[i].world.frame,
				f.inPiece(&f.segments[i].piece, err)))
		}
	}
	return s, nil
}

// world reads the world of a segment: its digest, and a save or a delta.
func (f *File) world(s *segment) (digest uint64, b []byte, r io.ReaderAt, err error) {
	if r, err = f.reader(&s.piece); err != nil {
		return 0, nil, nil, err
	}
	if b, err = f.coder.payload(r, &s.world); err == nil && len(b) < 8 {
		err = fmt.Errorf("%w: the world at byte %d has %d bytes", ErrDamaged, s.world.at, len(b))
	}
	if err != nil {
		return 0, nil, nil, err
	}
	return binary.LittleEndian.Uint64(b), b[8:], r, nil
}

// apply brings a world to the beginning of a segment, from that of the segment before.
func (f *File) apply(s world.State, at *segment, check bool) (world.State, error) {
	digest, payload, _, err := f.world(at)
	if err != nil {
		return s, err
	}
	o, from := f.past.options.Save, bytes.NewReader(payload)
	switch {
	case at.world.flags&isDelta != 0:
		s, err = f.past.deltas.Apply(s, payload)
	case s == (world.State{}):
		s, _, err = save.Read(from, from.Size(), f.past.counts, o)
	default:
		s, _, err = save.Reread(from, from.Size(), s, o)
	}
	if err != nil || !check || f.head.Build != f.past.options.Build {
		return s, err
	}
	if got := systems.Digest(s); got != digest {
		err = fmt.Errorf("%w: its digest is %016x, and was %016x", ErrDamaged, got, digest)
	}
	return s, err
}
