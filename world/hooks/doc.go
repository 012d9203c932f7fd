// Package hooks runs systems that have a life: they begin, hear which objects came, update, hear
// which objects went, and end.
//
//	Root.Init         Init of each, once
//	Root.Update       of each: leave → enter → first update → update, or as Order says
//	Root.DrawGizmos   DrawGizmos of each, into Gizmos
//	Root.Remove       leave → destroy; their watchers are forgotten
//
// A [System] is a set of functions, or a named set of systems; a [Root] calls them in the order in
// which they were added. Who came and who went is read from a [world.Watcher]. A Root owns which
// systems there are, and nothing of a world.
//
// Systems: [System], [System.HasObjects], [Root], [Root.Add], [Root.Init], [Root.Update],
// [Root.DrawGizmos], [Root.Remove], [Root.Clear], [Root.Names], [Root.Watchers]; [Order]:
// [LeaveEnterUpdate], [EnterUpdateLeave]. Lines: [NewGizmos], [Gizmos], [Gizmos.Line],
// [Gizmos.Draw], [LineRenderer].
//
// Errors: [ErrTwice], [ErrAbsent], [ErrLines].
package hooks
