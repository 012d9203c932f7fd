package buffer

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// spared skips the test where no memory is kept, and begins and ends without any.
func spared(t *testing.T) {
	t.Helper()
	if !keepsSpares || scarce || instrumented || swapped() {
		t.Skip("freed memory is not kept here")
	}
	spares.drop()
	t.Cleanup(func() { spares.drop() })
}

func reservedOf(t *testing.T, n int) *Range {
	t.Helper()
	r, ok := Reserve(n, 0)
	require.True(t, ok)
	require.True(t, r.Mapped())
	return r
}

// TestKeptMemoryIsZeros: after any writes, the next Range of the size has the same memory and only
// zeros in it. Bytes that were never written are not read: if the kernel has no page of zeros,
// reading would take memory, and a Range that is read more than written is not kept.
func TestKeptMemoryIsZeros(t *testing.T) {
	spared(t)
	const n = heapMost + 3*page + 100
	random := rand.New(rand.NewPCG(1, 2))
	reservedOf(t, n+page).Free()
	r := reservedOf(t, n)
	require.Len(t, spares.list, 1, "of another size")
	spares.drop()
	written := []int{n - 1}
	for life := range 20 {
		at := &r.Bytes[0]
		for range 1 + random.IntN(50) {
			written = append(written, random.IntN(n))
		}
		for i, place := range written {
			if i%3 != life%3 {
				r.Bytes[place] = 1
			}
		}
		r.Free()
		require.Len(t, spares.list, 1, "life %d", life)
		r = reservedOf(t, n)
		require.Empty(t, spares.list, "life %d", life)
		require.Same(t, at, &r.Bytes[0], "life %d", life)
		for _, place := range written {
			lo := place &^ (page - 1)
			require.Equal(t, make([]byte, min(page, n-lo)), r.Bytes[lo:min(lo+page, n)])
		}
	}
	r.Free()
}

// TestKeptMemoryIsBounded: in number and in sum; one that alone is more is unmapped.
func TestKeptMemoryIsBounded(t *testing.T) {
	spared(t)
	const n = 80 << 20
	held := func() int {
		spares.Lock()
		defer spares.Unlock()
		sum := 0
		for _, s := range spares.list {
			sum += s.resident
		}
		assert.Equal(t, sum, spares.resident)
		assert.LessOrEqual(t, sum, spareBytes)
		assert.LessOrEqual(t, len(spares.list), spareMost)
		return len(spares.list)
	}
	use := func(written int) *Range {
		r := reservedOf(t, n)
		r.Commit(0, written)
		for i := 0; i < written; i += page {
			r.Bytes[i] = 1
		}
		return r
	}
	for _, c := range []struct{ ranges, written, kept int }{
		{20, page, spareMost},
		{3, spareBytes/2 - page, 2},
		{1, spareBytes + page, 1},
		{1, spareBytes, 1},
	} {
		all := make([]*Range, c.ranges)
		for i := range all {
			all[i] = use(c.written)
		}
		for _, r := range all {
			r.Free()
			held()
		}
		assert.Equal(t, c.kept, held(), "%+v", c)
	}
}

// TestWhatIsOnlyReadIsNotKept: pages that were only read may have memory, which is of no use.
func TestWhatIsOnlyReadIsNotKept(t *testing.T) {
	spared(t)
	const n = 8 << 20
	for written, kept := range map[int]bool{1: false, n / 2: true, n: true} {
		r := reservedOf(t, n)
		sum := 0
		for i := 0; i < n; i += page {
			sum += int(r.Bytes[i])
		}
		for i := 0; i < written; i += page {
			r.Bytes[i] = 1
		}
		r.Free()
		assert.Zero(t, sum)
		assert.Equal(t, kept, spares.drop(), "%d bytes written", written)
	}
}

func TestSeveralKeepMemory(t *testing.T) {
	spared(t)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 50 {
				r, ok := Reserve(heapMost+page<<(i%3), 0)
				if !ok {
					t.Error("no memory")
					return
				}
				at := r.Bytes[(i*7919*page)%heapMost:]
				if at[0] != 0 {
					t.Error("not zero")
				}
				at[0] = byte(g + 1)
				r.Free()
			}
		})
	}
	group.Wait()
}

// TestKeptMemoryIsGivenBack: nothing is left after drop, as where a Range finds no addresses.
func TestKeptMemoryIsGivenBack(t *testing.T) {
	spared(t)
	reservedOf(t, heapMost+page).Free()
	assert.True(t, spares.drop())
	assert.False(t, spares.drop())
	assert.Zero(t, spares.resident)
	const most = min(MaxSize, math.MaxInt)
	_, ok := Reserve(most, most)
	assert.False(t, ok)
}

func TestLimitsOfControlGroups(t *testing.T) {
	for name, c := range map[string]struct {
		groups string
		files  map[string]string
		want   int64
	}{
		"none":              {"", nil, MaxSize},
		"version 2":         {"0::/a/b\n", map[string]string{"a/b/memory.max": "1000\n"}, 1000},
		"without a limit":   {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n"}, MaxSize},
		"of the one above":  {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "70\n"}, 70},
		"in a container":    {"0::/\n", map[string]string{"memory.max": "500\n"}, 500},
		"seen from inside":  {"0::/../x\n", map[string]string{"memory.max": "500\n"}, 500},
		"version 1":         {"3:cpuset:/a\n4:memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "9\n"}, 9},
		"mounted elsewhere": {"4:memory:/docker/id\n", map[string]string{"memory/memory.limit_in_bytes": "9\n"}, 9},
		"others":            {"9:name=systemd:/a\n", map[string]string{"a/memory.max": "9\n"}, MaxSize},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			groups := filepath.Join(dir, "cgroup")
			require.NoError(t, os.WriteFile(groups, []byte(c.groups), 0o600))
			for file, text := range c.files {
				path := filepath.Join(dir, "fs", file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			assert.Equal(t, c.want, groupLimit(groups, filepath.Join(dir, "fs")))
		})
	}
}

func TestThisProgramHasMemory(t *testing.T) {
	addresses, resident := has()
	assert.Positive(t, resident)
	assert.GreaterOrEqual(t, addresses, resident)
	assert.Positive(t, Memory())
}

func TestSizeOfMappings(t *testing.T) {
	require.Equal(t, int64(0x3000), sizeOf("8048000-804a000 r-xp 00000000 fe:00 1 /a-b\n"+
		"40000000-40001000 ---p 00000000 00:00 0\n"))
}
