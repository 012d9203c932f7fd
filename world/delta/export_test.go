package delta

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Reseal makes every hash in a delta right, whatever else it says: that of its base, of the world
// that it leads from there to, if it leads to any, and of itself.
func Reseal(d []byte, from world.State) {
	if len(d) < headerSize {
		return
	}
	var c Coder
	le := binary.LittleEndian
	copy(d, magic)
	le.PutUint64(d[16:], c.base.world(from))
	if s, ok := c.lead(from, d); ok {
		le.PutUint64(d[24:], c.result.world(s))
	}
	le.PutUint64(d[8:], xxh3.Hash(d[16:]))
}

// lead returns the world that a delta leads to.
func (c *Coder) lead(from world.State, d []byte) (world.State, bool) {
	s := world.Must(world.Clone(from))
	r, ok := c.read(s, d)
	if !ok {
		return s, false
	}
	r.clear(false)
	if _, ok = r.run(-1); !ok || !r.emptied() {
		return s, false
	}
	r.trim(false)
	s, err := tool.Rebuild(s)
	return s, err == nil
}
