package report

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/shard"
)

// A Report is the state of a shard. It can be encoded as JSON.
type Report struct {
	Shard     int
	Region    string `json:",omitempty"` // as [Region] describes it
	State     string `json:",omitempty"` // one word, such as "runs" or "restarts"
	Tick      uint64
	Lag       uint64 // ticks behind the fastest shard
	Objects   int    // without ghosts
	Inspector string `json:",omitempty"` // URL of the inspector of its world, if any
	Map       *Map   `json:",omitempty"` // positions of its objects, if they are counted
	Stats     shard.Stats
}

// A Map is a picture of a shard's objects. All maps of a simulation have the same size.
type Map struct {
	Width  int      // cells per row
	Counts []uint16 // objects per cell, without ghosts, row by row from the least y
}

// Of returns the report of a shard, between two steps. It belongs to the shard's goroutine.
func Of(i int, s *shard.Shard) Report {
	p, stats := s.Partition(), s.Stats()
	return Report{
		Shard: i, Region: Region(&p, i), Tick: s.Tick(),
		Objects: world.Len(s.State()) - stats.Ghosts, Stats: stats,
	}
}

// Region describes the region of a shard, for example as "x 100 to 200": "everywhere" if there is
// only one region, "nowhere" for an empty region, and "" if neither Strips nor Grid returned the
// partition.
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
	s := &r.Stats
	ticks := time.Duration(max(s.Ticks, 1))
	return slog.GroupValue(
		slog.Int("shard", r.Shard), slog.Uint64("tick", r.Tick), slog.Int("objects", r.Objects),
		slog.Int("ghosts", s.Ghosts), slog.Int("arrived", s.Arrived), slog.Int("left", s.Left),
		slog.Duration("step", s.Step/ticks), slog.Duration("exchange", s.Exchange/ticks),
		slog.Uint64("snapshot", s.SnapshotTick))
}

// A figure is one metric of a report.
type figure struct {
	name, kind, unit, help string
	value                  float64
}

const (
	gauge   = "gauge"
	counter = "counter"
	bytes   = "bytes"
	seconds = "seconds"
)

// figuresOf returns all metrics of a report, in the order of their lines; docs/SCALE.md lists them.
func figuresOf(r *Report) []figure {
	s := &r.Stats
	return []figure{
		{"tick", gauge, "", "The shard's tick.", float64(r.Tick)},
		{
			"lag_ticks", gauge, "ticks", "Ticks behind the first of the shards that report.",
			float64(r.Lag),
		},
		{"objects", gauge, "", "Objects of the shard, ghosts aside.", float64(r.Objects)},
		{"ghosts", gauge, "", "Copies of objects beyond the border.", float64(s.Ghosts)},
		{"epoch", gauge, "", "Processes that have run the shard, by its lease.", float64(s.Epoch)},
		{
			"snapshot_tick", gauge, "", "Tick of the newest snapshot of this process; 0: none.",
			float64(s.SnapshotTick),
		},
		{
			"snapshot_size_bytes", gauge, bytes, "Size of the newest snapshot of this process.",
			float64(s.SnapshotBytes),
		},
		{"ticks_done", counter, "", "Ticks that this process did.", float64(s.Ticks)},
		{"arrived", counter, "", "Objects that came from neighbours.", float64(s.Arrived)},
		{"left", counter, "", "Objects that went to neighbours.", float64(s.Left)},
		{
			"sent_bytes", counter, bytes, "Messages to neighbours, without their headers.",
			float64(s.Sent),
		},
		{
			"received_bytes", counter, bytes, "Messages from neighbours, without their headers.",
			float64(s.Received),
		},
		{"step_seconds", counter, seconds, "Time in the schedule.", s.Step.Seconds()},
		{"exchange_seconds", counter, seconds, "Time in the rest of ticks.", s.Exchange.Seconds()},
		{
			"sending_seconds", counter, seconds, "Of the exchange, until the messages were stored.",
			s.Sending.Seconds(),
		},
		{
			"waiting_seconds", counter, seconds,
			"Of the exchange, until the neighbours' were there.", s.Waiting.Seconds(),
		},
		{
			"snapshots", counter, "", "Snapshots that were stored and read back.",
			float64(s.Snapshots),
		},
		{"snapshots_lost", counter, "", "Snapshots that were given up.", float64(s.SnapshotsLost)},
		{
			"snapshot_seconds", counter, seconds, "Time for storing snapshots, beside the steps.",
			s.SnapshotsTaken.Seconds(),
		},
	}
}

// Metrics returns the metrics of shards, each sample with the label shard.
func Metrics(all ...Report) (list []inspect.Metric) {
	for n, f := range figuresOf(&Report{}) {
		m := inspect.Metric{
			Name: "flatecs_shard_" + f.name, Type: f.kind, Unit: f.unit, Help: f.help,
		}
		for i := range all {
			s := inspect.Sample{
				Labels: []inspect.Label{{Name: "shard", Value: strconv.Itoa(all[i].Shard)}},
				Value:  figuresOf(&all[i])[n].value,
			}
			if f.kind == counter {
				s.Suffix = "_total"
			}
			m.Samples = append(m.Samples, s)
		}
		list = append(list, m)
	}
	return list
}
