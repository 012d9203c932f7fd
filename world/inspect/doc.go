// Package inspect shows a running world to a browser: a page at /debug/ecs, and the figures behind
// it as JSON. It is off until it is asked for, and looks only, unless Options.Edit lets it edit.
//
//	inspector, err := inspect.New(state, inspect.Options{Clock: clock, Schedule: schedule})
//	go inspector.Serve(ctx, "127.0.0.1:8080")
//	…
//	err = inspector.Publish(state) // after each frame; or inspector.Job() in the schedule
//
// What it shows is always one whole frame. [Inspector.Publish] copies the used bytes of the world
// into one of three slots, in turn, and readers look at the slot that came last and hold it while
// they do; a slot that is held is not written to:
//
//	Publish ──Take──▶ slot 0    slot 1    slot 2
//	                            ▲ latest  ▲ held by a reader
//
// It copies only while somebody looks, at most Options.Rate times a second, and so that copying
// takes at most a hundredth of the time. Beside that a frame costs two readings of the clock,
// and allocates nothing.
//
// A server of [Inspector.Serve] answers this machine only, unless [Options] say otherwise; every
// handler answers GET and HEAD only, but for edits, and only requests that name a host it knows and
// come from no other site. The page needs no network beside it. Paths and fields are described in
// docs/INSPECTOR.md.
//
// For systems that watch programs there is OpenMetrics text at /debug/ecs/metrics: figures of the
// world, of frames and jobs, of what was refused, and those that the program gives as [Sources].
//
// Begin: [New], [Options], [Inspector]. Each frame: [Inspector.Publish], [Inspector.Job]; what a
// call refused: [Inspector.Refused]; what the page changes: [Inspector.Edit]. Metrics: [Sources],
// [Inspector.Metrics], [Metric], [Sample], [Label]; for expvar, [Inspector.Var]. Serve:
// [Inspector.Handler], [Inspector.Listen], [Inspector.Serve], [Inspector.ServeListener]. Other
// pages, served to the same readers: [Guard]. Errors: [ErrClock], [ErrAddress], [ErrRemote].
package inspect
