package systems

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// Beside returns the names in the list of data outside a world's bytes.
func Beside() (names []string) {
	for i := range besideBytes {
		names = append(names, besideBytes[i].name)
	}
	return names
}

// atLength reports whether tests take the sizes that are too long for every day.
func atLength() bool { return os.Getenv("FLATECS_FULL") != "" && !testing.Short() }

// OneGoroutine skips a test with -short under the race detector, which finds nothing where a single
// goroutine works and makes it ten times as long.
func OneGoroutine(tb testing.TB) {
	tb.Helper()
	raced := debug.BuildSetting{Key: "-race", Value: "true"}
	info, ok := debug.ReadBuildInfo()
	if testing.Short() && ok && slices.Contains(info.Settings, raced) {
		tb.Skip("one goroutine: the race detector has nothing to find")
	}
}
