// Package inspect shows a running world in a browser: a page at /debug/ecs, and its data as JSON.
// It is off by default, and read-only without [Options.Edit].
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
// It copies only while a page is open, at most [Options.Rate] times a second, and for at most a
// hundredth of the time. Otherwise a frame costs two readings of the clock, and no allocation.
//
// [Inspector.Serve] answers this machine only, unless [Options.Remote] is set. Handlers answer only
// GET and HEAD requests, except for edits and control of time, and only if they name a known host
// and do not come from another site. The page loads nothing from the network. docs/INSPECTOR.md
// describes paths and fields.
//
// For assistants, package mcp provides the answers as text, at /debug/ecs/mcp; docs/ASSISTANTS.md
// shows them.
//
// For monitoring systems, OpenMetrics text is at /debug/ecs/metrics: figures of the world, frames,
// jobs and refusals, and the program's [Sources].
//
// With a [Past], such as a timeline, the page has a slider over its frames: it pauses and steps the
// program, opens any frame while the program runs, and goes back to one. It compares frames and
// futures, charts a value, and names the job that wrote it. The goroutine that steps the world does
// all of this between two steps, in [Inspector.Turn]:
//
//	requests ──ask──▶ Turn: At(frame) ──Take──▶ moment     moment     moment     moment
//	                    │                       ▲ held by readers, or used longest ago
//	                    ▼ steps to take
//
// For simulations, the page draws a [Model], such as reporters of package lab, and shows numbers of
// resources as controls; see [Control]. For servers, it shows what each client may see.
//
// Start: [New], [Options], [Inspector]. Each frame: [Inspector.Publish], [Inspector.Job]; refusals:
// [Inspector.Refused]; edits: [Inspector.Edit]. Time: [Past], [Inspector.Turn], [Inspector.Input].
// Metrics: [Sources], [Inspector.Metrics], [Metric], [Sample], [Label], [ServeMetrics]; for expvar,
// [Inspector.Var]. When jobs ran: [Trace]. Serve: [Inspector.Handler], [Inspector.Listen],
// [Inspector.Serve], [Inspector.ServeListener]. Other pages behind the same checks: [Guard].
// Errors: [ErrClock], [ErrControl], [ErrAddress], [ErrRemote].
//
// # Files
//
// From the program's calls down:
//
//	inspect.go    what a program calls        site.go     paths, and the page
//	guard.go      pages of other sites        profiles.go Go's profiles
//	events.go     streams of answers          model.go    plots, picture, clients
//	column.go     raw bytes of a field        edit.go     edits that a page requests
//	control.go    resources, and their bounds chart.go    a value over frames
//	why.go        writers of a value          diff.go     differences of two moments
//	hunt.go       hunts beside the world      trace.go    when jobs ran
//	time.go       pause, speed, going back    past.go     recorded frames, open copies
//	asks.go       waiting for the world       overview.go the world at a glance
//	metrics.go    OpenMetrics                 times.go    how long frames and jobs took
//	refused.go    counts of refusals          frames.go   publishing
//	objects.go    objects, and trees          rows.go     rows of a kind
//	query.go      search by names and values  named.go    names in requests
//	view.go       a held copy; its slots      kinds.go    kinds and columns of a copy
//	value.go      values in JSON              answer.go   answers, refusals, pages of lists
//
// # Decisions
//
// The world is copied because a page that read live bytes would see half a step. Three slots
// suffice: the latest, one that is still read, and one that is written. Requests of the page read a
// Model from such a copy, so that it does not slow the steps; the page keeps the lines, which begin
// when it is opened. The goroutine that steps the world reads the Past, since repeated steps use
// its schedule; a moment is a copy, so that readers do not delay steps. Four moments suffice for
// two readers of two. Bounds of controls are options rather than tags of fields, since one model
// may be shown with different bounds.
package inspect
