package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// BenchmarkEmptyJobs is what a job costs that does nothing, one of twenty.
func BenchmarkEmptyJobs(b *testing.B) {
	const jobs = 20
	speed := layout.NewComponent[float64]("speed")
	q := world.NewQuery(world.Write(speed))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			p := schedule.Pipeline{Name: "frame"}
			g := schedule.Group{Name: "all"}
			for i := range jobs {
				j := schedule.Job{
					Name: fmt.Sprint(i), Queries: []world.Query{q},
					Run: func(s world.State) world.State { return s },
				}
				p.Jobs, g.Elements = append(p.Jobs, j), append(g.Elements, j.Name)
			}
			p.Groups = []schedule.Group{g}
			schedules := schedule.New(workers)
			defer schedules.Close()
			require.NoError(b, schedules.Register(p))
			s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(speed)}))
			defer func() { world.Close(s) }()
			b.ReportAllocs()
			for range b.N {
				s, _ = schedules.Run(s, "frame")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
		})
	}
}
