package record_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/stretchr/testify/require"
)

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
