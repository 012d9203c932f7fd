package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/timeline"
)

var (
	age   = layout.NewField[uint16]("recorded age")
	place = layout.NewField("recorded place", [2]float32{1, 2})
	thing = layout.NewKind("recorded thing", age, place)
)

var counts = world.Counts{GameObjects: 50, Kinds: layout.Kinds(thing.Count(40)), Seed: 5}

// live is a step: an object is born, changes or dies, and all objects age.
func live(s world.State, input []byte) world.State {
	r := rand.New(rand.NewPCG(uint64(input[0]), world.Tick(s)))
	ids := slices.Collect(world.GameObjects(s))
	switch op := input[0] % 4; {
	case op == 0 || len(ids) == 0:
		if next, id, err := world.CreateWith(s, thing); err == nil {
			s = world.Must(world.Set(next, id, place, [2]float32{r.Float32(), 3}))
		}
	case op == 1:
		s = world.Must(world.Dispose(s, ids[r.IntN(len(ids))]))
	case op == 2:
		s = world.Must(world.Set(s, ids[r.IntN(len(ids))], place, [2]float32{r.Float32(), 7}))
	}
	for row := range world.All(s, thing) {
		s = world.SetRow(s, age, row, world.GetRow(s, age, row)+1)
	}
	return world.Advance(s)
}

// A life is what was recorded: the model of a recording.
type life struct {
	digests []uint64 // before each step
	after   []uint64 // after each step: an edit may follow
	inputs  [][]byte
}

// record plays a number of steps, with occasional edits of the world.
func (l *life) record(tb testing.TB, rec *record.Recorder, r *rand.Rand, s world.State, steps int) {
	tb.Helper()
	size := r.IntN(4) + 1
	for range steps {
		if r.IntN(30) == 0 {
			if next, _, err := world.CreateWith(s, thing); err == nil {
				s = next
				rec.Changed()
			}
		}
		input := make([]byte, size)
		for i := range input {
			input[i] = byte(r.IntN(256) & r.IntN(256))
		}
		l.digests, l.inputs = append(l.digests, world.Digest(s)), append(l.inputs, input)
		s = world.Must(rec.Step(s, input, live))
		l.after = append(l.after, world.Digest(s))
	}
	world.Close(s)
}

// randomOptions returns options under which much happens in few steps.
func randomOptions(r *rand.Rand) record.Options {
	return record.Options{
		StepRate: r.IntN(10) + 1, Segment: time.Duration(r.IntN(20)) * time.Second,
		Full: r.IntN(5), Digests: r.IntN(9) - 1, Sync: record.Sync(r.IntN(3)), Wait: true,
	}
}

// same compares a recording with the model, at frames in any order.
func (l *life) same(tb testing.TB, f *record.File, r *rand.Rand) {
	tb.Helper()
	past := world.Must(f.Timeline(counts, live, record.Options{}))
	defer past.Close()
	first, next := past.Frames()
	for range 20 {
		frame := first + r.IntN(next-first+1)
		s := world.Must(past.At(frame))
		if frame == next {
			require.Equal(tb, l.after[frame-1], world.Digest(s))
			continue
		}
		require.Equal(tb, l.digests[frame], world.Digest(s), "frame %d", frame)
		require.Equal(tb, l.inputs[frame], world.Must(past.Input(frame)))
	}
}

