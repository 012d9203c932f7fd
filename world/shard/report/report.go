package report

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
)

// A Report is what is said of a shard. It can be sent as JSON.
type Report struct {
	Shard     int
	Region    string `json:",omitempty"` // in words, as [Region] says it
	State     string `json:",omitempty"` // in a word, such as "runs" or "restarts"
	Tick      uint64
	Lag       uint64 // ticks behind the first of the shards
	Objects   int    // ghosts aside
	Inspector string `json:",omitempty"` // URL of the page of its world, if there is one
	Map       *Map   `json:",omitempty"` // where its objects are, if they are counted
	shard.Stats
}

// A Map is a picture of a shard's objects. All shards of a simulation have maps of one size.
type Map struct {
	Width  int      // cells per row
	Counts []uint16 // objects of each cell, ghosts aside, row by row from the least y
}

// Of returns the report of a shard, between two steps. It belongs to the shard's goroutine.
func Of(i int, s *shard.Shard) Report {
	p, stats := s.Partition(), s.Stats()
	return Report{
		Shard: i, Region: Region(&p, i), Tick: s.Tick(),
		Objects: world.Len(s.State()) - stats.Ghosts, Stats: stats,
	}
}

// Region returns the region of a shard in words, such as "x 100 to 200": "everywhere" if there is
// only one, "nowhere" if it has no width, and "" if the partition is not of Strips or Grid.
func Region(p *shard.Partition, i int) string {
	low, high, ok := p.Region(i)
	if !ok {
		return ""
	}
	var words []string
	for k, axis := range []string{"x", "y"} {
		l, h := float64(low[k]), float64(high[k])
		switch {
		case l == h:
			return "nowhere"
		case math.IsInf(l, 0) && math.IsInf(h, 0):
		case math.IsInf(l, 0):
			words = append(words, fmt.Sprintf("%s below %.0f", axis, h))
		case math.IsInf(h, 0):
			words = append(words, fmt.Sprintf("%s from %.0f", axis, l))
		default:
			words = append(words, fmt.Sprintf("%s %.0f to %.0f", axis, l, h))
		}
	}
	return cmp.Or(strings.Join(words, ", "), "everywhere")
}

// LogValue returns the figures for package slog.
func (r Report) LogValue() slog.Value {
	ticks := time.Duration(max(r.Ticks, 1))
	return slog.GroupValue(
		slog.Int("shard", r.Shard), slog.Uint64("tick", r.Tick), slog.Int("objects", r.Objects),
		slog.Int("ghosts", r.Ghosts), slog.Int("arrived", r.Arrived), slog.Int("left", r.Left),
		slog.Duration("step", r.Step/ticks), slog.Duration("exchange", r.Exchange/ticks),
		slog.Uint64("snapshot", r.SnapshotTick))
}
