package record

import (
	"bytes"
	"encoding/binary"
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
	h := Head{
		Version: version, Build: Options{}.filled().Build, InputBytes: 2, StepRate: 1,
		Kinds: []string{"forged forged number:uint32 × 1"},
	}
	edit(&h)
	text, _ := json.Marshal(h)
	f := &forger{newCoder(), []byte(magic)}
	f.add(header{Kind: headBlock}, text)
	f.seed = xxh3.Hash(text)
	return f
}

func (f *forger) add(h header, payload []byte) { f.file = f.append(f.file, h, payload) }

// bomb adds a world that says to unpack to many zeros.
func (f *forger) bomb() {
	const zeros = 64 << 20
	packed := f.zip.EncodeAll(make([]byte, zeros), nil)
	b := world.Must(binary.Append(nil, binary.LittleEndian, header{
		Kind: worldBlock, Flags: squeezed, Size: uint32(len(packed)), Raw: zeros,
	}))
	b = append(b, packed...)
	binary.LittleEndian.PutUint64(b[sumAt:], f.sum(b))
	f.file = append(f.file, b...)
}

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
	first := append(binary.LittleEndian.AppendUint64(nil, world.Digest(s)), saved.Bytes()...)
	other := append(make([]byte, 8), saved.Bytes()...)
	coder := newStepCoder(2)
	steps := bytes.Clone(coder.append(nil, []byte{1, 2, 3, 4, 5, 6}, 3, []mark{{1, 7}}))
	long := strings.Repeat("x", maxHead+1)
	behind := func(h header, payload []byte) func(f *forger) { // the first world
		return func(f *forger) {
			f.add(header{Kind: worldBlock}, first)
			f.add(h, payload)
		}
	}
	alone := func(h header, payload []byte) func(f *forger) {
		return func(f *forger) { f.add(h, payload) }
	}
	isHead := func(edit func(h *Head), want string) forgery { return forgery{edit, nil, want} }
	three, more := header{Kind: stepsBlock, Steps: 3}, append(bytes.Clone(steps), 0)
	return map[string]forgery{
		"another version": isHead(func(h *Head) { h.Version = 9 }, "its version is 9"),
		"negative inputs": isHead(func(h *Head) { h.InputBytes = -1 }, "-1 bytes of input"),
		"long inputs":     isHead(func(h *Head) { h.InputBytes = maxInputs + 1 }, "bytes of input"),
		"no steps":        isHead(func(h *Head) { h.StepRate = 0 }, "0 steps of a second"),
		"a long head":     isHead(func(h *Head) { h.Program = long }, "is no head"),

		"no world":       {nil, func(*forger) {}, "before the first step"},
		"a delta first":  {nil, alone(header{Kind: worldBlock, Flags: isDelta}, first), "is of frame 0"},
		"a short world":  {nil, alone(header{Kind: worldBlock}, nil), "damaged"},
		"no save":        {nil, alone(header{Kind: worldBlock}, first[:30]), "frame 0"},
		"another digest": {nil, alone(header{Kind: worldBlock}, other), "its digest is"},
		"a bomb":         {nil, (*forger).bomb, "is no block"},

		"a head inside":  {nil, behind(header{Kind: headBlock}, nil), "the head at byte"},
		"a world twice":  {nil, behind(header{Kind: worldBlock}, first), "is of frame 0"},
		"a gap":          {nil, behind(header{Kind: worldBlock, Frame: 5}, first), "frames 0 to 4 are missing"},
		"a frame late":   {nil, behind(header{Kind: stepsBlock, Frame: 1, Steps: 3}, steps), "is of frame 1, after frame 0"},
		"a wrong note":   {nil, behind(header{Kind: noteBlock}, []byte("{")), "the note at byte"},
		"no steps in it": {nil, behind(header{Kind: stepsBlock}, steps), "are not 0"},
		"too many steps": {nil, behind(header{Kind: stepsBlock, Steps: 30}, steps), "are not 30"},
		"steps of zeros": {nil, behind(header{Kind: stepsBlock, Steps: maxFrame}, make([]byte, 6)), "are not 2147483647"},
		"many marks":     {nil, behind(three, bytes.Repeat([]byte{255}, 30)), "are not 3"},
		"a wrong way":    {nil, behind(three, []byte{0, 0, 0, 0, 9, 0}), "are not 3"},
		"more than that": {nil, behind(three, more), "are not 3"},
		"another mark":   {nil, behind(three, steps), "differs from the recording at tick 2"},
		"too many in all": {func(h *Head) { h.InputBytes = 0 }, func(f *forger) {
			f.add(header{Kind: worldBlock, Frame: maxFrame - 1}, first)
			f.add(header{Kind: stepsBlock, Frame: maxFrame - 1, Steps: 2}, make([]byte, 4))
		}, "are not 2"},
		"worlds in disorder": {nil, func(f *forger) {
			f.add(header{Kind: worldBlock, Frame: 5}, first)
			f.add(header{Kind: worldBlock, Frame: 4}, first)
		}, "is of frame 4"},
		"something after the end": {nil, func(f *forger) {
			behind(header{Kind: endBlock}, nil)(f)
			f.add(header{Kind: endBlock}, nil)
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
				err = errors.Join(r.Torn, r.Replay(forgedCounts, onward, Options{}, nil))
			}
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, c.want)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(freely))
		})
	}
}

