// Package share shows a world to other programs on the same machine, while it is played. A
// [Publisher] copies it into one of several slots of a mapped file, or of memory without a name; a
// [Reader] in another program pins the latest slot and looks at it in place.
//
//	head    magic, slots, latest; of each slot the number of its frame, odd while it is written
//	slot 0  a world's memory, as package memory makes it
//	slot 1  …
//
// Readers pin a slot by a lock that ends with them, however they end; the publisher skips pinned
// slots, and the latest. With two slots more than there are readers, it finds one each time, and
// waits for nobody. Programs that cannot lock copy what they need, and check that the slot's number
// is the same and even before and after. docs/FORMAT.md has the bytes, and readers in Python and C.
//
// Readers believe what they see: it is for programs of the same user. A file that somebody
// truncates crashes them; memory without a name cannot be truncated. It is for Linux: elsewhere
// errors wrap [errors.ErrUnsupported].
//
// Show: [Publish], [PublishMemory], [Options], [Publisher]: [Publisher.Offer], [Publisher.File],
// [Publisher.Counts], [Publisher.Close]. Look: [Open], [OpenAny], [OpenFile], [Reader]:
// [Reader.Pin], [Reader.Latest], [Reader.Head], [Reader.Writing], [Reader.Close]; [Frame]:
// [Frame.State], [Frame.Number], [Frame.Unpin]. Errors: [ErrFormat], [ErrPinned], [ErrNone].
//
// # Decisions
//
// Readers lock slots rather than count themselves, because a count that a killed reader leaves
// behind pins a slot for ever. Locks are of open files, not of processes, since one program may
// have several readers.
package share
