// Package report shows the state of shards: as metrics, and as one page for all shards of a
// simulation.
//
//	r := report.Of(i, s)                                  // after a tick of shard i
//	page := report.Handler(report.Options{Name: "crowd", Reports: reports})
//	err := guard.Serve(ctx, listener, page)               // of report.Guard
//
// The page is at /debug/shards, its data as JSON at /debug/shards/api, and OpenMetrics text at
// /debug/shards/metrics. It draws the reports that have a [Map], with one colour per shard. [Guard]
// returns the checks of package inspect: only loopback, only read requests, and none from other
// sites; Options.Kill also allows posts to /debug/shards/kill?shard=N. A program with an inspector
// gives it the same metrics:
//
//	Sources: inspect.Sources{Others: func() []inspect.Metric { return report.Metrics(r) }}
//
// docs/SCALE.md lists the metrics.
//
// Reports: [Of] a shard, [Report], [Map]; [Metrics] of some. Page: [Handler], [Options], [Guard].
package report
