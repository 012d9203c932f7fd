//go:build !race && !ecsdebug

package world_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// pagesHere returns a byte per page of b; the lowest bit says that the page is mapped: it was
// written, or only read, both on kernels with a shared page of zeros for reads and on kernels that
// take memory for them.
func pagesHere(tb testing.TB, b []byte) []byte {
	tb.Helper()
	here := make([]byte, (len(b)+os.Getpagesize()-1)/os.Getpagesize())
	_, _, err := syscall.Syscall(syscall.SYS_MINCORE, unsafeutil.Address(b), uintptr(len(b)),
		unsafeutil.Address(here))
	runtime.KeepAlive(here)
	require.Zero(tb, err)
	return here
}

// seesReads skips the test where the kernel does not tell which pages were read.
func seesReads(t *testing.T) {
	t.Helper()
	size := os.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 64*size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(b)) }()
	_ = syscall.Madvise(b, syscall.MADV_NOHUGEPAGE)
	require.Zero(t, b[7*size])
	b[9*size] = 1
	for i, x := range pagesHere(t, b) {
		if (x&1 != 0) != (i == 7 || i == 9) {
			t.Skip("this kernel does not tell which pages were touched")
		}
	}
}

// touchedBeyond returns the parts of the world of s with mapped pages that neither hold a used byte
// nor belong to the rows of a counted kind, nor were mapped before.
func touchedBeyond(tb testing.TB, s world.State, before ...byte) (parts []string) {
	tb.Helper()
	size := os.Getpagesize()
	here, all := pagesHere(tb, world.Bytes(s)), tool.Parts(s)
	for i, x := range before {
		here[i] &^= x
	}
	for i := range all {
		p := &all[i]
		n := len(tool.Used(s, p))
		if p.Kind != nil && !p.Free && strings.HasSuffix(p.Per(), "row") || p.Per() == "64 rows" {
			n = len(p.Bytes)
		}
		if n > 0 {
			clear(here[p.Offset()/size : (p.Offset()+n-1)/size+1])
		}
	}
	for i := range all {
		p := &all[i]
		n, at := 0, 0
		for page := p.Offset() / size; page*size < p.Offset()+len(p.Bytes); page++ {
			if here[page]&1 != 0 {
				n, at = n+1, page*size-p.Offset()
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s.%s: %d pages, the last at byte %d of %d, %d used",
				p.Owner, p.Name, n, at, len(p.Bytes), len(tool.Used(s, p))))
		}
	}
	return parts[:min(len(parts), 5)]
}

// mapped returns how many bytes of a world are on mapped pages.
func mapped(tb testing.TB, s world.State) (n int) {
	tb.Helper()
	return mappedOf(tb, world.Bytes(s))
}

// mappedOf returns how many bytes are on mapped pages.
func mappedOf(tb testing.TB, b []byte) (n int) {
	tb.Helper()
	for _, x := range pagesHere(tb, b) {
		n += int(x&1) * os.Getpagesize()
	}
	return n
}

// TestFirstPagesFaultOnce: a page that the first object of a recipe writes was not read before,
// which would be a second fault.
func TestFirstPagesFaultOnce(t *testing.T) {
	seesReads(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a, b := layout.NewComponent[uint64]("first a"), layout.NewComponent[uint64]("first b")
	r := world.NewRecipe("first", a, b)
	twice := math.MaxInt
	for tries, fresh := 0, 0; fresh < 3; tries++ { // the program itself may have faults
		require.Less(t, tries, 100)
		s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{r}}))
		var was, is syscall.Rusage
		pages := mapped(t, s) / os.Getpagesize()
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_THREAD, &was))
		s, _ = world.Must2(world.Spawn(s, r))
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_THREAD, &is))
		t.Cleanup(func() { world.Close(s) })                          // at the end, so that others have other pages
		if pages = mapped(t, s)/os.Getpagesize() - pages; pages > 0 { // excludes mappings of closed worlds
			twice = min(twice, int(is.Minflt-was.Minflt)-pages)
			fresh++
		}
	}
	require.LessOrEqual(t, twice, 1) // that of owners
}

