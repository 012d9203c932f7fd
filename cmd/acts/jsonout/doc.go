// Package jsonout prints one JSON object on one line, piece by piece, without building it in memory
// and without allocating.
//
// A [Writer] writes names and values in the order they are given: [Writer.Open] and [Writer.Close]
// for an object, [Writer.Name] or [Writer.Index] before each value, then one of [Writer.Int],
// [Writer.Float32], [Writer.Floats] and [Writer.Null]. [Writer.EndLine] ends the line.
//
// Errors stick in the bufio.Writer below, which reports them when it is flushed.
package jsonout
