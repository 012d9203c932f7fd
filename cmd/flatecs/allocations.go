package main

import (
	"fmt"
	"runtime"
)

// allocations counts the allocations of the whole process between watch and unwatch.
type allocations struct {
	memory    runtime.MemStats // 5 KB, kept off the stack
	counting  bool
	watching  bool
	before    uint64
	allocated uint64 // while watching
}

// watch starts counting.
func (a *allocations) watch() {
	if a.counting && !a.watching {
		a.watching = true
		runtime.ReadMemStats(&a.memory)
		a.before = a.memory.Mallocs
	}
}

// unwatch stops counting.
func (a *allocations) unwatch() {
	if a.watching {
		a.watching = false
		runtime.ReadMemStats(&a.memory)
		a.allocated += a.memory.Mallocs - a.before
	}
}

// perFrame rounds down, like testing.AllocsPerRun, because the Go runtime allocates occasionally.
// It shows the remainder.
func perFrame(allocated, frames uint64) string {
	if frames == 0 || allocated%frames == 0 {
		return fmt.Sprintf("%d allocations per frame", allocated/max(frames, 1))
	}
	return fmt.Sprintf("%d allocations per frame (%d in %d frames)",
		allocated/frames, allocated, frames)
}