// untouchedCounts are the counts of an exhibit without counts of objects and kinds, and with more
// kinds.
func untouchedCounts(more int) world.Counts {
	c := exhibitCounts()
	c.GameObjects, c.Globals, c.Names = 1<<17, 1<<17, 1<<10
	for i, k := range c.Kinds {
		if k.Kind != busyNames.Kind() {
			c.Kinds[i] = k.Kind.Counted()
			c.Kinds[i].ByRow = k.Kind != exhibitParent.Kind() // for rows on no object
		}
	}
	for i := range more {
		c.Kinds = append(c.Kinds, layout.NewMark(fmt.Sprint("untouched ", i)).Counted())
	}
	c.Kinds = append(c.Kinds, untouchedItems.Counted(), untouchedOther.Counted(),
		untouchedFew.Count(1000))
	return c
}

var (
	untouchedItems = layout.NewList[uint32]("untouched items")
	untouchedOther = layout.NewComponent[float64]("untouched other", 1)
	untouchedFew   = layout.NewComponent[float64]("untouched few", 1)
)

// TestUntouchedMemoryStaysUntouched calls functions of each part in a world with one of each, and
// asks the kernel which pages were touched: pages without used bytes were not even read.
func TestUntouchedMemoryStaysUntouched(t *testing.T) {
	seesReads(t)
	for _, more := range []int{0, 70} {
		t.Run(fmt.Sprint(more, " more kinds"), func(t *testing.T) {
			x := newExhibitOf(untouchedCounts(more))
			require.Greater(t, len(world.Bytes(x.s)), 32<<20)
			require.Empty(t, touchedBeyond(t, x.s), "after the making")
			for _, step := range untouchedSteps(x) {
				before := pagesHere(t, world.Bytes(x.s))
				x.s = step.f(t, x.s)
				require.Empty(t, touchedBeyond(t, x.s, before...), "after %s", step.name)
			}
			require.Empty(t, touchedBeyond(t, x.kept.State()), "its first snapshot")
			x.kept.Close()
			world.Close(x.s)
		})
	}
}

type untouchedStep struct {
	name string
	f    func(t *testing.T, s world.State) world.State
}

// untouchedSteps are the operations, in order.
func untouchedSteps(x *exhibit) []untouchedStep {
	reads := func(f func(t *testing.T, s world.State)) func(*testing.T, world.State) world.State {
		return func(t *testing.T, s world.State) world.State {
			t.Helper()
			f(t, s)
			return s
		}
	}
	look := []untouchedStep{
		{"Verify and Rebuild", func(t *testing.T, s world.State) world.State {
			t.Helper()
			require.NoError(t, tool.Verify(s))
			return world.Must(tool.Rebuild(s))
		}},
		{"Clone and Equal", reads(cloned)},
		{"Take and Restore", func(t *testing.T, s world.State) world.State {
			t.Helper()
			p := taken(s)
			s = world.Must(world.Restore(s, p))
			require.Empty(t, touchedBeyond(t, p.State()), "in the snapshot")
			require.NoError(t, tool.Verify(p.State()))
			require.Empty(t, touchedBeyond(t, p.State()), "in the snapshot, after Verify")
			s = world.Advance(s)
			require.NoError(t, p.Take(s))
			p.Close()
			return s
		}},
		{"save and load", reads(func(t *testing.T, s world.State) {
			t.Helper()
			var file bytes.Buffer
			_, o := roomFile(&room{x, t, nil})
			require.NoError(t, save.Write(&file, s, o))
			n := int64(file.Len())
			read, _, err := save.Read(bytes.NewReader(file.Bytes()), n, world.CountsOf(s), o)
			require.NoError(t, err)
			require.Empty(t, touchedBeyond(t, read), "in the world of the file")
			world.Close(read)
		})},
		{"a delta", reads(deltas)},
	}
	return slices.Concat(look, []untouchedStep{
		{"Add, Set, Remove and Suspend", x.changed},
		{"SpawnN", func(_ *testing.T, s world.State) world.State {
			return world.Must(world.SpawnN(s, busyBoats, 200, nil))
		}},
	}, look)
}

