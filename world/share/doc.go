// Package share shows a running world to other programs on the same machine. A [Publisher] copies
// the world into one of several slots of a mapped file; a [Reader] in another program pins the
// latest slot and reads it in place. docs/FORMAT.md describes the bytes, and has readers in Python
// and C.
//
// Readers pin a slot by a lock that is released when they end, also when killed; the publisher
// skips pinned slots, and the latest. With two slots more than readers, it always finds a slot, and
// never waits. Programs that cannot lock copy what they need, and check that the slot's number is
// the same and even before and after.
//
// Readers trust the bytes: use it between programs of the same user. Truncating the file crashes
// readers. [Publish] asks that the disk has room for what the world has in use then; the rest takes
// room as it is first written. If others fill the disk meanwhile, the kernel ends the publisher by
// a signal (SIGBUS) in [Publisher.Offer]: leave room there, in /dev/shm also for other programs. On
// hosts other than Linux, errors wrap [errors.ErrUnsupported].
//
// Write: [Publish], [Options], [Publisher]: [Publisher.Offer], [Publisher.Counts],
// [Publisher.Close]. Read: [Open], [OpenAny], [Reader]: [Reader.Pin], [Reader.Writing],
// [Reader.Close]; [Frame]: [Frame.State], [Frame.Number], [Frame.Unpin]. Errors: [ErrFormat],
// [ErrPinned], [ErrNone].
//
// # Decisions
//
// Readers lock slots rather than increment a counter, because the count of a killed reader would
// pin a slot for ever. Locks belong to open files, not to processes, since one program may have
// several readers.
package share
