package hand_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/hand"
)

// BenchmarkStandstill hands worlds over, and says how long they stood still: from the end of the old
// program's last step to the beginning of the new one's first.
func BenchmarkStandstill(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		for name, versions := range map[string][]string{
			"same": {"v1-a", "v1-b"}, "another": {"v1-a", "v2-b"},
		} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				dir := b.TempDir()
				count := []byte(fmt.Sprint(n))
				require.NoError(b, os.WriteFile(filepath.Join(dir, "count"), count, 0o600))
				var still, start []time.Duration
				for b.Loop() {
					e := handedOver(b, dir, versions)
					still, start = append(still, e.Still), append(start, e.Start)
				}
				b.ReportMetric(float64(slices.Min(still).Microseconds())/1000, "ms-still-least")
				slices.Sort(still)
				b.ReportMetric(float64(still[len(still)/2].Microseconds())/1000, "ms-still-median")
				b.ReportMetric(float64(slices.Min(start).Microseconds())/1000, "ms-start-least")
			})
		}
	}
}

// handedOver plays the first version, and hands over to the second.
func handedOver(b *testing.B, dir string, versions []string) hand.Event {
	b.Helper()
	self, err := os.Executable()
	require.NoError(b, err)
	paths := make([]string, len(versions))
	for i, v := range versions {
		paths[i] = filepath.Join(dir, v)
		if err := os.Symlink(self, paths[i]); err != nil && !strings.Contains(err.Error(), "exists") {
			b.Fatal(err)
		}
	}
	orders, events, ended := make(chan hand.Order), make(chan hand.Event, 10), make(chan int)
	go func() {
		code, _ := hand.Supervise(hand.Supervisor{
			Path: paths[0], Args: []string{"play", dir}, Orders: orders, Still: time.Minute, Deadline: time.Minute,
			Told: func(e hand.Event) { events <- e },
		})
		ended <- code
	}()
	<-events
	time.Sleep(20 * time.Millisecond)
	orders <- hand.Order{Path: paths[1]}
	e := <-events
	require.Equal(b, hand.Plays, e.What, "%v", e)
	require.NoError(b, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	<-ended
	require.NoError(b, os.Remove(filepath.Join(dir, "world.flat")))
	return e
}
