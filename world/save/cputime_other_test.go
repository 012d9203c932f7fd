//go:build !unix

package save_test

import "time"

// cpuTime returns nothing: the processor's time is not known here.
func cpuTime() time.Duration { return 1 }
