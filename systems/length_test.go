package systems

import (
	"os"
	"testing"
)

// atLength reports whether tests take the sizes that are too long for every day.
func atLength() bool { return os.Getenv("FLATECS_FULL") != "" && !testing.Short() }
