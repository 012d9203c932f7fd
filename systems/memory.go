package systems

import "github.com/flatecs/flatecs/buffer"

// Memory returns the bytes that this program may take: what the machine has in memory and swap, or
// less where a limit is set. A world of more is refused with [ErrMemory].
func Memory() int64 { return buffer.Memory() }
