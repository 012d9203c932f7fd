// Package report shows how shards do: as metrics, and as one page with all shards of a simulation.
//
//	r := report.Of(i, s)                                  // after a tick of shard i
//	page := report.Handler(report.Options{Name: "crowd", Reports: reports})
//	err := guard.Serve(ctx, listener, page)               // of report.Guard
//
// The page is at /debug/shards, its data as JSON at /debug/shards/api, and OpenMetrics text at
// /debug/shards/metrics. It draws reports that have a [Map], a colour per shard. [Guard] has the
// checks of package inspect: loopback alone, no requests of other sites, nothing but reading; with
// Options.Kill also posts to /debug/shards/kill?shard=N. A program that has an inspector gives it
// the same metrics:
//
//	Sources: inspect.Sources{Others: func() []inspect.Metric { return report.Metrics(r) }}
//
// docs/SCALE.md lists the metrics.
//
// Reports: [Of] a shard, [Report], [Map]; [Metrics] of some. Page: [Handler], [Options], [Guard].
package report