// some returns how often to try, a tenth with -short.
func some(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestARecordingIsTheLife: random lives under random options lie in a folder or a file, and every
// frame of them opens; packed they are the same.
func TestARecordingIsTheLife(t *testing.T) {
	for seed := range uint64(some(40)) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := randomOptions(r)
		var rec *record.Recorder
		var file bytes.Buffer
		s := world.Must(world.CreateState(counts))
		folder := filepath.Join(t.TempDir(), fmt.Sprint(seed))
		if seed%2 == 0 {
			o.Keep = time.Duration(r.IntN(3)*r.IntN(20)) * time.Second
			rec = world.Must(record.Create(folder, s, o))
		} else {
			rec = world.Must(record.New(&file, s, o))
		}
		var l life
		l.record(t, rec, r, s, 1+r.IntN(200))
		require.NoError(t, rec.Close())
		if seed%2 == 0 {
			f := world.Must(record.Read(folder))
			require.NoError(t, f.Torn)
			if first, _ := f.Frames(); o.Keep == 0 {
				require.Zero(t, first)
			}
			require.NoError(t, f.Pack(&file))
			l.same(t, f, r)
			require.NoError(t, record.Replay(folder, counts, live, record.Options{}, nil))
		}
		f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
		require.NoError(t, f.Torn)
		_, next := f.Frames()
		require.Equal(t, len(l.inputs), next)
		steps := 0
		require.NoError(t, f.Replay(counts, live, record.Options{}, func(world.State) { steps++ }))
		first, _ := f.Frames()
		require.Equal(t, next-first, steps)
		l.same(t, f, r)
	}
}

// lived returns the file of a life, and the life.
func lived(tb testing.TB, steps int, o record.Options) ([]byte, life) {
	tb.Helper()
	var file bytes.Buffer
	o.Wait = true
	s := world.Must(world.CreateState(counts))
	rec := world.Must(record.New(&file, s, o))
	var l life
	l.record(tb, rec, rand.New(rand.NewPCG(7, 7)), s, steps)
	require.NoError(tb, rec.Close())
	return file.Bytes(), l
}

func open(b []byte) (*record.File, error) {
	return record.ReadFrom(bytes.NewReader(b), int64(len(b)))
}

// TestEveryCutOpens: what is whole of a file that was cut anywhere opens and replays, and it is
// said where it was cut; a cut before the first world is refused.
func TestEveryCutOpens(t *testing.T) {
	whole, l := lived(t, 40, record.Options{StepRate: 4, Segment: 2 * time.Second, Full: 2})
	last := 0
	for n := range whole {
		f, err := open(whole[:n])
		if err != nil {
			require.Zero(t, last, "%d bytes", n)
			require.ErrorIs(t, err, record.ErrCut, "%d bytes", n)
			continue
		}
		require.ErrorIs(t, f.Torn, record.ErrCut, "%d bytes", n)
		_, next := f.Frames()
		require.GreaterOrEqual(t, next, last, "%d bytes", n)
		if next > last {
			require.NoError(t, f.Replay(counts, live, record.Options{}, nil))
			l.same(t, f, rand.New(rand.NewPCG(1, 1)))
		}
		last = next
	}
	require.Equal(t, 40, last)
}

// TestADamagedByteIsNoticed: whichever byte is another one, the recording is refused, ends before,
// or replays with an error.
func TestADamagedByteIsNoticed(t *testing.T) {
	whole, _ := lived(t, 20, record.Options{StepRate: 4, Segment: 2 * time.Second, Full: 3})
	r := rand.New(rand.NewPCG(4, 4))
	for range some(3000) {
		n := r.IntN(len(whole))
		b := bytes.Clone(whole)
		b[n] ^= 1 << (n % 8)
		f, err := open(b)
		if err == nil {
			err = errors.Join(f.Torn, f.Replay(counts, live, record.Options{}, nil))
		}
		require.Error(t, err, "byte %d", n)
	}
}

// TestAnotherStepIsNamed: a replay that goes another way names the tick, the kind, the object and
// the field, and the builds if they differ.
func TestAnotherStepIsNamed(t *testing.T) {
	whole, _ := lived(t, 100, record.Options{Segment: time.Second, StepRate: 40, Digests: 5})
	wrong := func(s world.State, input []byte) world.State {
		if s = live(s, input); world.Tick(s) == 52 {
			for row := range world.All(s, thing) {
				return world.SetRow(s, age, row, 999)
			}
		}
		return s
	}
	f := world.Must(open(whole))
	err := f.Replay(counts, wrong, record.Options{}, nil)
	require.ErrorIs(t, err, record.ErrDiffers)
	require.ErrorContains(t, err, "at tick 53, before the step of frame 52; before that of frame 47")
	differ, ok := errors.AsType[*timeline.DifferError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, 72, differ.Frame)
	require.ErrorContains(t, err, "recorded thing")
	t.Log(err)

	err = f.Replay(counts, live, record.Options{Build: "other"}, nil)
	require.ErrorIs(t, err, record.ErrBuild)
	err = f.Replay(counts, wrong, record.Options{Build: "other", AnyBuild: true}, nil)
	assert.ErrorContains(t, err, `and "other" replays`)
}

