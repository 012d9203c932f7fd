// Package jsonout prints a value as JSON, piece by piece, without building the text in memory.
//
// [Write] prints an [Object], which [Of] creates from names and values and [Each] from a list.
// Values are float32, slices of float32, integers, and nil, printed as null. The bufio.Writer keeps
// write errors until it is flushed.
package jsonout
