//go:build !js

package schedule

import (
	"context"
	"runtime/pprof"
)

// label is the profile's label of a job.
func label(name string) context.Context {
	return pprof.WithLabels(context.Background(), pprof.Labels("system", name))
}

func setLabel(c context.Context) { pprof.SetGoroutineLabels(c) }