// changed does a bit of all that changes a world.
func (x *exhibit) changed(t *testing.T, s world.State) world.State {
	t.Helper()
	s, ids := worldtest.Create(s, 130)
	for i, at := range []int{70, 3, 129, 64, 1} {
		id := ids[at]
		s = world.Must(world.Add(s, id, untouchedOther, busyMark, busyMixed, untouchedFew,
			untouchedItems, exhibitParent))
		s = world.Must(world.Set(s, id, untouchedOther, float64(i)))
		s = world.Must(lists.Append(s, id, untouchedItems, 1, 2, 3))
		s = world.Must(pack.SetGlobal(s, id, uint64(100+i)))
		s = world.Must(world.Set(s, id, exhibitParent, x.full))
	}
	s = world.Must(world.Suspend(s, ids[3], untouchedOther))
	s = world.Must(world.Remove(s, ids[64], untouchedOther))
	s = world.Must(lists.Clear(s, ids[1], untouchedItems))
	s = world.Must(world.SetName(s, ids[1], "another"))
	for range world.Named(s, "another") {
	}
	s, copied := world.Must2(world.Copy(s, ids[70]))
	s, boat := world.Must2(world.Spawn(s, busyBoats))
	s = exhibitWatcher.Look(world.Advance(s))
	s, _ = exhibitHits.Send(s)
	s = world.SetResource(s, exhibitWidth, 3)
	c := world.Record(s)
	world.Put(c, ids[129], untouchedOther, 7)
	c.Dispose(copied)
	s = world.Must(world.Apply(s))
	s = world.Must(world.Dispose(s, boat, ids[70]))
	for b := range exhibitToWrite.In(s) {
		_ = world.Column(b, heroes.Velocity)
	}
	return s
}

// cloned compares a world with a copy.
func cloned(t *testing.T, s world.State) {
	t.Helper()
	c := world.Must(world.Clone(s))
	require.True(t, world.Equal(c, s))
	require.Empty(t, touchedBeyond(t, c), "in the copy")
	require.InEpsilon(t, mapped(t, c), world.Used(c), .01, "a copy writes all that was used")
	c = world.Must(world.Dispose(c, slices.Collect(world.GameObjects(c))[0]))
	_, differ, err := tool.FirstDifference(c, s)
	require.NoError(t, err)
	require.True(t, differ)
	require.Empty(t, touchedBeyond(t, c), "in the copy, after FirstDifference")
	world.Close(c)
	empty := world.Must(world.CreateState(world.CountsOf(s)))
	require.False(t, world.Equal(empty, s))
	_, _, err = tool.FirstDifference(empty, s)
	require.NoError(t, err)
	require.Empty(t, touchedBeyond(t, empty), "in an empty world, after FirstDifference")
	bigger := world.CountsOf(s)
	bigger.GameObjects += 64
	grown := world.Must(world.Resized(s, bigger))
	require.Empty(t, touchedBeyond(t, grown), "in a larger one")
	world.Close(empty)
	world.Close(grown)
}

// deltas brings an empty world to s and back, and refuses a broken delta.
func deltas(t *testing.T, s world.State) {
	t.Helper()
	empty := world.Must(world.CreateState(world.CountsOf(s)))
	at := world.Must(world.CreateState(world.CountsOf(s)))
	there, err := delta.Append(nil, empty, s)
	require.NoError(t, err)
	back, err := delta.Append(nil, s, empty)
	require.NoError(t, err)
	at = world.Must(delta.Apply(at, there))
	require.True(t, world.Equal(at, s))
	require.Empty(t, touchedBeyond(t, at), "after a delta")
	at = world.Must(delta.Apply(at, back))
	require.Empty(t, touchedBeyond(t, empty), "in what was compared")
	there[len(there)/2] ^= 0x55
	at, err = delta.Apply(at, there)
	require.Error(t, err)
	_ = at
	world.Close(empty)
}

