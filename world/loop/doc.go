// Package loop runs a world in step with a clock, and starts a program step by step.
//
//	clock ──▶ Timed.Frame ──▶ Fixed, 0 to MaxSteps times ──▶ Update, once
//	                            │                              │
//	               Launcher.FixedUpdate                Launcher.Update
//	                            │                              │
//	                 logic → physics                        render
//
// A [Timed] loop is handed its clock and reads none itself. A [Launcher] does the steps of a start,
// and then runs several lists of systems, its stages, over one [world.State]. They own times and
// names, and nothing of a world.
//
// By a clock: [Timed], [Timed.Frame], [Timed.Run], [Timed.Start], [Timed.Pause],
// [Timed.StepOnce], [Timed.Stop], [Timed.Fail], [Timed.Err], [Timed.Running], [Timed.Paused],
// [Timed.Dropped]; [Clock], [Await]. Stages: [Launcher], [Launcher.Launch],
// [Launcher.LaunchNext], [Launcher.Ready], [StartUpStep], [Stage].
package loop