// TestTheLastStep: a recording that has as many steps as it can ends, and says so.
func TestTheLastStep(t *testing.T) {
	var file bytes.Buffer
	s := world.Must(world.CreateState(forgedCounts))
	rec := world.Must(New(&file, s, Options{Wait: true}))
	rec.next = maxFrame - 2
	s = world.Must(rec.Step(world.Must(rec.Step(s, nil, onward)), nil, onward))
	s, err := rec.Step(s, nil, onward)
	require.ErrorContains(t, err, "has at most 2147483647 steps; begin another one")
	require.NoError(t, rec.End(s))
	f := world.Must(ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	first, next := f.Frames()
	require.Equal(t, []int{maxFrame - 2, maxFrame}, []int{first, next})
	require.NoError(t, f.Replay(forgedCounts, onward, Options{}, nil))
}

// TestManyNotesTakeLittleMemory: of notes that unpack to much, the newest are kept.
func TestManyNotesTakeLittleMemory(t *testing.T) {
	f := newForger(func(*Head) {})
	f.add(header{Kind: worldBlock}, make([]byte, 9))
	for n := range 30 {
		text, _ := json.Marshal(Note{Frame: n, Text: strings.Repeat("x", 1<<20)})
		f.add(header{Kind: noteBlock}, text)
	}
	r := world.Must(ReadFrom(bytes.NewReader(f.file), int64(len(f.file))))
	require.Len(t, r.Notes, 15)
	require.Equal(t, 29, r.Notes[14].Frame)
}

// TestOtherCountsOfOneBuild: counts with other kinds are told which, and play with AnyBuild; those
// that do not say how many objects have room for as many as usual.
func TestOtherCountsOfOneBuild(t *testing.T) {
	var file bytes.Buffer
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(forgedKind)}))
	s, _ = world.Must2(world.CreateWith(s, forgedKind))
	rec := world.Must(New(&file, s, Options{Wait: true}))
	s = world.Must(rec.Step(s, nil, onward))
	s = world.Must(world.Resized(s, world.Counts{GameObjects: 1 << 21, Kinds: layout.Kinds(forgedKind)}))
	require.NoError(t, rec.End(world.Must(rec.Step(s, nil, onward))))
	f := world.Must(ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	require.NoError(t, f.Replay(world.Counts{Kinds: layout.Kinds(forgedKind)}, onward, Options{}, nil))
	more := func() layout.Field[uint8] { return layout.NewField[uint8]("forged more") }
	longer := layout.NewKind("forged", layout.NewField[uint32]("forged number"), more())
	for want, all := range map[string][]layout.Count{
		`"forged forged number:uint32 × 1" was recorded, and the counts lack it`: layout.Kinds(longer),
		`the counts have "other forged more:uint8 × 1", and the recording lacks it`: layout.Kinds(
			layout.NewKind("other", more()), forgedKind),
	} {
		err := f.Replay(world.Counts{Kinds: all}, onward, Options{}, nil)
		require.ErrorIs(t, err, ErrBuild, want)
		require.ErrorContains(t, err, want)
		err = f.Replay(world.Counts{Kinds: all}, onward, Options{AnyBuild: true}, nil)
		require.NotErrorIs(t, err, ErrBuild)
	}
}

// FuzzRead reads any blocks, with right checksums.
func FuzzRead(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 3, 1, 3, 4, 1, 2, 3}, true)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		forged := newForger(func(*Head) {})
		for sealed && len(b) >= 4 {
			n := min(int(b[3]), len(b)-4)
			forged.add(header{Kind: kind(b[0]), Frame: uint64(b[1]), Steps: uint32(b[2])}, b[4:][:n])
			b = b[4+n:]
		}
		forged.file = append(forged.file, b...)
		r, err := ReadFrom(bytes.NewReader(forged.file), int64(len(forged.file)))
		if err == nil {
			_ = r.Replay(forgedCounts, onward, Options{}, nil)
		}
	})
}
