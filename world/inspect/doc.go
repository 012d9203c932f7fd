// Package inspect shows a running world in a browser: a page at /debug/ecs, and its data as JSON.
// It is off by default, and read-only unless Options.Edit lets it edit.
//
//	inspector, err := inspect.New(state, inspect.Options{Clock: clock, Schedule: schedule})
//	go inspector.Serve(ctx, "127.0.0.1:8080")
//	…
//	err = inspector.Publish(state) // after each frame; or inspector.Job() in the schedule
//
// The page always shows one whole frame. [Inspector.Publish] copies the used bytes of the world
// into one of three slots, in turn. Readers use the latest slot and hold it while they read; a held
// slot is not overwritten:
//
//	Publish ──Take──▶ slot 0    slot 1    slot 2
//	                            ▲ latest  ▲ held by a reader
//
// It copies only while a page is open, at most Options.Rate times a second, and spends at most a
// hundredth of the time on copying. Otherwise a frame costs two readings of the clock, and does not
// allocate.
//
// A server of [Inspector.Serve] answers this machine only, unless [Options] say otherwise. Every
// handler answers only GET and HEAD requests, apart from edits and time, that name a known host and
// do not come from another site. The page loads nothing from the network. Paths and fields are
// described in docs/INSPECTOR.md.
//
// For systems that watch programs there is OpenMetrics text at /debug/ecs/metrics: figures of the
// world, of frames and jobs, of what was refused, and those that the program gives as [Sources].
//
// With a [Past], such as a timeline, the page has a slider over its frames: it pauses the program,
// has it take steps, opens any frame while the program goes on, and has it go back to one. It
// compares frames and futures, charts a value, and tells which job wrote it. All of that is done
// between two steps, by the goroutine that takes them, where the program calls [Inspector.Turn]:
//
//	requests ──ask──▶ Turn: At(frame) ──Take──▶ moment     moment     moment     moment
//	                    │                       ▲ held by readers, or used longest ago
//	                    ▼ steps to take
//
// Simulations: the page draws a [Model], such as reporters of package lab, and shows numbers of
// resources as [Control]s. Servers: it says what each client may see.
//
// Start: [New], [Options], [Inspector]. Each frame: [Inspector.Publish], [Inspector.Job]; what a
// call refused: [Inspector.Refused]; what the page changes: [Inspector.Edit]. Time: [Past],
// [Inspector.Turn], [Inspector.Input]. Metrics: [Sources],
// [Inspector.Metrics], [Metric], [Sample], [Label], [ServeMetrics]; for expvar, [Inspector.Var].
// Serve: [Inspector.Handler], [Inspector.Listen], [Inspector.Serve], [Inspector.ServeListener].
// Other pages behind the same checks: [Guard]. Errors: [ErrClock], [ErrControl],
// [ErrAddress], [ErrRemote].
//
// # Decisions
//
// The world is copied because a page that reads live bytes sees half a step. Three slots suffice:
// one came last, one may still be read, one is written. A model is read in such a copy, by
// the page's request, so that it does not slow the steps; the page keeps the lines, which begin
// when it is opened.
// The past is asked by the goroutine that steps the world, since steps taken again use its
// schedule; the copy in a moment lets readers take their time. Four moments suffice for two readers
// of two. Bounds of controls are options and not tags of fields, since one model may be shown with
// different bounds.
package inspect
