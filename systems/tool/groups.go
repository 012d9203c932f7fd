package tool

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// ErrTwice is the error of an object that is listed twice.
var ErrTwice = errors.New("an object is listed twice")

// Groups are objects of one world, grouped by the kinds that they have and keep suspended. The next
// [Groups.Sort] or [Groups.Begin] reuses the memory. The zero Groups are empty.
//
//	runs     block 3, objects 5 8 9      places 0 2 1
//	         block 3, object 7           places 3
//	         block 9, objects 0–63       places 4 5 6 …
//	groups   position velocity           runs 0, 2
//	         position                    run 1
//
// A place is the index of an object in the list of ids. The methods take the number of a group,
// from 0, and the number of a kind; see [NumberOf].
type Groups struct {
	tools   systems.Tools
	groups  []group
	runs    []run
	byGroup []uint32 // runs, group by group
	places  []uint32 // per object, run by run
	heads   []uint32 // per block: the last of its runs, plus 1
	classes []uint64 // of the objects of a run, a bit each
	masks   []uint64 // per class: see group.mask
	keys    []uint64 // per group: see group.mask
	numbers map[uint64]uint32
	making  bool // between Begin and End
	rows    []uint32
	place   [64]uint32 // per object of a block
	sorted  []uint64   // index and place of each object
	spare   []uint64   // for sorting
}

// A group is objects with the same kinds. Its mask has a bit for each kind that they have, followed
// by a bit for each kind that they keep suspended.
type group struct {
	objects  int
	first, n int    // of byGroup
	other    uint32 // group whose mask has the same hash, plus 1
}

// A run is objects of one block and group.
type run struct {
	objects uint64 // a bit each
	block   uint32
	group   uint32
	at      uint32 // of places
	before  uint32 // an earlier run of the block, plus 1
}

var seed = maphash.Comparable(maphash.MakeSeed(), 0)

// checked returns g. It panics if g is nil.
func (g *Groups) checked() *Groups {
	if g == nil {
		panic("flatecs: a nil *Groups has no groups; hand in the address of a tool.Groups")
	}
	return g
}

// at returns a group. It panics if i is out of range.
func (g *Groups) at(i int) *group {
	if n := len(g.checked().groups); uint(i) >= uint(n) {
		panic(fmt.Sprintf("flatecs: there is no group %d, of %d; sort or create objects first", i,
			n))
	}
	return &g.groups[i]
}

// manager returns the manager of a kind. It panics if kind is out of range.
func (g *Groups) manager(kind int) *manager.Manager {
	if g.checked().tools.Arena == nil || uint(kind) >= uint(g.tools.OnObjects()) {
		panic(fmt.Sprintf("flatecs: no object has a kind with number %d; see NumberOf", kind))
	}
	return &g.tools.Arena.Managers[kind]
}

// begin empties g for objects of a world.
func (g *Groups) begin(t systems.Tools) {
	for i := range g.runs {
		if block := g.runs[i].block; block < uint32(len(g.heads)) {
			g.heads[block] = 0
		}
	}
	g.tools, g.making = t, false
	g.groups, g.runs, g.places, g.keys = g.groups[:0], g.runs[:0], g.places[:0], g.keys[:0]
	clear(g.numbers)
	if g.numbers == nil {
		g.numbers = make(map[uint64]uint32)
	}
}

// Sort groups ids. Objects are in the order of their indexes, and groups in the order of their
// first objects. The error wraps [systems.ErrDead], [systems.ErrOutOfRange] or [ErrTwice]; g is
// then empty.
func (g *Groups) Sort(s systems.State, ids []gameobject.ID) error {
	g.checked().begin(systems.ToolsOf(s))
	blocks := (g.tools.Arena.Objects.High() + 63) / 64
	g.heads = slices.Grow(g.heads, max(0, blocks-len(g.heads)))[:max(blocks, len(g.heads))]
	g.sorted = slices.Grow(g.sorted[:0], len(ids))
	for i, id := range ids {
		if !g.tools.Arena.Objects.Alive(id) {
			return g.tools.Living(id)
		}
		g.sorted = append(g.sorted, uint64(id.Index())<<32|uint64(i))
	}
	g.sorted, g.spare = ascend(g.sorted, g.spare)
	for keys := g.sorted; len(keys) > 0; {
		n, err := g.addBlock(keys)
		if err != nil {
			g.begin(g.tools)
			return err
		}
		keys = keys[n:]
	}
	g.arrange()
	return nil
}

// addBlock adds the leading objects of keys that are in one block, and returns their number.
func (g *Groups) addBlock(keys []uint64) (n int, err error) {
	block, x := uint32(keys[0]>>38), uint64(0)
	for _, k := range keys {
		i := uint32(k >> 32)
		bit := uint64(1) << (i & 63)
		if i>>6 != block {
			break
		}
		if x&bit != 0 {
			return 0, fmt.Errorf("flatecs: game object %v: %w; list it once",
				g.tools.Arena.Objects.At(i), ErrTwice)
		}
		x |= bit
		g.place[i&63] = uint32(k)
		n++
	}
	g.split(block, x)
	words := 2 * g.tools.Arena.Words
	for i, x := range g.classes {
		g.addRun(block, x, g.groupOf(g.masks[i*words:][:words]))
	}
	return n, nil
}

