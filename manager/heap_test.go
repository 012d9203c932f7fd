package manager

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// heapBag is a list beside a number. A row has room for three of its elements.
var (
	heapBag  = layout.NewListField[[5]uint32]("bag")
	heapRank = layout.NewField[uint32]("rank")
	heapKind = layout.NewKind("heap", heapRank, heapBag)
)

// A heapModel is the lists of a few objects, and what they should be.
type heapModel struct {
	a     *Arena
	m     *Manager
	h     *Heap
	lists map[uint32][][5]uint32
	next  uint32 // a number that no element has
}

func newHeapModel(objects, elements int) *heapModel {
	c := layout.Count{Kind: heapKind, Rows: objects, Elements: uint32(elements)}
	free := heapBag.Spec().List.Free.Handle().Count(1)
	g := &heapModel{lists: map[uint32][][5]uint32{}}
	g.look(sure(NewArena(Sizes{
		Objects: objects, Kinds: append(c.AppendLists([]layout.Count{c}, objects), free),
	})))
	_ = sure(g.a.Managers[2].Create()) // the heads of free runs
	return g
}

// look goes on with another arena.
func (g *heapModel) look(a *Arena) {
	g.a, g.m = a, &a.Managers[0]
	g.h = HeapOf(g.m, heapBag.Spec())
}

// items returns n elements that are different from all earlier ones, also as bytes.
func (g *heapModel) items(n int) (items [][5]uint32, b []byte) {
	for range n {
		g.next++
		items = append(items, [5]uint32{g.next, 1, 2, 3, g.next})
	}
	return items, heapBag.Bytes(items)
}

// rowsOf returns how many rows lists of these lengths need, each of its class.
func rowsOf(lengths ...int) (rows int) {
	for _, n := range lengths {
		for size := 1; n > 0; size++ {
			if 3*size >= n && (size&(size-1) == 0 || size%3 == 0 && size/3&(size/3-1) == 0) {
				rows += size
				break
			}
		}
	}
	return rows
}

// fits reports whether there is room when an object has n elements.
func (g *heapModel) fits(object uint32, n int) bool {
	lengths := []int{n}
	for o, list := range g.lists {
		if o != object {
			lengths = append(lengths, len(list))
		}
	}
	return rowsOf(lengths...) <= g.h.rows.Rows.Cap()
}

// step does something to an object's list.
func (g *heapModel) step(r *rand.Rand) error {
	o := uint32(r.IntN(g.a.Objects.Cap()))
	row, has := g.m.RowOf(o)
	if !has {
		if _, err := g.m.Add(o); err != nil {
			return err
		}
		g.lists[o] = nil
		return nil
	}
	list, run := g.lists[o], g.h.In(&g.m.Data, row)
	touch := func() { g.m.Stamps.TouchRow(uint32(row)) } // callers of Cut, Shrink and Clear stamp the row
	switch n := r.IntN(1 + r.IntN(30)); r.IntN(9) {
	default: // some behind the last
		items, b := g.items(n + 1)
		err := g.h.Add(g.m, row, o, b)
		return g.took(o, append(slices.Clone(list), items...), err)
	case 1: // its own first ones, again
		n = min(n, len(list))
		err := g.h.Add(g.m, row, o, g.h.Bytes(run, 0, n))
		if n == 0 {
			return err
		}
		return g.took(o, append(slices.Clone(list), list[:n]...), err)
	case 2:
		items, b := g.items(n)
		if err := g.h.CheckElements(g.m, row, b); (err == nil) != (n <= int(run.Capacity) || g.fits(o, n)) {
			return fmt.Errorf("%d elements for object %d: %w", n, o, err)
		}
		return g.took(o, items, g.h.SetElements(g.m, row, b))
	case 3:
		g.h.Cut(run, min(n, len(list)))
		touch()
		g.lists[o] = list[:min(n, len(list))]
	case 4:
		g.h.Shrink(run)
		touch()
		if rows := int(run.Capacity) / g.h.Chunk; rows != rowsOf(len(list)) {
			return fmt.Errorf("%d elements keep %d rows", len(list), rows)
		}
	case 5:
		g.h.Clear(run)
		touch()
		g.lists[o] = nil
	case 6:
		_ = g.m.Remove(o)
		delete(g.lists, o)
	case 7: // several at once, as when objects are copied
		sizes := []uint32{uint32(n), uint32(r.IntN(20)), uint32(r.IntN(20))}
		lengths := []int{n, int(sizes[1]), int(sizes[2])}
		for _, l := range g.lists {
			lengths = append(lengths, len(l))
		}
		if err := g.h.Fit(sizes); (err == nil) != (rowsOf(lengths...) <= g.h.rows.Rows.Cap()) {
			return fmt.Errorf("%d more: %w", sizes, err)
		}
	}
	return nil
}

