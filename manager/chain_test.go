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
	size, err := Size(kind, rows, objects)
	require.NoError(t, err)
	var memory [2][]byte
	var managers [2]*Manager
	for i := range managers {
		memory[i], _ = buffer.New(size)
		managers[i], err = View(memory[i], kind, rows, objects)
		require.NoError(t, err)
		managers[i].Fill()
	}
	at, by := managers[0], managers[1]
	r := rand.New(rand.NewPCG(8, 15))
	for step := range 3000 {
		*at.tick, *by.tick = uint64(step), uint64(step)
		block := uint32(r.IntN(objects / 64))
		x := r.Uint64() | r.Uint64()
		if r.IntN(3) == 0 {
			x = full
		}
		if r.IntN(8) == 0 {
			x = 1 << r.IntN(64)
		}
		if present := at.Blocks[block].Present; r.IntN(2) == 0 {
			if x &^= present; x != 0 {
				at.AddBlock(block, x)
			}
			for ; x != 0; x &= x - 1 {
				_, err := by.Add(block<<6 + uint32(bits.TrailingZeros64(x)))
				require.NoError(t, err)
			}
		} else {
			x &= present
			at.DropBlock(block, x)
			for ; x != 0; x &= x - 1 {
				by.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
			}
		}
		if !bytes.Equal(memory[0], memory[1]) {
			require.Fail(t, "bytes differ", "after step %d", step)
		}
	}
	require.NoError(t, at.Verify())
}