// TestNoFunctionTouchesUnusedMemory calls every exported function in a world of free room.
func TestNoFunctionTouchesUnusedMemory(t *testing.T) {
	seesReads(t)
	all := contracts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := caller{all[name], t}
		if c.does.is(fails, pure, creates, closes, discards) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c.t = t
			x := newExhibitOf(untouchedCounts(0))
			defer x.kept.Close()
			before := pagesHere(t, world.Bytes(x.s)) // Empty uses fewer
			next, err := c.call(x, x.s)
			if err != nil {
				world.Close(x.s)
				t.Skip(err)
			}
			require.Empty(t, touchedBeyond(t, next, before...))
			require.Empty(t, touchedBeyond(t, x.kept.State()))
			world.Close(next)
		})
	}
}

// TestKindsThatFewObjectsHave: each of 300 kinds without a count is on a random hundredth of the
// objects, in random order. What a component takes beside its value is what its page of rows does,
// and no pages of rows that were never used.
func TestKindsThatFewObjectsHave(t *testing.T) {
	seesReads(t)
	n, most := 30_000, 170
	if worldtest.AtLength() {
		n, most = 100_000, 95
	}
	s, ids, kinds := fewOf(n)
	defer func() { world.Close(s) }()
	before, adds := mapped(t, s), randomAdds(n*len(kinds))
	for _, i := range adds {
		s = world.Must(world.Add(s, ids[i/len(kinds)], kinds[i%len(kinds)]))
	}
	each := (mapped(t, s)-before)/len(adds) - 16
	t.Logf("%d bytes per component beside its 16", each)
	require.LessOrEqual(t, each, most)
	require.LessOrEqual(t, mapped(t, s), world.Used(s))
	require.Less(t, world.Used(s), mapped(t, s)*3/2, "some pages of used rows are not written yet")
	require.NoError(t, tool.Verify(s))
	s = world.Must(tool.Rebuild(s))
	require.LessOrEqual(t, (mapped(t, s)-before)/len(adds)-16, most, "after Verify and Rebuild")
}

// fewOf returns a world with n objects, and 300 kinds without a count, which none of them has.
func fewOf(n int) (world.State, []world.GameObject, []layout.Field[[2]float64]) {
	kinds := make([]layout.Field[[2]float64], 300)
	c := world.Counts{GameObjects: 1 << 17} // which 300 kinds have addresses for in 32 bits
	for i := range kinds {
		kinds[i] = layout.NewComponent[[2]float64](fmt.Sprint("few ", i))
		c.Kinds = append(c.Kinds, kinds[i].Counted())
	}
	s, ids := worldtest.Create(world.Must(world.CreateState(c)), n)
	return s, ids, kinds
}

// randomAdds returns a random hundredth of n numbers, in random order.
func randomAdds(n int) []int {
	r, adds := rand.New(rand.NewPCG(5, 6)), make([]int, n/100)
	for i := range adds {
		adds[i] = 100*i + r.IntN(100)
	}
	r.Shuffle(len(adds), func(i, k int) { adds[i], adds[k] = adds[k], adds[i] })
	return adds
}

// BenchmarkFirstAdd is the first Add of a kind to an object, with 300 kinds that a hundredth of the
// objects have. Run it by -benchtime=300000x; its instructions are the difference between the
// counts of valgrind --tool=cachegrind with 300000x and with 1x.
func BenchmarkFirstAdd(b *testing.B) {
	s, ids, kinds := fewOf(100_000)
	defer func() { world.Close(s) }()
	adds, before := randomAdds(len(ids)*len(kinds)), mapped(b, s)
	b.ResetTimer()
	for n := range b.N {
		i := adds[n%len(adds)]
		s = world.Must(world.Add(s, ids[i/len(kinds)], kinds[i%len(kinds)]))
	}
	b.ReportMetric(float64(mapped(b, s)-before)/float64(b.N)-16, "B/component")
}
