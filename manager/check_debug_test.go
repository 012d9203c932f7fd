//go:build ecsdebug

package manager

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	checkedKind   = layout.NewComponent[uint32]("checked", 5)
	checkedPacked = layout.NewComponent[uint32]("checked packed")
)

// A checked is a world with rows of every use, and views of its derived words.
type checked struct {
	*Arena
	m    *Manager // rows 0-63 on objects 0-63, 64-127 kept for those, 128 and 130 on 200 and 210
	mark *Manager // on objects 0-63
	tail *Manager // packed, on objects 0-9
	w    *Watcher // of m
	copy *Arena
}

// checkedWorld returns a world in which everything agrees.
func checkedWorld(t *testing.T) *checked {
	t.Helper()
	a := sure(NewArena(Sizes{Objects: 300, Watchers: []string{"checked"}, Kinds: []layout.Count{
		checkedKind.Count(400), modelMark.Count(0),
		{Kind: checkedPacked.Kind(), Rows: 20, Packed: true},
	}}))
	c := &checked{a, &a.Managers[0], &a.Managers[1], &a.Managers[2], nil, nil}
	rules := a.NewMatch()
	rules.Require(c.m)
	c.w = a.Watch(0, "checked", rules)
	for range 300 {
		_ = sure(a.Objects.Create(0))
	}
	c.m.AddBlock(0, full)
	c.m.AddBlock(1, full)
	c.mark.AddBlock(0, full)
	for _, object := range []uint32{200, 205, 210} {
		_ = sure(c.m.Add(object))
	}
	for object := range uint32(10) {
		_ = sure(c.tail.Add(object))
	}
	row := sure(c.m.Create())
	require.Equal(t, layout.Row(131), row)
	for _, object := range []uint32{3, 5, 205} {
		require.NoError(t, c.m.Remove(object))
	}
	require.NoError(t, c.m.Suspend(7))
	c.w.Look()
	require.NoError(t, c.m.Remove(9))
	require.NoError(t, a.Verify())
	c.copy = sure(a.Clone((*Arena).Alike))
	return c
}

// A damage is a wrong word, a function that trusts it, and the words that the panic names.
type damage struct {
	name  string
	do    func(c *checked)
	trust func(c *checked)
	want  []string
}

func each(c *checked)    { c.m.Rows.Each(func(layout.Row) bool { return true }) }
func eachRun(c *checked) { c.m.Rows.Runs(func(int, int) bool { return true }) }
func add(object uint32) func(c *checked) {
	return func(c *checked) { _, _ = c.m.Add(object) }
}

func remove(object uint32) func(c *checked) {
	return func(c *checked) { _ = c.m.Remove(object) }
}
func rows(c *checked)    { c.m.Blocks.RowsOf(new([64]uint32), 3, c.m.Blocks.list[3].Present) }
func fresh(c *checked)   { _, _ = c.m.Create() }
func dispose(c *checked) { c.m.Dispose(131) }
func matched(block uint32) func(c *checked) {
	return func(c *checked) {
		rules := c.NewMatch()
		rules.RequireOnly([]*Manager{c.m})
		rules.RequireAny([]*Manager{c.m, c.mark})
		rules.Block(block)
	}
}

func matchedGroup(c *checked) {
	rules := c.NewMatch()
	rules.Require(c.m)
	rules.RequireAny([]*Manager{c.mark})
	rules.Group(0)
}

func pure(c *checked) {
	rules := c.NewMatch()
	rules.RequireOnly([]*Manager{c.mark})
	rules.pure(0, 1)
}

func among(c *checked) {
	for range c.Among(0) {
		continue
	}
}

func copiedSince(c *checked) { c.copy.CopyFrom(c.Arena, 5) }

func copied(c *checked) {
	clone, err := c.Alike()
	if err == nil {
		clone.CopyFrom(c.Arena, 0)
	}
}

