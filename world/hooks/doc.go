// Package hooks runs systems by hooks: functions for the start, for objects that entered, for each
// step, for objects that left, and for the end.
//
//	Root.Init         Init of each, once
//	Root.Update       of each: leave → enter → first update → update, or as Order says
//	Root.DrawGizmos   DrawGizmos of each, into Gizmos
//	Root.Remove       leave → destroy; their watchers are forgotten
//
// A [System] is a set of functions, or a named set of systems; a [Root] calls them in the order in
// which they were added. A [world.Watcher] tells which objects entered and left. A Root holds the
// list of systems, and nothing of a world.
//
// Systems: [System], [System.HasObjects], [Root], [Root.Add], [Root.Init], [Root.Update],
// [Root.DrawGizmos], [Root.Remove], [Root.Clear], [Root.Names], [Root.Watchers]; [Order]:
// [LeaveEnterUpdate], [EnterUpdateLeave]. Lines: [NewGizmos], [Gizmos], [Gizmos.Line],
// [Gizmos.Draw], [LineRenderer].
//
// Errors: [ErrTwice], [ErrAbsent], [ErrLines].
package hooks
