package main

import (
	"context"
	"runtime/pprof"
	"time"
)

// system numbers what is measured and labelled.
type system int

const (
	createState system = iota
	update
	renderOneByOne
	renderInstances
	systemCount
)

var systemNames = [systemCount]string{"CreateState", "Update", "RenderOneByOne", "RenderInstances"}

// meter measures systems and marks their work with the pprof label "system". Goroutines that a
// system starts inherit the label.
type meter struct {
	allocations
	labelled [systemCount]context.Context // made once: setting them allocates nothing
	plain    context.Context
	spent    [systemCount]time.Duration
	current  system
	running  bool
	since    time.Time
}

func newMeter(countAllocations bool) *meter {
	m := &meter{plain: context.Background(), allocations: allocations{counting: countAllocations}}
	for s := range systemCount {
		m.labelled[s] = pprof.WithLabels(m.plain, pprof.Labels("system", systemNames[s]))
	}
	return m
}

// enter begins the work of a system, and ends that of the one before.
func (m *meter) enter(s system) {
	now := time.Now()
	m.settle(now)
	m.current, m.running, m.since = s, true, now
	pprof.SetGoroutineLabels(m.labelled[s])
}

// leave ends the work of a system.
func (m *meter) leave() {
	m.settle(time.Now())
	m.running = false
	pprof.SetGoroutineLabels(m.plain)
}

func (m *meter) settle(now time.Time) {
	if m.running {
		m.spent[m.current] += now.Sub(m.since)
	}
}
