package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/timeline"
)

// A part is a segment in memory.
type part struct {
	first  int    // frame
	next   int    // frame behind its steps
	world  []byte // with which it begins: a save, or a delta
	room   int    // objects of that world, if it was resized
	inputs []byte
	marks  []mark // by steps from first on
	ended  bool
	till   int64 // offset behind the last block that is whole
}

// load reads a segment, unless it is the one in memory.
func (f *File) load(n int) (*part, error) {
	if f.part.first != f.worlds[n].Frame {
		p, err := f.readPart(n, false)
		if err != nil {
			return nil, err
		}
		f.part = p
	}
	return f.part, nil
}

// world reads the world of a segment alone.
func (f *File) world(n int) (*part, error) { return f.readPart(n, true) }

// readPart reads a segment, or its world alone, up to the first error. The part is nil if its world
// is not whole.
func (f *File) readPart(n int, alone bool) (p *part, err error) {
	steps := newStepCoder(f.Head.InputBytes)
	for b, err := range f.blocks(f.segments[n].piece) {
		var payload []byte
		if err == nil {
			payload, err = f.code.payload(b)
		}
		switch {
		case err != nil:
		case p == nil:
			p, err = begin(b, payload)
		default:
			err = p.add(steps, b, payload)
		}
		if err != nil || alone {
			return p, err
		}
		p.till = b.end()
	}
	if n+1 < len(f.worlds) && p.next != f.worlds[n+1].Frame {
		return p, fmt.Errorf("%w: frames %d to %d are missing", ErrDamaged, p.next,
			f.worlds[n+1].Frame-1)
	}
	return p, nil
}

// begin returns a segment that has its world alone.
func begin(b *block, payload []byte) (*part, error) {
	if len(payload) < 8 {
		return nil, fmt.Errorf("%w: %v has %d bytes", ErrDamaged, b, len(payload))
	}
	return &part{
		first: b.frame(), next: b.frame(), world: payload[8:], room: int(b.Steps),
		marks: []mark{{0, binary.LittleEndian.Uint64(payload)}},
	}, nil
}

// add adds a block that comes behind the world.
func (p *part) add(steps *stepCoder, b *block, payload []byte) error {
	if p.ended || b.frame() != p.next || b.Kind < stepsBlock {
		return fmt.Errorf("%w: %v is of frame %d, after frame %d", ErrDamaged, b, b.Frame, p.next)
	}
	switch b.Kind {
	case stepsBlock:
		inputs, marks, ok := steps.take(p.inputs, payload, int(b.Steps))
		if !ok {
			return fmt.Errorf("%w: %v are not %d from frame %d on", ErrDamaged, b, b.Steps, p.next)
		}
		for _, m := range marks {
			p.marks = append(p.marks, mark{m.step + p.next - p.first, m.digest})
		}
		p.inputs = inputs
		p.next += int(b.Steps)
	case noteBlock:
		var n Note
		if err := json.Unmarshal(payload, &n); err != nil {
			return fmt.Errorf("%w: %v: %w", ErrDamaged, b, err)
		}
	case endBlock:
		p.ended = true
	}
	return nil
}

// Input returns the input of a frame, for reading until the next call. The error wraps [ErrDamaged]
// or [ErrCut], or is that of the file system.
func (f *File) Input(frame int) ([]byte, error) {
	p, err := f.partOf(frame, f.mustBeOpen().next-1)
	if err != nil {
		return nil, err
	}
	size := f.Head.InputBytes
	return p.inputs[(frame-p.first)*size:][:size:size], nil
}

// Digest returns the digest of the world before the step of a frame, if it was recorded; that of
// the frame behind the last step, if the recording has an [Recorder.End]. The error is as that of
// Input.
func (f *File) Digest(frame int) (digest uint64, ok bool, err error) {
	p, err := f.partOf(frame, f.mustBeOpen().next)
	if err != nil {
		return 0, false, err
	}
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].step >= frame-p.first })
	if i == len(p.marks) || p.marks[i].step != frame-p.first {
		return 0, false, nil
	}
	return p.marks[i].digest, true, nil
}

// partOf reads the segment of a frame, which is one up to last.
func (f *File) partOf(frame, last int) (*part, error) {
	first, next := f.Frames()
	if frame < first || frame > last {
		return nil, program.NoFrame("record", ErrCut, frame, first, next)
	}
	p, err := f.load(timeline.Newest(f.worlds, frame))
	return p, f.about(err)
}
