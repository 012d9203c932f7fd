package delta

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world"
)

const (
	lineSize   = 64       // bytes that change or do not
	chunkSize  = 64 << 10 // bytes that are coded at a time: from, to and scratch fit into a cache
	chunkLines = chunkSize / lineSize
)

// A hasher hashes a world's truth: the used bytes of each part and a hash of each chunk of them.
type hasher []byte

func (h *hasher) add(n uint64) { *h = binary.LittleEndian.AppendUint64(*h, n) }

// world hashes all of a world.
func (h *hasher) world(s world.State) uint64 {
	*h = (*h)[:0]
	parts := world.Parts(s)
	for i := range parts {
		if p := &parts[i]; p.Truth {
			used := world.Used(s, p)
			h.add(uint64(len(used)))
			for ; len(used) > chunkSize; used = used[chunkSize:] {
				h.add(xxh3.Hash(used[:chunkSize]))
			}
			h.add(xxh3.Hash(used))
		}
	}
	return h.sum()
}

func (h *hasher) sum() uint64 { return xxh3.Hash(*h) }

// elementSize returns the bytes of what a part is made of, as far as planes are concerned.
func elementSize(p *world.Part) int {
	if p.Field != nil {
		return p.Field.Size
	}
	for _, size := range []int{8, 4, 2} {
		if p.Unit%size == 0 && (size < 8 || p.Unit == 8) { // larger units are of uint32
			return size
		}
	}
	return 1
}

// reset makes a stretch of a part what it is where it was never used: zeros, or the defaults.
func reset(p *world.Part, from, to int) {
	if from >= to {
		return
	}
	b := p.Bytes[from:to]
	if p.Field == nil {
		clear(b)
		return
	}
	for len(b) > 0 {
		b = b[copy(b, p.Field.Default):]
	}
}
