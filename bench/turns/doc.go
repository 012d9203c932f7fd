// Package turns has what the measuring commands share: contenders in processes of their own that
// take turns, clocks, statistics, tables and progress.
//
//	command ── a line ──▶ process of a contender
//	        ◀── JSON ────
//
// Processes: [Seat], [Seats], [Serve]. Clocks: [ThreadTime], [ProcessTime], [Wall], [Overhead].
// Statistics: [Median], [Quantile], [Ratio]. Memory: [Resident]. Output: [ThisMachine], [Table],
// [Figure], [Count]. While it goes on: [Progress], [Keep]. Command lines: [Command], [Streams],
// [IsErrand], [Profile].
package turns