// TestAResizedWorldIsRecorded: a segment with a whole world begins where the counts change, and
// each frame is what it was, before and behind.
func TestAResizedWorldIsRecorded(t *testing.T) {
	for _, c := range []world.Counts{
		{GameObjects: 500, Kinds: counts.Kinds},
		{GameObjects: 50, Kinds: layout.Kinds(thing.Count(45))},
	} {
		var file bytes.Buffer
		var l life
		s := world.Must(world.CreateState(counts))
		rec := world.Must(record.New(&file, s, record.Options{StepRate: 5, Segment: 4 * time.Second, Wait: true}))
		for tick := range 200 {
			if tick == 50 {
				s = world.Must(world.Resized(s, c))
			}
			input := []byte{byte(tick * 5)}
			l.digests, l.inputs = append(l.digests, world.Digest(s)), append(l.inputs, input)
			s = world.Must(rec.Step(s, input, live))
			l.after = append(l.after, world.Digest(s))
		}
		require.NoError(t, rec.End(s))
		f := world.Must(open(file.Bytes()))
		require.Equal(t, 50, f.Worlds()[3].Frame)
		require.True(t, f.Worlds()[3].Fixed)
		require.NoError(t, f.Replay(counts, live, record.Options{}, nil))
		l.same(t, f, rand.New(rand.NewPCG(3, 3)))
		few := world.Counts{GameObjects: 1, Kinds: counts.Kinds}
		require.Error(t, f.Replay(few, live, record.Options{}, nil))
	}
}

// TestAWorldResizedOtherwise: where more than the room for objects changed, frames open with the
// counts of their time, and others are told so. The last world has its own tick.
func TestAWorldResizedOtherwise(t *testing.T) {
	heard := layout.NewField[uint8]("recorded sound")
	sounds := world.NewEvents("recorded sounds", heard)
	of := func(ring int) world.Counts {
		return world.Counts{GameObjects: 9, Events: []world.EventCount{sounds.Count(ring)}}
	}
	hear := func(s world.State, input []byte) world.State {
		s, b := sounds.Send(s)
		world.EventColumn(b, heard)[0] = input[0]
		return world.Advance(s)
	}
	var file bytes.Buffer
	s := world.Must(world.CreateState(of(2)))
	rec := world.Must(record.New(&file, s, record.Options{StepRate: 1, Segment: 5 * time.Second, Wait: true}))
	var digests []uint64
	for tick := range byte(30) {
		if tick == 10 {
			s = world.Must(world.Resized(s, of(7)))
		}
		digests = append(digests, world.Digest(s))
		s = world.Must(rec.Step(s, []byte{tick}, hear))
	}
	require.NoError(t, rec.End(s))
	f := world.Must(open(file.Bytes()))
	require.Equal(t, timeline.World{Frame: 30, Tick: 31}, f.Worlds()[len(f.Worlds())-1])
	for _, x := range []struct{ ring, opens, not int }{{2, 9, 17}, {2, 3, 29}, {7, 10, 7}, {7, 29, 9}} {
		past := world.Must(f.Timeline(of(x.ring), hear, record.Options{}))
		require.Equal(t, digests[x.opens], world.Digest(world.Must(past.At(x.opens))))
		_, err := past.At(x.not)
		require.ErrorContains(t, err, "give the counts that it had then")
		past.Close()
	}
}

// A disk is a writer that fails after a number of bytes, or waits.
type disk struct {
	left int
	gate chan struct{}
	file bytes.Buffer
}

