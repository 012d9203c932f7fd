// Package schedule runs systems by name. Several modules add jobs to the same pipelines, and jobs
// that cannot interfere run in parallel on several goroutines.
//
//	pipeline "step"
//	  all (concat)          a group: its elements one after the other
//	    move (merge)        a group: its elements in parallel
//	      fall              a job: a system, and the queries that it walks
//	      expire
//	    apply, alone        a job that may do anything
//
// A [Schedule] holds names, times and goroutines of the program, and no data of a world. It refuses
// to run two jobs in parallel if one writes a field that the other one uses. The bytes of a world
// are the same for any number of goroutines. Each phase is one tick.
//
// Run: [New], [Schedule], [Schedule.Register], [Schedule.Run],
// [Schedule.Close]. Parts: [Pipeline], [Group], [Link]: [Concat], [Merge]; [Job], [Insert].
// Look: [Schedule.String], [Schedule.DOT], [Schedule.Times], [Schedule.AppendTimes], [JobTime].
// For jobs with tasks of their own, and to let goroutines poll for work before they sleep:
// [Schedule.Workers].
//
// Errors: [ErrNoPipeline], [ErrNoElement], [ErrUnplaced], [ErrPlacedTwice], [ErrCycle], [ErrJob],
// [ErrJobTwice], [ErrGroupTwice], [ErrNoGroup], [ErrInsert], [ErrSideBySide].
package schedule
