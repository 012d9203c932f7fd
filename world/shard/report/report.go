package report

import (
	"log/slog"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
)

// A Report is what is said of a shard. It can be sent as JSON.
type Report struct {
	Shard     int
	Region    string `json:",omitempty"` // in words
	State     string `json:",omitempty"` // in a word, such as "runs" or "restarts"
	Tick      uint64
	Lag       uint64 // ticks behind the first of the shards
	Objects   int    // ghosts aside
	Inspector string `json:",omitempty"` // URL of the page of its world, if there is one
	shard.Stats
}

// present are all objects of a world that are no ghosts.
var present = world.NewQuery(world.Without(shard.Ghost))

// Of returns the report of a shard, between two steps. It belongs to the shard's goroutine.
func Of(i int, s *shard.Shard) Report {
	return Report{
		Shard: i, Tick: s.Tick(), Objects: present.Count(s.State()), Stats: s.Stats(),
	}
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
