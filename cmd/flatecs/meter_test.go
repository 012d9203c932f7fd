package main

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

func TestTheWorkOfASystemIsLabelled(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	m := newMeter(false)
	for s := range systemCount {
		m.enter(s)
		own, started := labels(t), make(chan string)
		go func() { started <- labels(t) }()
		want := `"system":"` + systemNames[s] + `"`
		if inherited := <-started; !strings.Contains(own, want) || !strings.Contains(inherited, want) {
			t.Errorf("%s: labels %q, those of a goroutine that it starts %q", systemNames[s], own, inherited)
		}
	}
	m.leave()
	if own := labels(t); own != "" {
		t.Errorf("labels %q are left", own)
	}
}

// labels returns the labels of the goroutine that calls it.
func labels(t *testing.T) string {
	t.Helper()
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Error(err)
	}
	for goroutine := range strings.SplitSeq(text.String(), "\n\n") {
		if !strings.Contains(goroutine, "writeGoroutine") {
			continue
		}
		for line := range strings.Lines(goroutine) {
			if strings.HasPrefix(line, "# labels: ") {
				return line
			}
		}
	}
	return ""
}

func TestTheMeterDoesNotAllocate(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	m := newMeter(true)
	n := testing.AllocsPerRun(100, func() {
		m.watch()
		m.enter(update)
		m.enter(renderOneByOne)
		m.leave()
		m.unwatch()
	})
	if n != 0 || m.allocated != 0 {
		t.Errorf("%v allocations, and %d of its own counted; want 0", n, m.allocated)
	}
}

func TestTheMeterGivesEachSystemItsOwnTime(t *testing.T) {
	m := newMeter(false)
	m.enter(update)
	time.Sleep(2 * time.Millisecond)
	m.leave()
	time.Sleep(20 * time.Millisecond)
	m.enter(renderInstances)
	m.leave()
	if got := m.spent[update]; got < 2*time.Millisecond {
		t.Errorf("Update took %v", got)
	}
	if got := m.spent[renderInstances]; got >= 20*time.Millisecond {
		t.Errorf("RenderInstances took %v, which was spent between the systems", got)
	}
	if m.spent[createState] != 0 || m.spent[renderOneByOne] != 0 {
		t.Errorf("systems that did not run took time: %v", m.spent)
	}
}

var sink []byte

func TestTheMeterCountsAllocations(t *testing.T) {
	m := newMeter(true)
	m.watch()
	for range 100 {
		sink = make([]byte, 100)
	}
	m.unwatch()
	for range 1000 {
		sink = make([]byte, 100)
	}
	if m.allocated < 100 || m.allocated > 1000 {
		t.Errorf("counted %d allocations of 100", m.allocated)
	}
}
