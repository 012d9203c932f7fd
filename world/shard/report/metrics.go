package report

import (
	"strconv"

	"github.com/flatecs/flatecs/world/inspect"
)

// A figure is one metric, and how it is read from a report.
type figure struct {
	name, kind, unit, help string
	of                     func(r *Report) float64
}

const (
	gauge   = "gauge"
	counter = "counter"
	bytes   = "bytes"
	seconds = "seconds"
)

// figures are all metrics, in the order of their lines. docs/SCALE.md lists them.
var figures = []figure{
	{"tick", gauge, "", "The shard's tick.", func(r *Report) float64 { return float64(r.Tick) }},
	{
		"lag_ticks", gauge, "ticks", "Ticks behind the first of the shards that report.",
		func(r *Report) float64 { return float64(r.Lag) },
	},
	{
		"objects", gauge, "", "Objects of the shard, ghosts aside.",
		func(r *Report) float64 { return float64(r.Objects) },
	},
	{
		"ghosts", gauge, "", "Copies of objects beyond the border.",
		func(r *Report) float64 { return float64(r.Ghosts) },
	},
	{
		"epoch", gauge, "", "Processes that have run the shard, by its lease.",
		func(r *Report) float64 { return float64(r.Epoch) },
	},
	{
		"snapshot_tick", gauge, "", "Tick of the newest snapshot of this process; 0: none.",
		func(r *Report) float64 { return float64(r.SnapshotTick) },
	},
	{
		"snapshot_size_bytes", gauge, bytes, "Size of the newest snapshot of this process.",
		func(r *Report) float64 { return float64(r.SnapshotBytes) },
	},
	{
		"ticks_done", counter, "", "Ticks that this process did.",
		func(r *Report) float64 { return float64(r.Ticks) },
	},
	{
		"arrived", counter, "", "Objects that came from neighbours.",
		func(r *Report) float64 { return float64(r.Arrived) },
	},
	{
		"left", counter, "", "Objects that went to neighbours.",
		func(r *Report) float64 { return float64(r.Left) },
	},
	{
		"sent_bytes", counter, bytes, "Messages to neighbours, without their headers.",
		func(r *Report) float64 { return float64(r.Sent) },
	},
	{
		"received_bytes", counter, bytes, "Messages from neighbours, without their headers.",
		func(r *Report) float64 { return float64(r.Received) },
	},
	{
		"step_seconds", counter, seconds, "Time in the schedule.",
		func(r *Report) float64 { return r.Step.Seconds() },
	},
	{
		"exchange_seconds", counter, seconds, "Time in the rest of ticks.",
		func(r *Report) float64 { return r.Exchange.Seconds() },
	},
	{
		"sending_seconds", counter, seconds, "Of the exchange, until the messages were stored.",
		func(r *Report) float64 { return r.Sending.Seconds() },
	},
	{
		"waiting_seconds", counter, seconds, "Of the exchange, until the neighbours' were there.",
		func(r *Report) float64 { return r.Waiting.Seconds() },
	},
	{
		"snapshots", counter, "", "Snapshots that were stored and read back.",
		func(r *Report) float64 { return float64(r.Snapshots) },
	},
	{
		"snapshots_lost", counter, "", "Snapshots that were given up.",
		func(r *Report) float64 { return float64(r.SnapshotsLost) },
	},
	{
		"snapshot_seconds", counter, seconds, "Time for storing snapshots, beside the steps.",
		func(r *Report) float64 { return r.SnapshotsTaken.Seconds() },
	},
}

// Metrics returns the figures of shards in the terms of OpenMetrics, each with the label shard.
func Metrics(all ...Report) (list []inspect.Metric) {
	for _, f := range figures {
		m := inspect.Metric{
			Name: "flatecs_shard_" + f.name, Type: f.kind, Unit: f.unit, Help: f.help,
		}
		for i := range all {
			s := inspect.Sample{
				Labels: []inspect.Label{{Name: "shard", Value: strconv.Itoa(all[i].Shard)}},
				Value:  f.of(&all[i]),
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
