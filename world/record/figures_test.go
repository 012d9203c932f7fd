package record_test

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/stretchr/testify/require"
)

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

// TestFigureOfADay: a day of 100 clients and 10,000 objects, of which half move each tick, takes 450
// MB at most, by ten segments of a minute. It prints the bytes with -v.
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
// objects of which half moved in each of 30 ticks: it takes 1.3 times as long at most.
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
