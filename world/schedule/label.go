//go:build !js

package schedule

import (
	"context"
	"runtime/pprof"
)

// labels are labels of profiles.
type labels = context.Context

// label is the profile's label of a job.
func label(name string) labels {
	return pprof.WithLabels(context.Background(), pprof.Labels("system", name))
}

func setLabel(c labels) { pprof.SetGoroutineLabels(c) }

func clearLabel() { setLabel(context.Background()) }
