// Package loop runs a world by a clock, and starts a program step by step.
//
//	clock ──▶ Timed.Frame ──▶ Fixed, 0 to MaxSteps times ──▶ Update, once
//	                            │                              │
//	               Launcher.FixedUpdate                Launcher.Update
//	                            │                              │
//	                 logic → physics                        render
//
// A [Timed] loop gets its clock from the program. A [Launcher] runs the start-up steps, and then
// several lists of systems, its stages, over one [world.State]. They hold times and names, and
// nothing of a world.
//
// By a clock: [Timed], [Timed.Frame], [Timed.Run], [Timed.Start], [Timed.Pause],
// [Timed.StepOnce], [Timed.Stop], [Timed.Fail], [Timed.Err], [Timed.Running], [Timed.Paused],
// [Timed.Dropped]; [Clock], [Await]. Stages: [Launcher], [Launcher.Launch],
// [Launcher.LaunchNext], [Launcher.Ready], [StartUpStep], [Stage].
package loop
