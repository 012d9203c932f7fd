package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"
)

var forgedKind = layout.NewKind("forged", layout.NewField[uint32]("forged number"))

var forgedCounts = world.Counts{GameObjects: 10, Kinds: layout.Kinds(forgedKind.Count(10))}

func onward(s world.State, _ []byte) world.State { return world.Advance(s) }

// A forger writes blocks with right checksums.
type forger struct {
	*coder
	file []byte
}

func newForger(edit func(h *Head)) *forger {
	h := Head{Version: version, Build: thisBuild(), InputBytes: 2, StepRate: 1}
	edit(&h)
	text, _ := json.Marshal(h)
	f := &forger{newEncoder(), []byte(magic)}
	f.add(block{kind: headBlock}, text)
	f.seed = xxh3.Hash(text)
	return f
}

func (f *forger) add(b block, payload []byte) { f.file = f.append(f.file, b, payload) }

// A forgery is a recording whose checksums are right.
type forgery struct {
	head  func(h *Head)
	build func(f *forger)
	want  string
}

func forgeries(t *testing.T) map[string]forgery {
	t.Helper()
	s := world.Must(world.CreateState(forgedCounts))
	var saved bytes.Buffer
	require.NoError(t, save.Write(&saved, s, save.Options{}))
	digest := world.Digest(s)
	first := append(appendDigest(nil, digest), saved.Bytes()...)
	coder := newStepCoder(2)
	steps := bytes.Clone(coder.append(nil, []byte{1, 2, 3, 4, 5, 6}, 3, []mark{{1, 7}}))
	long := strings.Repeat("x", maxHead+1)
	zeros := make([]byte, 1<<20)
	return map[string]forgery{
		"another version": {func(h *Head) { h.Version = 9 }, nil, "its version is 9"},
		"negative inputs": {func(h *Head) { h.InputBytes = -1 }, nil, "-1 bytes of input"},
		"long inputs":     {func(h *Head) { h.InputBytes = maxInputs + 1 }, nil, "bytes of input"},
		"no steps":        {func(h *Head) { h.StepRate = 0 }, nil, "0 steps of a second"},
		"a long head":     {func(h *Head) { h.Program = long }, nil, "is no head"},
		"no world":        {nil, func(*forger) {}, "before the first step"},
		"a delta first":   {nil, func(f *forger) { f.add(block{kind: worldBlock, flags: isDelta}, first) }, "is of frame 0"},
		"a short world":   {nil, func(f *forger) { f.add(block{kind: worldBlock}, nil) }, "damaged"},
		"no save":         {nil, func(f *forger) { f.add(block{kind: worldBlock}, first[:30]) }, "frame 0"},
		"another digest":  {nil, func(f *forger) { f.add(block{kind: worldBlock}, append(appendDigest(nil, 1), saved.Bytes()...)) }, "its digest is"},
		"a head inside":   {nil, func(f *forger) { f.add(block{kind: worldBlock}, first); f.add(block{kind: headBlock}, nil) }, "the head at byte"},
		"a frame too late": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, frame: 1, steps: 3}, steps)
		}, "is of frame 1, after frame 0"},
		"a wrong note": {nil, func(f *forger) { f.add(block{kind: worldBlock}, first); f.add(block{kind: noteBlock}, []byte("{")) }, "the note at byte"},
		"no steps in a block": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock}, steps)
		}, "are not 0"},
		"a step too many": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: 30}, steps)
		}, "are not 30"},
		"many steps of zeros": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: maxFrame}, zeros[:6])
		}, "are not 2147483647"},
		"many marks": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: 3}, bytes.Repeat([]byte{255}, 30))
		}, "are not 3"},
		"a way too many": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: 3}, []byte{0, 0, 0, 0, 9, 0})
		}, "are not 3"},
		"more after the steps": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: 3}, append(bytes.Clone(steps), 0))
		}, "are not 3"},
		"a gap": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: worldBlock, frame: 5}, first)
		}, "frames 0 to 4 are missing"},
		"worlds in disorder": {nil, func(f *forger) {
			f.add(block{kind: worldBlock, frame: 5}, first)
			f.add(block{kind: worldBlock, frame: 4}, first)
		}, "is of frame 4"},
		"a mark of another digest": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: stepsBlock, steps: 3}, steps)
		}, "differs from the recording at tick 2"},
		"something after the end": {nil, func(f *forger) {
			f.add(block{kind: worldBlock}, first)
			f.add(block{kind: endBlock}, nil)
			f.add(block{kind: endBlock}, nil)
		}, "the end at byte"},
	}
}

// TestForgedRecordingsAreRefused: blocks whose checksums are right and that are wrong otherwise are
// refused by Read, cut off, or refused by Replay, with little memory.
func TestForgedRecordingsAreRefused(t *testing.T) {
	for name, c := range forgeries(t) {
		t.Run(name, func(t *testing.T) {
			edit := func(*Head) {}
			if c.head != nil {
				edit = c.head
			}
			f := newForger(edit)
			if c.build != nil {
				c.build(f)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := ReadFrom(bytes.NewReader(f.file), int64(len(f.file)))
			if err == nil {
				err = errors.Join(r.Torn(), r.Replay(forgedCounts, onward, Options{}, nil))
			}
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, c.want)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(freely))
		})
	}
}

// FuzzRead reads any blocks, with right checksums.
func FuzzRead(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 3, 1, 3, 4, 1, 2, 3}, true)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		forged := newForger(func(*Head) {})
		for sealed && len(b) >= 4 {
			n := min(int(b[3]), len(b)-4)
			forged.add(block{kind: kind(b[0]), frame: int(b[1]), steps: int(b[2])}, b[4:][:n])
			b = b[4+n:]
		}
		forged.file = append(forged.file, b...)
		r, err := ReadFrom(bytes.NewReader(forged.file), int64(len(forged.file)))
		if err == nil {
			_ = r.Replay(forgedCounts, onward, Options{}, nil)
			r.Close()
		}
	})
}
