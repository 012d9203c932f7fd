// Package jsonout prints a value as JSON, piece by piece, without building the text in memory.
//
// [Write] prints an [Object], which [Of] makes of names and values and [Each] of a list; float32
// and slices of them; integers; and nil as null. Errors stick in the bufio.Writer below, which
// reports them when it is flushed.
package jsonout
