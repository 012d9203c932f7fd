package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/shard/crowd"
	"github.com/flatecs/flatecs/world/shard/report"
)

// States of processes, as one word each.
const (
	starts   = "starts"
	runs     = "runs"
	restarts = "restarts"
	ended    = "done"
)

// A board stores the latest report of each shard.
type board struct {
	scene crowd.Scene // the scene of the maps

	mu      sync.Mutex
	shards  []report.Report
	earlier []earlier // per shard: a report from a second or more ago
}

// An earlier is an earlier report of a shard, from which its flow is computed.
type earlier struct {
	from, until report.Report
	at          time.Time // of until
}

const flowOver = time.Second // interval for measuring the flow over borders

func newBoard(f *simulation) *board {
	p := f.partition()
	b := &board{
		scene: f.crowd(), shards: make([]report.Report, f.Shards),
		earlier: make([]earlier, f.Shards),
	}
	for i := range b.shards {
		b.shards[i] = report.Report{Shard: i, Region: report.Region(&p, i), State: starts}
	}
	return b
}

// put stores the report of a shard, given as JSON.
func (b *board) put(i int, text []byte) error {
	var r report.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("shard: report of %d: %w", i, err)
	}
	b.set(i, r)
	return nil
}

// set stores the report of a running shard.
func (b *board) set(i int, r report.Report) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.Shard, r.State = i, runs
	b.shards[i] = r
	e := &b.earlier[i]
	if now := time.Now(); r.Stats.Ticks < e.until.Stats.Ticks {
		*e = earlier{until: r, at: now} // a new process
	} else if now.Sub(e.at) >= flowOver {
		*e = earlier{from: e.until, until: r, at: now}
	}
}

// state stores the state of a process.
func (b *board) state(i int, word string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards[i].State = word
}

// tick stores the tick of a shard.
func (b *board) tick(i int, tick uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards[i].Tick, b.shards[i].State = tick, runs
}

// reports returns the latest reports, each with its lag behind the fastest shard.
func (b *board) reports() []report.Report {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest()
}

func (b *board) latest() []report.Report {
	all := append([]report.Report(nil), b.shards...)
	first := uint64(0)
	for _, r := range all {
		first = max(first, r.Tick)
	}
	for i := range all {
		all[i].Lag = first - all[i].Tick
	}
	return all
}

// table returns the lines of the display: a map of the objects if there is room, a title, and one
// line per shard.
func (b *board) table(title string, width, height int, depth terminal.Depth) (lines []tableLine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	const others = 3 // lines: the title, the head, and a free line
	for _, text := range picture(b.shards, width-1, height-others-len(b.shards), depth) {
		lines = append(lines, tableLine{text: text, painted: true})
	}
	lines = append(
		lines, tableLine{text: title},
		tableLine{text: fmt.Sprintf("%5s  %-18s %8s %8s %8s %8s %5s  %s",
			"shard", "region", "tick", "objects", "in/tick", "out/tick", "lag", "state")},
	)
	for i, r := range b.latest() {
		in, out := b.earlier[i].flow()
		lines = append(lines, tableLine{
			text: fmt.Sprintf("%5d  %-18s %8d %8d %8.1f %8.1f %5d  %s",
				i, r.Region, r.Tick, r.Objects, in, out, r.Lag, r.State),
			red: r.State == restarts,
		})
	}
	return lines
}

// flow returns the recent numbers of objects that came and left per tick.
func (e *earlier) flow() (in, out float64) {
	ticks := float64(max(e.until.Stats.Ticks-e.from.Stats.Ticks, 1))
	return float64(e.until.Stats.Arrived-e.from.Stats.Arrived) / ticks,
		float64(e.until.Stats.Left-e.from.Stats.Left) / ticks
}
