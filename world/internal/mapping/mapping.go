// Package mapping asks the operating system for memory that several programs see, and for locks
// that end with the program that holds them. Where there is none of it, errors wrap
// [errors.ErrUnsupported].
//
//	file or memory without a name ──Map──▶ bytes, shared or private
//	                              ──Lock─▶ a byte of it, by one writer or several readers
//
// [Memory], [Grow], [Map], [Unmap], [Mode], [Scratch]; [Lock], [Use], [Held]; [Now], [Terminal].
package mapping

// A Mode says how a file is mapped.
type Mode uint8

// Modes.
const (
	Read    Mode = iota // shared, to be read
	Shared              // shared, to be read and written
	Private             // what is written stays in this program
)

// A Use is what a byte is locked for.
type Use uint8

// Uses.
const (
	Free    Use = iota // not any more
	Reading            // with other readers
	Writing            // alone
)
