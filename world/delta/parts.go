package delta

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	lineSize   = 64       // unit of change
	chunkSize  = 64 << 10 // unit of coding: from, to and scratch fit into a cache
	chunkLines = chunkSize / lineSize
)

// A hasher hashes a world's truth: the used bytes of each part and a hash of each chunk of them.
type hasher []byte

func (h *hasher) add(n uint64) { *h = binary.LittleEndian.AppendUint64(*h, n) }

// world hashes a whole world.
func (h *hasher) world(s world.State) uint64 {
	*h = (*h)[:0]
	parts := tool.Parts(s)
	for i := range parts {
		if p := &parts[i]; p.Truth {
			used := tool.Used(s, p)
			h.add(uint64(len(used)))
			for ; len(used) > chunkSize; used = used[chunkSize:] {
				h.add(xxh3.Hash(used[:chunkSize]))
			}
			h.add(xxh3.Hash(used))
		}
	}
	return h.sum(systems.ArenaOf(s).Names())
}

func (h *hasher) sum(names uint64) uint64 { return xxh3.HashSeed(*h, names) }

// prefilled reports whether unused bytes of a part are not zero.
func prefilled(p *tool.Part) bool { return p.Field != nil && !p.Free }

// reset sets zeroed bytes of a part to their initial state: zeros, or the defaults in a column of a
// counted kind.
func reset(p *tool.Part, from, to int) {
	if from >= to || !prefilled(p) {
		return
	}
	for b := p.Bytes[from:to]; len(b) > 0; {
		b = b[copy(b, p.Field.Default):]
	}
}