var errFull = errors.New("no space left")

func (d *disk) Write(b []byte) (int, error) {
	if d.gate != nil {
		<-d.gate
	}
	if d.left -= len(b); d.left < 0 {
		return 0, errFull
	}
	return d.file.Write(b)
}

// TestAFullDiskEndsTheRecordingOnly: the error is returned once, and the game goes on.
func TestAFullDiskEndsTheRecordingOnly(t *testing.T) {
	for _, left := range []int{0, 100, 700} {
		s := world.Must(world.CreateState(counts))
		rec := world.Must(record.New(&disk{left: left}, s, record.Options{StepRate: 10, Wait: true}))
		told := 0
		for tick := range 3000 {
			var err error
			if s, err = rec.Step(s, []byte{byte(tick)}, live); err != nil {
				require.ErrorIs(t, err, errFull)
				told++
			}
		}
		err := rec.Close()
		require.True(t, told == 1 && err == nil || told == 0 && errors.Is(err, errFull), "%d %v", told, err)
		require.Equal(t, uint64(3001), world.Tick(s))
		world.Close(s)
	}
}

// TestKeepMayBeInterrupted: what is left of the oldest segments, without their full world, is
// passed over.
func TestKeepMayBeInterrupted(t *testing.T) {
	folder, s := t.TempDir(), world.Must(world.CreateState(counts))
	rec := world.Must(record.Create(folder, s, record.Options{StepRate: 4, Segment: 2 * time.Second, Full: 2, Wait: true}))
	for tick := range byte(40) {
		s = world.Must(rec.Step(s, []byte{tick}, live))
	}
	require.NoError(t, rec.Close())
	require.NoError(t, os.Remove(filepath.Join(folder, "00000000.flrec")))
	f := world.Must(record.Read(folder))
	first, next := f.Frames()
	require.Equal(t, []int{16, 40}, []int{first, next})
	require.NoError(t, f.Torn)
	require.NoError(t, f.Replay(counts, live, record.Options{}, nil))
}

// TestASlowDiskEndsTheRecording: steps do not wait for it.
func TestASlowDiskEndsTheRecording(t *testing.T) {
	s := world.Must(world.CreateState(counts))
	gate := make(chan struct{})
	d := disk{left: 1 << 30, gate: gate}
	rec := world.Must(record.New(&d, s, record.Options{StepRate: 10}))
	var err error
	steps := 0
	for ; err == nil; steps++ {
		s, err = rec.Step(s, make([]byte, 10_000), live)
	}
	require.ErrorIs(t, err, record.ErrSlow)
	assert.Greater(t, steps, 40)
	s = world.Must(rec.Step(s, nil, func(s world.State, _ []byte) world.State { return s }))
	close(gate)
	require.NoError(t, rec.Close())
	world.Close(s)
	_, next := world.Must(open(d.file.Bytes())).Frames()
	require.Equal(t, steps-1, next, "all before the error, which the disk writes later")
}

// TestTheStepsBeforeAnErrorAreKept: a world that cannot be recorded ends the recording, which has
// all steps before it.
func TestTheStepsBeforeAnErrorAreKept(t *testing.T) {
	for steps := 1; steps < 30; steps++ {
		var d disk
		d.left = 1 << 30
		s := world.Must(world.CreateState(counts))
		rec := world.Must(record.New(&d, s, record.Options{StepRate: 10, Wait: true}))
		for tick := range steps {
			s = world.Must(rec.Step(s, []byte{byte(tick)}, live))
		}
		world.Record(s).Create() // and it is not applied
		rec.Changed()
		require.Error(t, rec.Record(s, []byte{0}))
		require.NoError(t, rec.Close())
		_, next := world.Must(open(d.file.Bytes())).Frames()
		require.Equal(t, steps, next)
		world.Close(s)
	}
}

