// Package table writes the table of a lab.Sweep or a lab.Recorder as an Arrow IPC stream.
//
//	rows of a sweep ──▶ builders, one per column ──▶ a record batch per 1,024 rows ──▶ io.Writer
//
// The first row determines the type of each column: int64, uint64, float64, bool or utf8. A column
// without a value in the first row is float64, except the column error, which is utf8. Missing
// values are null.
//
// Sinks: [New] for a [Stream].
package table