// countDamages are damages of counters.
var countDamages = []damage{
	{"High, Each", func(c *checked) { c.m.count.High -= 5 }, each, []string{"bits of mounted", "counters.Mounted"}},
	{"High, EachRun", func(c *checked) { c.m.count.High = 131 }, eachRun, []string{"counters.High is 131", "row 131", "objects"}},
	{"High, Create", func(c *checked) {
		c.m.count.Free, c.m.count.High = 0, 130
	}, fresh, []string{"counters.High is 130", "row 130", "mounted"}},
	{"High, packed", func(c *checked) { c.tail.count.High++ }, func(c *checked) { c.tail.Drop(0) }, []string{"counters.High is 11", "mounted"}},
	{"High, CopyFrom", func(c *checked) { c.m.count.High = 131 }, copied, []string{"checked: objects[131]", "counters.High", "131"}},
	{"High, Digest", func(c *checked) { c.m.count.High = 64 }, func(c *checked) { c.Digest() }, []string{"checked: objects[64]", "counters.High", "64"}},
	{"Mounted, Each", func(c *checked) { c.m.count.Mounted++ }, each, []string{"bits of mounted", "counters.Mounted"}},
	{"Mounted, Quality", func(c *checked) { c.m.count.Mounted++ }, func(c *checked) { QualityOf(c.m) }, []string{"bits of blocks.Present", "counters.Mounted is"}},
	{"Loose, Busy", func(c *checked) { c.m.count.Loose-- }, func(c *checked) { c.m.Blocks.Busy(3, 1<<63) }, []string{"1 rows of objects are loose", "counters.Loose is 0"}},
	{"Suspended, DropBlock", func(c *checked) { c.m.count.Suspended-- }, func(c *checked) { c.m.DropBlock(1, 3) }, []string{"1 rows of objects are suspended", "counters.Suspended is 0"}},
	{"Changed, Changed", func(c *checked) { c.m.count.Changed = 0 }, func(c *checked) { c.m.Changed(0, 1, 0) }, []string{"changed[0] is tick 1", "counters.Changed is 0"}},
	{"Changed, Revise", func(c *checked) { c.m.count.Changed = 0 }, func(c *checked) { Revise(c.m, 0, nil, 1, nil) }, []string{"changed[0] is tick 1", "counters.Changed is 0"}},
	{"Changed, CopyFrom", func(c *checked) { c.tail.count.Changed = 0 }, copied, []string{"changed[0] is tick 1", "counters.Changed is 0"}},
	{"Changed, copy since", func(c *checked) {
		*c.Tick = 5
		c.tail.Stamps.Touch(0, 1)
		c.tail.count.Changed = 1
	}, copiedSince, []string{"changed[0] is tick 5", "counters.Changed is 1"}},
	{"Changed, of the copy", func(c *checked) { c.copy.Managers[2].count.Changed = 0 }, copiedSince, []string{"changed[0] is tick 1", "counters.Changed is 0"}},
}

