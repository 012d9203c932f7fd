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

// States of processes, in a word.
const (
	starts   = "starts"
	runs     = "runs"
	restarts = "restarts"
	ended    = "done"
)

// A board has the latest report of each shard.
type board struct {
	scene crowd.Scene // which the maps show

	mu      sync.Mutex
	shards  []report.Report
	earlier []earlier // report of each shard, a second or more ago
}

// An earlier report of a shard, from which its flow is counted.
type earlier struct {
	from, until report.Report
	at          time.Time // of until
}

const flowOver = time.Second // of what flows over borders

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

// put takes the report of a shard, as JSON.
func (b *board) put(i int, text []byte) error {
	var r report.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("shard: report of %d: %w", i, err)
	}
	b.set(i, r)
	return nil
}

// set takes the report of a shard that runs.
func (b *board) set(i int, r report.Report) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.Shard, r.State = i, runs
	b.shards[i] = r
	e := &b.earlier[i]
	if now := time.Now(); r.Stats.Ticks < e.until.Stats.Ticks {
		*e = earlier{until: r, at: now} // another process
	} else if now.Sub(e.at) >= flowOver {
		*e = earlier{from: e.until, until: r, at: now}
	}
}

// state notes what became of a process.
func (b *board) state(i int, word string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards[i].State = word
}

// tick notes how far a shard is.
func (b *board) tick(i int, tick uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards[i].Tick, b.shards[i].State = tick, runs
}

// reports returns the latest ones, with how far each is behind the first.
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

// table returns the lines that show all shards: where their objects are, if there is room, a title,
// and what they do.
func (b *board) table(title string, width, height int, depth terminal.Depth) (lines []tableLine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	const others = 3 // the title, the head, and one free line
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

// flow returns how many objects came and went per tick of late.
func (e *earlier) flow() (in, out float64) {
	ticks := float64(max(e.until.Stats.Ticks-e.from.Stats.Ticks, 1))
	return float64(e.until.Stats.Arrived-e.from.Stats.Arrived) / ticks,
		float64(e.until.Stats.Left-e.from.Stats.Left) / ticks
}
