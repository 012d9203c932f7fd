package timeline_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/timeline"
)

// quartile returns what a quarter of the times were below: other programs only ever add to a time.
func quartile(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/4].Nanoseconds())
}

// Ten minutes of 100,000 moving objects, at 60 frames a second: the memory of kept worlds, the time
// of a frame that keeps a world, and the times to reach a kept frame and another one.
func BenchmarkTimelineOfTenMinutesOf100kObjects(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	crowd := world.NewRecipe("crowd", heroes.Position, heroes.Velocity, heroes.MaxVelocity)
	s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{crowd}}))
	s = world.Must(world.SpawnN(s, crowd, 100_000, nil))
	for at := range world.NewQuery(world.Write(heroes.Position, heroes.Velocity)).In(s) {
		positions, speeds := world.Column(at, heroes.Position), world.Column(at, heroes.Velocity)
		for i := range positions {
			positions[i], speeds[i] = [3]float32{r.Float32(), r.Float32(), r.Float32()}, r.Float32()
		}
	}
	step := func(s world.State, _ []byte) world.State {
		return world.Advance(heroes.Update(heroes.FlyAll(heroes.MoveAll(s))))
	}
	past := world.Must(timeline.New(s, timeline.Options{Step: step, Frames: 36_000}))
	var keeping []time.Duration
	for range 36_000 {
		before, begin := past.Bytes(), time.Now()
		require.NoError(b, past.Record(s, nil))
		if past.Bytes() != before {
			keeping = append(keeping, time.Since(begin))
		}
		s = step(s, nil)
	}
	var there, back []time.Duration
	for i := 0; b.Loop(); i++ {
		frame := i * 7919 % 36_000
		kept := world.Must(past.Kept(frame))
		_ = world.Must(past.At(0))
		begin := time.Now()
		_ = world.Must(past.At(kept))
		middle := time.Now()
		_ = world.Must(past.At(frame))
		there, back = append(there, middle.Sub(begin)), append(back, time.Since(middle))
	}
	b.ReportMetric(float64(past.Bytes())/1e6, "MB")
	b.ReportMetric(quartile(keeping)/1e6, "keep-ms")
	b.ReportMetric(quartile(there)/1e6, "kept-ms")
	b.ReportMetric(quartile(back)/1e6, "steps-ms")
}
