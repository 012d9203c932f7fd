//go:build !race && amd64

package systems

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// resident returns how many bytes of memory the program has that are of no file. The sum over its
// mappings is exact, where the kernel has it; what status says is counted late, thread by thread.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	for _, from := range [][2]string{
		{"/proc/self/smaps_rollup", "Anonymous: %d kB"}, {"/proc/self/status", "RssAnon: %d kB"},
	} {
		text, err := os.ReadFile(from[0])
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(text)) {
			var n int
			if _, err := fmt.Sscanf(l, from[1], &n); err == nil {
				return n << 10
			}
		}
	}
	t.Fatal("this kernel does not tell how much memory a program has")
	return 0
}

// mappings returns how many stretches of addresses the program has.
func mappings(t *testing.T) int {
	t.Helper()
	return strings.Count(string(sure(os.ReadFile("/proc/self/maps"))), "\n")
}

// tenKinds are kinds with one field each, whose default is not zero.
func tenKinds() []layout.Countable {
	kinds := make([]layout.Countable, 10)
	for i := range kinds {
		kinds[i] = layout.NewKind(fmt.Sprint("kind ", i), layout.NewField("value", float32(i+1)))
	}
	return kinds
}

// TestFreeRoomTakesNoMemory: what a world takes is by what it uses, and so is what its snapshot does.
// The memory of the test's program comes on top of that.
func TestFreeRoomTakesNoMemory(t *testing.T) {
	const slack = 2 << 20
	kinds := tenKinds()
	handles := make([]layout.AnyKind, len(kinds))
	for i, k := range kinds {
		handles[i] = k.(layout.AnyKind)
	}
	counts := Counts{GameObjects: 50_000_000, Kinds: layout.Kinds(kinds...)}
	used := resident(t)
	grown := func(what string, most int) {
		now := resident(t)
		t.Logf("%s: %d KB", what, (now-used)>>10)
		assert.Less(t, now-used, most, what)
		used = now
	}
	begin := time.Now()
	s, err := CreateState(counts)
	took := time.Since(begin)
	require.NoError(t, err)
	t.Logf("CreateState: %v, %d GB reserved", took, len(Bytes(s))>>30)
	grown("a world for 50 million objects of 10 kinds", 4<<20+slack)
	for range 1000 {
		s = changed(CreateWith(s, handles...))
	}
	grown("1,000 objects", 2<<20+slack)
	assert.Less(t, Used(s), 1<<20)
	assert.Greater(t, Used(s), 1000*10*8)
	assert.Greater(t, len(Bytes(s)), 4<<30)
	p := taken(s)
	grown("a snapshot", 1<<20+slack)
	s = sure(Restore(s, p))
	all := 0
	for b := range NewQuery(Write(handles[9].Kind())).In(s) {
		all += b.Len()
	}
	assert.Equal(t, 1000, all)
	require.NoError(t, ToolsOf(s).Verify())
	s = sure(ToolsOf(s).Derived())
	Digest(s)
	grown("a walk, Restore, Verify, Rebuild and Digest", 1<<20+slack)
	require.NoError(t, p.Take(s))
	p.Close()
	Close(s)
	grown("after Close", slack)
}

// TestFirstWalksFindTheirPages: the pages of slabs are committed when the slabs are given.
func TestFirstWalksFindTheirPages(t *testing.T) {
	const n, size = 50_000, 16
	field := layout.NewComponent[[2]float64]("paged")
	r := NewRecipe("paged", field)
	s := sure(CreateState(Counts{Recipes: []Recipe{r}}))
	s = sure(SpawnN(s, r, n, nil))
	var before, after syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	for b := range NewQuery(Write(field)).In(s) {
		for i, c := 0, Column(b, field); i < len(c); i++ {
			c[i][0]++
		}
	}
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	assert.Less(t, after.Minflt-before.Minflt, int64(n*size/4096/4))
	Close(s)
}

// TestCommittedRoomIsThereFromTheStart: for every kind, up to its room, with the same bytes.
func TestCommittedRoomIsThereFromTheStart(t *testing.T) {
	const n, values = 100_000, 10 * 4 // bytes of ten kinds
	counts := Counts{Kinds: layout.Kinds(tenKinds()...)}
	plain, used := sure(CreateState(counts)), resident(t)
	counts.Committed = n
	s := sure(CreateState(counts))
	assert.Greater(t, resident(t)-used, n*values)
	assert.True(t, Equal(plain, s))
	require.NoError(t, ToolsOf(s).Verify())
	for _, wrong := range []int{-1, freeObjects + 1} {
		counts.Committed = wrong
		_, err := CreateState(counts)
		require.ErrorIs(t, err, ErrCount)
		require.ErrorContains(t, err, fmt.Sprint(wrong, " Committed"))
	}
	_, err := CreateState(Counts{GameObjects: -1})
	require.ErrorContains(t, err, "game object: a count of -1 is not between 0 and")
	Close(plain)
	Close(s)
}

// TestHistoriesTakeFewMappings: a machine has 65,530 of them for a program.
func TestHistoriesTakeFewMappings(t *testing.T) {
	s := sure(CreateState(Counts{Kinds: layout.Kinds(tenKinds()...)}))
	before := mappings(t)
	all := make([]*Snapshot, 600)
	for i := range all {
		all[i] = sure(NewSnapshot(s))
		require.NoError(t, all[i].Take(s))
	}
	assert.Less(t, mappings(t)-before, 2000)
	for _, p := range all {
		p.Close()
	}
	Close(s)
	assert.LessOrEqual(t, mappings(t), before+20)
}

// TestLargePagesAreWhereMuchIsUsed: a world asks for them for few stretches, however many kinds.
func TestLargePagesAreWhereMuchIsUsed(t *testing.T) {
	kinds := make([]layout.Countable, 30)
	handles := make([]layout.AnyKind, len(kinds))
	for i := range kinds {
		k := layout.NewKind(fmt.Sprint("wide ", i), layout.NewField[[32]float64]("value"))
		kinds[i], handles[i] = k, k
	}
	before := mappings(t)
	s := sure(CreateState(Counts{GameObjects: 1 << 20, Kinds: layout.Kinds(kinds...)}))
	assert.LessOrEqual(t, mappings(t)-before, 5)
	r := NewRecipe("wide", handles...)
	Close(s)
	s = sure(CreateState(Counts{
		GameObjects: 1 << 20, Kinds: layout.Kinds(kinds...), Recipes: []Recipe{r},
	}))
	s = sure(SpawnN(s, r, 20_000, nil))
	assert.Greater(t, mappings(t)-before, 5)
	assert.LessOrEqual(t, mappings(t)-before, 5+2*16)
	Close(s)
}
