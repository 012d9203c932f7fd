// Package stage runs a world in the forms that games know: systems with functions for each event of
// their objects, start-up steps followed by stages, and frames by a clock.
//
//	clock ──▶ Timed.Frame ──▶ Fixed, 0 to MaxSteps times ──▶ Update, once
//	                            │                              │
//	               Launcher.FixedUpdate                Launcher.Update
//	                            │                              │
//	                 logic → physics                        render     each Stage, such as a Root
//
//	Root.Init         Init of each System, once
//	Root.Update       of each: leave → enter → first update → update, or as Order says
//	Root.DrawGizmos   DrawGizmos of each, into Gizmos
//	Root.Remove       leave → destroy; their watchers are forgotten
//
// Each of them works without the others, and calls its elements in the order of its list. They hold
// names, times and functions, and no data of a world.
//
// Systems: [System], [System.HasObjects], [Root], [Root.Add], [Root.Init], [Root.Update],
// [Root.DrawGizmos], [Root.Remove], [Root.Clear], [Root.Names], [Root.Watchers]; [Order]:
// [LeaveEnterUpdate], [EnterUpdateLeave]. Lines: [NewGizmos], [Gizmos], [Gizmos.Line],
// [Gizmos.Draw], [LineRenderer].
//
// Stages: [Launcher], [Launcher.Launch], [Launcher.LaunchNext], [Launcher.Ready], [StartUpStep],
// [Stage]. By a clock: [Timed], [Timed.Frame], [Timed.Start], [Timed.Pause], [Timed.StepOnce],
// [Timed.Stop], [Timed.Running], [Timed.Paused], [Timed.Dropped]; [Clock].
//
// Changes, each seen once: [NewSeen], [Seen], [Seen.Kind], [Seen.Look].
//
// Errors: [ErrTwice], [ErrAbsent], [ErrLines].
package stage