// listDamages are damages of lists.
var listDamages = []damage{
	{"Free, in use", func(c *checked) { c.m.count.Free = 1 }, fresh, []string{"counters.Free is row 0", "objects has 0x0 there, mounted true"}},
	{"Free, never used", func(c *checked) { c.m.count.Free = 301 }, fresh, []string{"counters.Free is row 300", "counters.High is 132"}},
	{"Free, not the last", func(c *checked) { c.m.count.Free = 3 + 1 }, dispose, []string{"counters.Free is row 3", "links has row 5"}},
	{"Free, lost", func(c *checked) {
		c.m.Rows.links[3] = 0
		c.m.count.Free = 3 + 1
	}, remove(20), []string{"counters.Free is row 3", "4 rows of objects are free", "on no free list"}},
	{"Free, home", func(c *checked) { c.m.count.Free = 6 }, add(9), []string{"links[9] has no row disposed after it", "counters.Free is row 5"}},
	{"Free, forgotten row", func(c *checked) { c.m.count.Free = 1 }, func(c *checked) { c.m.Drop(7) }, []string{"counters.Free is row 0", "objects"}},
	{"links, home", func(c *checked) { c.m.Rows.links[3] = 0 }, add(5), []string{"objects[5] has row 3", "links there has -1"}},
	{"objects, home", func(c *checked) { c.m.Rows.objects[5] = free }, add(3), []string{"links[3] has row 5", "objects there has 0x80000000"}},
	{"Free, many", func(c *checked) { c.m.count.Free = 1 }, func(c *checked) { c.m.DropBlock(0, 1<<20) }, []string{"counters.Free is row 0", "objects"}},
	{"links, many", func(c *checked) { c.m.Rows.links[3] = 100 }, func(c *checked) { c.m.AddBlock(0, 1<<3) }, []string{"links[3] has row 99", "objects there"}},
	{"links, before many", func(c *checked) {
		c.m.DropBlock(0, 7<<20)
		c.m.Rows.links[9] = 0
	}, func(c *checked) {
		c.m.AddBlock(0, 7<<20&^c.m.Blocks.list[0].Present)
	}, []string{"objects[20] has row 9", "links there"}},
	{"Free, after many", func(c *checked) {
		c.m.DropBlock(0, 7<<20)
		c.m.count.Free = 10
	}, func(c *checked) {
		c.m.AddBlock(0, 7<<20&^c.m.Blocks.list[0].Present)
	}, []string{"links[22] has no row disposed after it", "counters.Free is row 9"}},
	{"pages, in use", func(c *checked) { c.m.Blocks.pages.spare[ofFour] = pageCounters{High: 2, Free: 1} }, func(c *checked) {
		c.m.Blocks.addOdd(&c.m.Blocks.list[0], 0, 131)
	}, []string{"spare pages[1].Free is page 0 of 4", "blocks[3] has it"}},
	{"pages, never used", func(c *checked) { c.m.Blocks.pages.spare[ofFour].Free = 3 }, func(c *checked) {
		c.m.Blocks.addOdd(&c.m.Blocks.list[0], 0, 131)
	}, []string{"spare pages[1].Free is page 2", "its High is 1"}},
	{"page, dropped", func(c *checked) { c.m.Blocks.pages.spare[ofFour].High = 0 }, func(c *checked) { c.m.Blocks.dropOdd(&c.m.Blocks.list[3], 0) }, []string{"has page 0 of 4", "spare pages are [{High:0 Free:0} {High:0"}},
	{"page, rebased", func(c *checked) { c.m.Blocks.pages.spare[ofFour].High = 0 }, func(c *checked) { c.m.Blocks.rebase(&c.m.Blocks.list[3], 3, 7) }, []string{"has page 0 of 4", "spare pages are [{High:0 Free:0} {High:0"}},
}

// blockDamages are damages of blocks, groups, and kinds per block.
var blockDamages = []damage{
	{"Present", func(c *checked) { c.m.Blocks.list[3].Present |= 1 << 63 }, matched(3), []string{"blocks[3] has object 255 in row 183", "counters.High is 132"}},
	{"Present, another row", func(c *checked) { c.m.Blocks.list[0].Present |= 1 << 5 }, matched(0), []string{"blocks[0] has object 5 in row 5", "objects has 0x80000004 there"}},
	{"mounted", func(c *checked) { c.m.Rows.mounted[0] &^= 1 << 2 }, matched(0), []string{"blocks[0].Present says true of object 2", "mounted false of its row, 2"}},
	{"Kept", func(c *checked) { c.m.Blocks.list[0].Kept |= 1 << 2 }, matched(0), []string{"blocks[0] is ", "Kept:132"}},
	{"Base", func(c *checked) { c.m.Blocks.list[3].Base++ }, rows, []string{"blocks[3].Base is -71", "bases has -72"}},
	{"Base, DropBlock", func(c *checked) { c.tail.Blocks.bases[0]++ }, func(c *checked) { c.tail.DropBlock(0, 3) }, []string{"blocks[0].Base is 0", "bases has 1"}},
	{"Base, Changed", func(c *checked) { c.m.Blocks.bases[0]++ }, func(c *checked) { c.m.Changed(0, 1, 0) }, []string{"blocks[0].Base is 0", "bases has 1"}},
	{"Odd", func(c *checked) { c.m.Blocks.list[3].Odd |= 1 << 20 }, rows, []string{"blocks[3].Odd has 100000", "Present and Kept have not"}},
	{"Page", func(c *checked) { c.m.Blocks.list[3].Page += 1 << sizeBits }, rows, []string{"has page 1 of 4", "spare pages are [{High:0 Free:0} {High:1"}},
	{"Page, no size", func(c *checked) { c.m.Blocks.list[3].Page |= sizeMask }, rows, []string{"has page 0 of no size"}},
	{"Page, too small", func(c *checked) { c.m.Blocks.list[3].Odd |= 0x1f << 20; c.m.Blocks.list[3].Present |= 0x1f << 20 }, rows, []string{"has page 0 of 4"}},
	{"page's row", func(c *checked) { c.m.Blocks.pages.of4[0][0]-- }, rows, []string{"blocks[3] has object 210 in row 129", "objects has"}},
	{"Any", func(c *checked) { c.m.Blocks.Groups[0].Any |= 1 << 2 }, matchedGroup, []string{"groups[0].Any says true of block 2", "Present is 0"}},
	{"Any, of several", func(c *checked) { c.mark.Blocks.Groups[0].Any = 0 }, matchedGroup, []string{"groups[0].Any says false of block 0", "Present is ffff"}},
	{"Whole", func(c *checked) { c.m.Blocks.Groups[0].Whole |= 1 }, matchedGroup, []string{"groups[0].Whole says true of block 0", "Present:"}},

	{"kinds, Among", func(c *checked) { c.Kinds(0)[0] &^= 2 }, among, []string{"kinds per block says false of block 0", "Present is ffff"}},
	{"kinds, only", func(c *checked) { c.Kinds(0)[0] |= 4; c.Kinds(1)[0] |= 4 }, matched(1), []string{"checked packed", "kinds per block says true of block 1", "Present is 0"}},
	{"kinds, pure", func(c *checked) { c.Kinds(0)[0] &^= 1 }, pure, []string{"kinds per block says false of block 0"}},
}

