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
	next   int    // frame after its last step
	world  []byte // its first world: a save, or a delta
	room   int    // of a resized world: its room for objects
	inputs []byte
	marks  []mark // their steps count from first
	ended  bool
	till   int64 // offset after the last complete block
}

// load reads a segment, unless it is in memory.
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

// world reads only the world of a segment.
func (f *File) world(n int) (*part, error) { return f.readPart(n, true) }

// readPart reads a segment, or only its world, up to the first error. It returns a nil part if the
// world is incomplete.
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

// begin returns a segment with only its world.
func begin(b *block, payload []byte) (*part, error) {
	if len(payload) < 8 {
		return nil, fmt.Errorf("%w: %v has %d bytes", ErrDamaged, b, len(payload))
	}
	return &part{
		first: b.frame(), next: b.frame(), world: payload[8:], room: int(b.Steps),
		marks: []mark{{0, binary.LittleEndian.Uint64(payload)}},
	}, nil
}

// add adds a block that follows the world.
func (p *part) add(steps *stepCoder, b *block, payload []byte) error {
	if p.ended || b.frame() != p.next || b.Kind < stepsBlock {
		return fmt.Errorf("%w: %v is of frame %d, after frame %d", ErrDamaged, b, b.Frame, p.next)
	}
	switch b.Kind {
	case stepsBlock:
		inputs, marks, ok := steps.take(p.inputs, payload, int(b.Steps))
		if !ok || b.Frame+uint64(b.Steps) > maxFrame {
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

// Input returns the input of a frame, for reading until the next call. It returns [ErrDamaged] or
// [ErrCut], wrapped, and the errors of the file system.
func (f *File) Input(frame int) ([]byte, error) {
	p, err := f.partOf(frame, f.mustBeOpen().next-1)
	if err != nil {
		return nil, err
	}
	size := f.Head.InputBytes
	return p.inputs[(frame-p.first)*size:][:size:size], nil
}

// Digest returns the recorded digest of the world before the step of a frame, if any. If the
// recording was ended by [Recorder.End], the frame after the last step has a digest, too. It
// returns the errors of Input.
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

// partOf reads the segment of a frame, which must be at most last.
func (f *File) partOf(frame, last int) (*part, error) {
	first, next := f.Frames()
	if frame < first || frame > last {
		return nil, program.NoFrame("record", ErrCut, frame, first, next)
	}
	p, err := f.load(timeline.Newest(f.worlds, frame))
	return p, f.about(err)
}