// TestAFolderWithoutItsHeadIsSaid: what is missing, beside how much, and what to do.
func TestAFolderWithoutItsHeadIsSaid(t *testing.T) {
	folder, s := t.TempDir(), world.Must(world.CreateState(counts))
	rec := world.Must(record.Create(folder, s, record.Options{Wait: true}))
	s = world.Must(rec.Step(s, []byte{1}, live))
	require.NoError(t, rec.End(s))
	require.NoError(t, os.Remove(filepath.Join(folder, "head.flrec")))
	_, err := record.Read(folder)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.EqualError(t, err, "record: "+folder+": no head.flrec beside 2 segments: file does not "+
		"exist; give the folder of a recording, with all of its files")
}

// TestAPanicIsWritten: the recording ends with the step that panicked, which panics again.
func TestAPanicIsWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "box")
	s := world.Must(world.CreateState(counts))
	crash := func(s world.State, input []byte) world.State {
		if world.Tick(s) == 77 {
			panic("out of gold")
		}
		return live(s, input)
	}
	require.PanicsWithValue(t, "out of gold", func() {
		rec := world.Must(record.Create(folder, s, record.Options{}))
		defer rec.Recover()
		for tick := byte(0); ; tick++ {
			s, _ = rec.Step(s, []byte{tick}, crash)
		}
	})
	f := world.Must(record.Read(folder))
	require.NoError(t, f.Torn)
	notes := f.Notes
	require.Len(t, notes, 1)
	assert.Equal(t, "out of gold", notes[0].Text)
	assert.Equal(t, 76, notes[0].Frame)
	assert.Equal(t, uint64(77), notes[0].Tick)
	assert.Contains(t, notes[0].Stack, "TestAPanicIsWritten")
	require.PanicsWithValue(t, "out of gold", func() {
		_ = f.Replay(counts, crash, record.Options{}, nil)
	})
	_, err := record.Create(folder, s, record.Options{})
	require.ErrorIs(t, err, os.ErrExist)
}

var (
	spot  = layout.NewField[[2]float32]("figure spot")
	speed = layout.NewField[[2]float32]("figure speed")
	body  = layout.NewKind("figure body", spot, speed)
)

// crowd is the world of the figures: 10,000 objects.
func crowd(tb testing.TB) world.State { tb.Helper(); return crowdOf(tb, 10_000) }

func crowdOf(tb testing.TB, objects int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: objects, Kinds: layout.Kinds(body.Count(objects)),
	}))
	r := rand.New(rand.NewPCG(1, 1))
	for range objects {
		next, id := world.Must2(world.CreateWith(s, body))
		next = world.Must(world.Set(next, id, spot, [2]float32{r.Float32() * 1000, r.Float32() * 1000}))
		s = world.Must(world.Set(next, id, speed, [2]float32{r.Float32() - .5, r.Float32() - .5}))
	}
	return world.Advance(s)
}

// wander moves half of the objects.
func wander(s world.State, _ []byte) world.State {
	odd := layout.Row(world.Tick(s) % 2)
	for row := range world.All(s, body) {
		if row%2 == odd {
			at, by := world.GetRow(s, spot, row), world.GetRow(s, speed, row)
			s = world.SetRow(s, spot, row, [2]float32{at[0] + by[0], at[1] + by[1]})
		}
	}
	return world.Advance(s)
}

// play draws the inputs of 100 clients of 20 bytes: a tenth of the keys change, and half of the
// aims, which are angles of 16 bits, by up to 5 degrees.
func play(r *rand.Rand, input []byte) {
	for client := input; len(client) > 0; client = client[20:] {
		if r.IntN(10) == 0 {
			client[4] ^= 1 << r.IntN(8)
		}
		if r.IntN(2) == 0 {
			aim := binary.LittleEndian.Uint16(client[8:])
			binary.LittleEndian.PutUint16(client[8:], aim+uint16(r.IntN(1821))-910)
		}
	}
}

type tally struct{ bytes int64 }

func (c *tally) Write(b []byte) (int, error) { c.bytes += int64(len(b)); return len(b), nil }