// watcherDamages are damages of a watcher.
var watcherDamages = []damage{
	{"touched", func(c *checked) { c.w.touched[0] = 0 }, func(c *checked) { c.w.Look() }, []string{"watcher of all of checked", "touched[0] says false of block 0", "its Touched is 200"}},
	{"reported", func(c *checked) { c.w.reported[0] &^= 1 }, func(c *checked) { c.w.Look() }, []string{"reported[0] says false of block 0", "its Entered"}},
	{"reported, Left", func(c *checked) { c.w.reported[0] |= 4 }, func(c *checked) {
		for range c.w.Left {
			continue
		}
	}, []string{"reported[0] says true of block 2", "its Left is 0"}},
	{"reported, Entered", func(c *checked) { c.w.reported[0] |= 4 }, func(c *checked) {
		for range c.w.Entered {
			continue
		}
	}, []string{"reported[0] says true of block 2", "its Left is 0"}},
	{"Members", func(c *checked) { c.w.count.Members++ }, func(c *checked) { c.w.Look() }, []string{"bits of blocks.Members", "count.Members is 128"}},
}

// TestDebugNamesDerivedWordsThatAreWrong: each word is damaged, and the function that trusts it
// panics with a sentence that names the word and its source.
func TestDebugNamesDerivedWordsThatAreWrong(t *testing.T) {
	alwaysCheck = true
	defer func() { alwaysCheck = false }()
	for _, list := range [][]damage{countDamages, listDamages, blockDamages, watcherDamages} {
		for _, d := range list {
			c := checkedWorld(t)
			d.do(c)
			text := panicOf(func() { d.trust(c) })
			for _, want := range append(d.want, "flatecs: ", "tool.Verify") {
				require.Contains(t, text, want, d.name)
			}
			d.trust(checkedWorld(t)) // without the damage it does not panic
		}
	}
}

// panicOf returns the sentence that f panics with.
func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestDebugChecksAtRandom: what takes long is checked now and then, and is found at last.
func TestDebugChecksAtRandom(t *testing.T) {
	c := checkedWorld(t)
	c.m.Blocks.Groups[0].Any |= 1 << 2
	calls := 0
	for panicOf(func() { matchedGroup(c) }) == fmt.Sprint(nil) {
		if calls++; calls > 10_000 {
			t.Fatal("it is never found")
		}
	}
	n := 0
	for range 100_000 {
		if sometimes(1000) {
			n++
		}
	}
	require.InDelta(t, 400, n, 200)
	require.True(t, sometimes(stepsPerCall))
}
