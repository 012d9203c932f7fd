//go:build unix

package save_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns what this process has used of the processor: what others use does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measure runs f as a benchmark of size bytes, and reports the processor's time for it beside that
// of the clock.
func measure(b *testing.B, size int64, f func()) {
	b.Helper()
	b.SetBytes(size)
	best := time.Duration(1 << 62)
	begin := cpuTime()
	for b.Loop() {
		t := time.Now()
		f()
		best = min(best, time.Since(t))
	}
	spent := cpuTime() - begin
	b.ReportMetric(float64(size)*float64(b.N)/1e6/spent.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}
