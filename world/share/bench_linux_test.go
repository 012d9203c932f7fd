package share_test

import (
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/share"
)

// BenchmarkOffer compares publishing a world of a million objects, all of which were written, with
// taking a snapshot of it.
func BenchmarkOffer(b *testing.B) {
	const n = 1_000_000
	c := world.Counts{Kinds: layout.Kinds(place.Count(n)), Recipes: []world.Recipe{crate}}
	s := world.Must(world.SpawnN(world.Must(world.CreateState(c)), crate, n, nil))
	p := world.Must(share.Publish("/dev/shm/flatecs-bench", s, share.Options{}))
	snapshots := make([]*world.Snapshot, 4) // as many as there are slots
	for i := range snapshots {
		snapshots[i] = world.Must(world.NewSnapshot(s))
	}
	least := [2]time.Duration{time.Hour, time.Hour}
	for i := 0; b.Loop(); i++ {
		s = step(s)
		begin := time.Now()
		if err := snapshots[i%4].Take(s); err != nil {
			b.Fatal(err)
		}
		taken := time.Now()
		if err := p.Offer(s); err != nil {
			b.Fatal(err)
		}
		if i > 8 {
			least[0] = min(least[0], taken.Sub(begin))
			least[1] = min(least[1], time.Since(taken))
		}
	}
	b.ReportMetric(least[0].Seconds()*1000, "ms-take")
	b.ReportMetric(least[1].Seconds()*1000, "ms-offer")
	b.ReportMetric(least[1].Seconds()/least[0].Seconds(), "offer/take")
	_ = p.Close()
}