// split divides the objects x of a block into classes with the same kinds.
func (g *Groups) split(block uint32, x uint64) {
	words := g.tools.Arena.Words
	g.classes = append(g.classes[:0], x)
	g.masks = slices.Grow(g.masks[:0], 2*words)[:2*words]
	clear(g.masks)
	for w, kinds := range g.tools.Arena.Kinds(block) {
		for ; kinds != 0; kinds &= kinds - 1 {
			k := bits.TrailingZeros64(kinds)
			m := &g.tools.Arena.Managers[w<<6+k]
			g.refine(m.Blocks.Present(block), w, 1<<k)
			g.refine(m.Blocks.Holds(block)&^m.Blocks.Present(block), words+w, 1<<k)
		}
	}
}

// refine sets a bit in the mask of each class whose objects are all in x, and splits each class
// that is partly in x.
func (g *Groups) refine(x uint64, word int, bit uint64) {
	words := 2 * g.tools.Arena.Words
	for i, c := range g.classes {
		with := c & x
		if with == 0 {
			continue
		}
		mask := g.masks[i*words:][:words]
		if with != c {
			g.classes[i] = with
			g.classes = append(g.classes, c&^with)
			g.masks = append(g.masks, mask...)
			mask = g.masks[i*words:][:words]
		}
		mask[word] |= bit
	}
}

// groupOf returns the group of a mask.
func (g *Groups) groupOf(mask []uint64) uint32 {
	if n := len(g.groups); n > 0 && slices.Equal(g.mask(n-1), mask) {
		return uint32(n - 1)
	}
	h := uint64(0)
	for _, w := range mask {
		hi, lo := bits.Mul64(h^w^seed, 0x9e3779b97f4a7c15) // 2⁶⁴ by the golden ratio
		h = hi ^ lo
	}
	head := g.numbers[h]
	for i := head; i != 0; i = g.groups[i-1].other {
		if slices.Equal(g.mask(int(i-1)), mask) {
			return i - 1
		}
	}
	g.groups = append(g.groups, group{other: head})
	g.keys = append(g.keys, mask...)
	g.numbers[h] = uint32(len(g.groups))
	return uint32(len(g.groups) - 1)
}

func (g *Groups) mask(i int) []uint64 {
	words := 2 * g.tools.Arena.Words
	return g.keys[i*words:][:words]
}

// addRun adds the objects x of a block to a group. Their places are known.
func (g *Groups) addRun(block uint32, x uint64, to uint32) {
	g.runs = append(g.runs, run{x, block, to, uint32(len(g.places)), g.heads[block]})
	g.heads[block] = uint32(len(g.runs))
	g.groups[to].n++
	g.groups[to].objects += bits.OnesCount64(x)
	for ; x != 0; x &= x - 1 {
		g.places = append(g.places, g.place[bits.TrailingZeros64(x)])
	}
}

// arrange lists the runs of each group.
func (g *Groups) arrange() {
	first := 0
	for i := range g.groups {
		g.groups[i].first = first
		first += g.groups[i].n
		g.groups[i].n = 0
	}
	g.byGroup = slices.Grow(g.byGroup[:0], len(g.runs))[:len(g.runs)]
	for i := range g.runs {
		to := &g.groups[g.runs[i].group]
		g.byGroup[to.first+to.n] = uint32(i)
		to.n++
	}
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.checked().groups) }

// Objects returns the number of objects of a group.
func (g *Groups) Objects(i int) int { return g.at(i).objects }

// Has reports whether the objects of a sorted group have a kind.
func (g *Groups) Has(i, kind int) bool { return g.masked(i, kind, 0) }

// Keeps reports whether the objects of a sorted group keep values of a kind suspended.
func (g *Groups) Keeps(i, kind int) bool { return g.masked(i, kind, 1) }

// masked returns a kind's bit in the first half of a group's mask, or in the second.
func (g *Groups) masked(i, kind, half int) bool {
	g.at(i)
	g.manager(kind)
	return !g.making && g.mask(i)[half*g.tools.Arena.Words+kind>>6]>>(kind&63)&1 != 0
}

// Uses reports whether the objects of some group have a kind, or keep it suspended.
func (g *Groups) Uses(kind int) bool {
	g.manager(kind)
	for i := range g.groups {
		if g.Has(i, kind) || g.Keeps(i, kind) {
			return true
		}
	}
	return false
}

// Places returns the places of the objects of a group, in its order. They are valid until the next
// call of [Groups.Components].
func (g *Groups) Places(i int) []uint32 {
	g.at(i)
	if g.rows = g.rows[:0]; g.making {
		return nil
	}
	for _, r := range g.runsOf(i) {
		run := &g.runs[r]
		g.rows = append(g.rows, g.places[run.at:][:bits.OnesCount64(run.objects)]...)
	}
	return g.rows
}

// Place returns the place of an object, and whether the object is in a group.
func (g *Groups) Place(id gameobject.ID) (place uint32, ok bool) {
	block, bit := id.Index()>>6, uint64(1)<<(id.Index()&63)
	if block >= uint32(len(g.checked().heads)) || g.heads[block] == 0 ||
		!g.tools.Arena.Objects.Alive(id) {
		return 0, false
	}
	for r := g.heads[block]; r != 0; r = g.runs[r-1].before {
		if run := &g.runs[r-1]; run.objects&bit != 0 {
			return g.places[int(run.at)+bits.OnesCount64(run.objects&(bit-1))], true
		}
	}
	return 0, false
}

func (g *Groups) runsOf(i int) []uint32 { return g.byGroup[g.groups[i].first:][:g.groups[i].n] }