// took notes a list, unless it was refused for want of room.
func (g *heapModel) took(object uint32, list [][5]uint32, err error) error {
	switch fits := g.fits(object, len(list)); {
	case err == nil:
		g.lists[object] = list
	case fits || !errors.Is(err, ErrFull):
		return fmt.Errorf("object %d, %d elements: %w", object, len(list), err)
	}
	return nil
}

// wrong compares all lists with the model.
func (g *heapModel) wrong() error {
	for o := range uint32(g.a.Objects.Cap()) {
		row, ok := g.m.RowOf(o)
		list, has := g.lists[o]
		if ok != has {
			return fmt.Errorf("object %d has a list: %v", o, ok)
		}
		if !ok {
			continue
		}
		b := g.h.ElementsIn(g.m, row)
		if got := heapBag.Rows(b); len(got) != len(list) || !slices.Equal(got, list) {
			return fmt.Errorf("object %d has %v, not %v", o, got, list)
		}
	}
	return g.a.Verify()
}

// TestListsAgainstSlices: lists that grow, shrink, move and go, in more and in less room than they
// want; a list is refused only where all lists together need more rows than there are. Copies and
// rebuilt worlds go on as the original would.
func TestListsAgainstSlices(t *testing.T) {
	steps := 2000
	if testing.Short() {
		steps = 400
	}
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			g := newHeapModel(2+r.IntN(9), 20+r.IntN(300))
			for range g.a.Objects.Cap() {
				_ = sure(g.a.Objects.Create(0))
			}
			for i := range steps {
				said(t, g.a, func() { require.NoError(t, g.step(r), i) })
				require.NoError(t, g.wrong(), i)
				switch r.IntN(50) {
				case 0:
					g.look(sure(g.a.Clone((*Arena).Alike)))
				case 1:
					require.NoError(t, g.a.Rebuild())
				}
			}
		})
	}
}

var (
	keyNumber = layout.NewField[uint64]("number")
	keyKind   = layout.NewKind("keyed", keyNumber)
)

// TestKeysAgainstAMap: objects that get, change and lose keys, suspended ones included, are found by
// them; verify finds a key that leads elsewhere, and rebuild one that is there twice.
func TestKeysAgainstAMap(t *testing.T) {
	steps := 4000
	if testing.Short() {
		steps = 1000
	}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		objects := 3 + r.IntN(400)
		a := sure(NewArena(Sizes{
			Objects: objects, Keyed: keyKind.Spec(), Kinds: []layout.Count{keyKind.Count(objects)},
		}))
		for range objects {
			_ = sure(a.Objects.Create(0))
		}
		m, model := &a.Managers[0], map[uint64]uint32{} // keys, and the row of each
		for i := range steps {
			o := uint32(r.IntN(objects))
			row, held := m.Blocks.HeldRow(o)
			was := uint64(0)
			if held {
				was = m.Keys.of(row)
			}
			switch key := 1 + uint64(r.IntN(3*objects)); {
			case !m.Has(o) && !held:
				row := sure(m.Add(o))
				if _, taken := model[key]; !taken {
					m.Keys.Set(uint32(row), key)
					model[key] = o
				}
			case r.IntN(4) == 0 && m.Has(o):
				_ = m.Remove(o)
				delete(model, was)
			case r.IntN(6) == 0 && m.Has(o):
				require.NoError(t, m.Suspend(o))
			case m.Has(o):
				if _, taken := model[key]; !taken {
					delete(model, was)
					m.Keys.Set(row, key)
					model[key] = o
				}
			}
			if r.IntN(100) == 0 {
				a = sure(a.Clone((*Arena).Alike))
				m = &a.Managers[0]
			}
			for key := range uint64(3*objects) + 2 {
				o, has := model[key]
				row, ok := m.Keys.Row(key)
				held, _ := m.Blocks.HeldRow(o)
				require.True(t, ok == has && (!ok || row == held), "step %d, key %d", i, key)
			}
			if i%20 == 0 {
				require.NoError(t, a.Verify())
			}
		}
		require.NoError(t, a.Rebuild())
		require.NoError(t, a.Verify())
		for w := range m.Keys.table() {
			slot := &m.Keys.table()[w]
			for _, wrong := range []uint32{*slot + 1, m.Rows.count.High + 9} {
				right := *slot
				*slot = wrong
				require.Error(t, a.Verify(), "slot %d: %d, not %d", w, wrong, right)
				*slot = right
			}
		}
		m.Keys.count.Used++
		require.ErrorContains(t, m.Keys.verify(), "counted")
		m.Keys.count.Used--
	}
}
