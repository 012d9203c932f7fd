// Package table writes what a lab.Sweep or a lab.Recorder reports as an Arrow IPC stream.
//
//	rows of a sweep ──▶ builders, one per column ──▶ a record batch per 1,024 rows ──▶ io.Writer
//
// The first row says what a column is: int64, uint64, float64, bool or utf8. One without a value
// there is float64, but for the column error, which is utf8. Missing values are null.
//
// Sinks: [New] for a [Stream].
package table