// TestFigureOfADay: a day of 100 clients and 10,000 objects, half of which move each tick, takes
// 450 MB at most, by ten segments of a minute. It prints the bytes with -v.
func TestFigureOfADay(t *testing.T) {
	if testing.Short() {
		t.Skip("ten minutes of play")
	}
	s := crowd(t)
	var to tally
	rec := world.Must(record.New(&to, s, record.Options{StepRate: 30, Wait: true}))
	r := rand.New(rand.NewPCG(2, 2))
	input := make([]byte, 2000)
	for range 10 * 60 * 30 {
		play(r, input)
		s = world.Must(rec.Step(s, input, wander))
	}
	require.NoError(t, rec.Close())
	t.Logf("%d MB a day", to.bytes*144/1_000_000)
	require.Less(t, to.bytes*144, int64(450_000_000))
	world.Close(s)
}

// TestRecordAllocatesNothing: neither between two segments nor at the beginning of one.
func TestRecordAllocatesNothing(t *testing.T) {
	s := crowd(t)
	gate := make(chan struct{})
	rec := world.Must(record.New(&disk{left: 1 << 30, gate: gate}, s, record.Options{StepRate: 1000}))
	input := make([]byte, 2000)
	require.NoError(t, rec.Record(s, input)) // the writer waits from here on
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = rec.Record(s, input) }))
	rec.Changed()
	require.Zero(t, testing.AllocsPerRun(1, func() { _ = rec.Record(s, input) }))
	close(gate)
	require.NoError(t, rec.Close())
	world.Close(s)
}

// BenchmarkRecord measures a tick.
func BenchmarkRecord(b *testing.B) {
	s := crowd(b)
	input := make([]byte, 2000)
	r := rand.New(rand.NewPCG(2, 2))
	rec := world.Must(record.New(&tally{}, s, record.Options{StepRate: 30, Wait: true}))
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		play(r, input)
		time.Sleep(100 * time.Microsecond) // the writer works
		b.StartTimer()
		_ = rec.Record(s, input)
	}
	b.StopTimer()
	_ = rec.Close()
}

// BenchmarkSegment compares the tick that begins a segment with a copy of the world, of 100,000
// objects, half of which moved in each of 30 ticks: it takes 1.3 times as long at most.
func BenchmarkSegment(b *testing.B) {
	s := crowdOf(b, 100_000)
	rec := world.Must(record.New(&tally{}, s, record.Options{Wait: true}))
	p := world.Must(world.NewSnapshot(s))
	require.NoError(b, p.Take(s))
	var copied, recorded time.Duration
	for range b.N {
		for range 30 {
			s = wander(s, nil)
		}
		time.Sleep(300 * time.Millisecond) // the writer works
		rec.Changed()
		began := time.Now()
		require.NoError(b, p.Take(s)) // first: the writer works behind Record
		copied += time.Since(began)
		began = time.Now()
		require.NoError(b, rec.Record(s, nil))
		recorded += time.Since(began)
	}
	b.ReportMetric(float64(recorded)/float64(copied), "segments/copy")
	require.NoError(b, rec.Close())
}

// BenchmarkOpenLate opens a recording of as many segments as a day has minutes, at any frame. Their
// segments are shorter: the rest of a minute's steps is what the steps themselves take.
func BenchmarkOpenLate(b *testing.B) {
	s := crowd(b)
	folder := filepath.Join(b.TempDir(), "day")
	o := record.Options{StepRate: 30, Wait: true, Segment: time.Second}
	rec := world.Must(record.Create(folder, s, o))
	r := rand.New(rand.NewPCG(2, 2))
	input := make([]byte, 2000)
	for range 1440 * 30 {
		play(r, input)
		s, _ = rec.Step(s, input, wander)
	}
	require.NoError(b, rec.Close())
	c := world.CountsOf(s)
	for b.Loop() {
		past := world.Must(record.Open(folder, c, wander, record.Options{}))
		_, next := past.Frames()
		world.Must(past.At(r.IntN(next)))
		past.Close()
	}
}
