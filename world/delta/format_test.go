package delta_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
)

// shifted returns a world of 200 objects, and the same one with some rows elsewhere.
func shifted(first, end layout.Row) (before, after world.State) {
	before, after = crowd(200)
	after = world.Must(world.Restore(after, taken(before)))
	for row := first; row < end; row++ {
		at := world.GetRow(after, heroes.Position, row)
		at[0], at[1], at[2] = at[0]*1.1, at[1]*1.2, at[2]*1.3
		after = world.SetRow(after, heroes.Position, row, at)
	}
	return before, after
}

// numbers reads numbers of varying length.
type numbers struct{ rest []byte }

func (n *numbers) next(t *testing.T) uint64 {
	t.Helper()
	x, size := binary.Uvarint(n.rest)
	require.Positive(t, size)
	n.rest = n.rest[size:]
	return x
}

// The header of a delta is what the package comment says, and so are single bytes.
func TestLayoutOfSingleBytes(t *testing.T) {
	before, after := shifted(6, 7)
	d := world.Must(delta.Append(nil, before, after))
	le := binary.LittleEndian
	assert.Equal(t, "fldelta\x03", string(d[:8]))
	assert.Equal(t, xxh3.Hash(d[16:]), le.Uint64(d[8:]))
	back := world.Must(delta.Append(nil, after, before))
	assert.Equal(t, d[16:24], back[24:32], "the base of one is the result of the other")
	assert.Equal(t, d[24:32], back[16:24])
	assert.Zero(t, d[32], "no part is used further")

	truth := map[int][]byte{}
	for i, p := range tool.Parts(before) {
		truth[i] = slices.Clone(p.Bytes)
	}
	n, part, position := numbers{d[33:]}, 0, 0
	for len(n.rest) > 0 {
		head := n.next(t)
		require.Equal(t, uint64(1), head&1, "single bytes")
		if head > 1 {
			part, position = part+int(head>>1), 0
		}
		for last := uint64(0); last == 0; position++ {
			gap := n.next(t)
			position += int(gap >> 1)
			truth[part][position] ^= n.rest[0]
			n.rest, last = n.rest[1:], gap&1
		}
	}
	for i, p := range tool.Parts(after) {
		if p.Truth {
			assert.Equal(t, p.Bytes, truth[i], "%s.%s", p.Owner, p.Name)
		}
	}
}

// The record of a chunk is what the package comment says.
func TestLayoutOfChunks(t *testing.T) {
	before, after := shifted(6, 200) // from byte 72 on: in lines 1 to 37 of 38
	d := world.Must(delta.Append(nil, before, after))
	at := slices.IndexFunc(tool.Parts(after), func(p tool.Part) bool { return p.Name == "xyz" })
	n, part := numbers{d[33:]}, 0
	for {
		head := n.next(t)
		if part += int(head >> 1); head&1 == 0 {
			break
		}
		for last := uint64(0); last == 0; n.rest = n.rest[1:] {
			last = n.next(t) & 1
		}
	}
	assert.Equal(t, at, part)
	assert.Zero(t, n.next(t), "chunk 0")
	assert.Equal(t, uint64(37-1), n.next(t), "lines")
	rest := n.rest
	require.Len(t, rest, 3+(int(rest[0])|int(rest[1])<<8|int(rest[2])<<16))
	assert.Equal(t, uint64(1<<38-1<<1), binary.LittleEndian.Uint64(rest[3:]))
	x, y := world.View(before, heroes.Position)[6][1], world.View(after, heroes.Position)[6][1]
	flipped := math.Float32bits(x) ^ math.Float32bits(y)
	methods, rest := binary.LittleEndian.Uint16(rest[11:]), rest[13:]
	assert.Equal(t, uint16(1|1<<2), methods&15, "the planes of the lowest bytes are as they are")
	for k := range 2 {
		assert.Equal(t, byte(flipped>>(8*k)), rest[37*16*k+3], "byte %d of element 3", k)
	}
}
