package systems

import (
	"os"
	"testing"
)

// Beside returns the names of the list of what lies beside a world's bytes.
func Beside() (names []string) {
	for i := range beside {
		names = append(names, beside[i].name)
	}
	return names
}

// atLength reports whether tests take the sizes that are too long for every day.
func atLength() bool { return os.Getenv("FLATECS_FULL") != "" && !testing.Short() }
