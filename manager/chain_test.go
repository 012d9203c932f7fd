package manager

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// TestBlocksAtOnceAreBlocksOneByOne changes one manager block by block and another object by object,
// with rows that no slab keeps, and finds the same bytes.
func TestBlocksAtOnceAreBlocksOneByOne(t *testing.T) {
	const objects, rows = 256, 300
	kind := layout.NewKind("chained", layout.NewField[[3]float32]("v"))
	size := sure(Size(kind, rows, objects))
	var memory [2][]byte
	var managers [2]*Manager
	for i := range managers {
		memory[i], _ = buffer.New(size)
		managers[i] = sure(NewIn(memory[i], kind, rows, objects))
	}
	at, by := managers[0], managers[1]
	r := rand.New(rand.NewPCG(8, 15))
	for step := range uint64(8000) {
		*at.tick, *by.tick = step+1, step+1
		block, x := uint32(r.IntN(objects/64)), someObjects(r)
		switch absent := x &^ at.blocks[block].Present; {
		case r.IntN(2) == 0:
			x &^= absent
			at.DropBlock(block, x)
			for ; x != 0; x &= x - 1 {
				by.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
			}
		case absent != 0:
			at.AddBlock(block, absent)
			addEach(t, by, block, absent)
		}
		if !bytes.Equal(memory[0], memory[1]) {
			require.Fail(t, "bytes differ", "after step %d", step)
		}
	}
	require.NoError(t, at.Verify())
}

// someObjects returns objects of a block: one, all, a run, or any.
func someObjects(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return r.Uint64() | r.Uint64()
	case 1:
		return full
	case 2, 3:
		return 1 << r.IntN(64)
	default:
		return full >> r.IntN(64) << r.IntN(64)
	}
}

// addEach adds a component to the objects x of a block, one after the other.
func addEach(t *testing.T, m *Manager, block uint32, x uint64) {
	t.Helper()
	for ; x != 0; x &= x - 1 {
		_ = sure(m.Add(block<<6 + uint32(bits.TrailingZeros64(x))))
	}
}
