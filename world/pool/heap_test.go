//go:build !ecsdebug && !race

package pool_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// TestAPoolTakesLittleHeap: a match that was played, with 100 objects of 3 kinds.
func TestAPoolTakesLittleHeap(t *testing.T) {
	const n, most = 1000, 20_000
	first := match(t)
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	p := newPool(t, first, n)
	rooms := world.Must(p.Fork(nil, first, n))
	require.NoError(t, p.Step(rooms, 2, move))
	each := (heap() - before) / n
	t.Logf("%d bytes of heap each, beside %d of the world", each, len(world.Bytes(first)))
	assert.Less(t, each, most)
	runtime.KeepAlive(rooms)
}
