// Package wire writes and reads the datagrams of package replica: both halves of each format are in
// one place. It does not know worlds, clients, or earlier ticks.
//
// Numbers are little-endian, and v stands for a varint. A server's datagram is a [Head], groups of
// slots of which the same parts are sent, and events:
//
//	checksum 4 │ tick 4 │ sequence 2 │ used 2 │ age, flags, slack, groups 1 each
//	group      │ flags 1 │ mask v │ slots v │ steps to the next slot v… │ keys 3… │ columns
//	events     │ number of the first 2 │ how many 1 │ step 1, type 1, fields …
//
// A client's datagram is an [Up], and inputs of one size:
//
//	checksum 4 │ flags 1 │ schema 8 │ last 2 │ before 4 │ seen 4 │ first 2 │ inputs 1
//
// A [Part] writes the columns of a group from rows of words, in which each value begins at a word:
// lanes of 8 or 16 bits, the bytes of a raw value, or the length of a list and its elements. A
// reference is sent as the slot plus one, so that 0 is nobody.
//
// Input comes from anyone: readers check all bytes, access nothing beyond them, and allocate
// nothing.
//
// # Files
//
// From the top down:
//
//	datagram.go  heads, checksums, the longest record
//	group.go     groups: slots, keys, columns
//	schema.go    the parts, in order
//	event.go     events
//	part.go      values, lists and differences
//	form.go      lanes: numbers of fewer bits
package wire
