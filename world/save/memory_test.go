package save

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWhatIsAllocatedIsBoundedByTheFile loads files that say that they are large, and are not.
func TestWhatIsAllocatedIsBoundedByTheFile(t *testing.T) {
	file := write(t, small(t), smallOptions())
	claim := func(title string, n uint32) func(*header, [][]byte) {
		return func(h *header, parts [][]byte) {
			c := parts[find(h, title)]
			little.PutUint32(c, n)
			for i := range h.parts {
				p, q := &h.parts[i], &h.parts[find(h, title)]
				if p.owner != q.owner || p.of != q.of || p == q || p.per == perByte {
					continue
				}
				p.units = p.per.units(uint64(n), uint64(n))
				p.stored, p.sum = storedZstd, 0
				parts[i] = compress(make([]byte, 1<<16))
			}
		}
	}
	many := func(h *header, _ [][]byte) {
		for i := range maxKinds - len(h.kinds) {
			h.kinds = append(h.kinds, FileKind{Name: fmt.Sprint(i), Mark: true})
		}
	}
	for name, change := range map[string]func(*header, [][]byte){
		"rows of a kind": func(h *header, parts [][]byte) {
			h.kinds[0].Rows = systems.MaxRows
			claim("stone.counters", systems.MaxRows)(h, parts)
		},
		"game objects": func(h *header, parts [][]byte) {
			h.objects = systems.MaxRows
			claim("game objects.counters", systems.MaxRows)(h, parts)
		},
		"kinds": many,
	} {
		b := forged(t, file, change)
		bound := 192<<20 + 64*uint64(len(b))
		for _, counts := range []systems.Counts{smallCounts(), {GameObjects: 1000}} {
			assert.Less(t, allocated(func() {
				_, _, err := Read(bytes.NewReader(b), int64(len(b)), counts, smallOptions())
				require.Error(t, err, name)
			}), bound, name)
		}
		assert.Less(t, allocated(func() {
			v := &File{bytes: b}
			if err := v.check(); err == nil {
				require.Error(t, v.Verify(), name)
			}
		}), bound, name)
	}
}
