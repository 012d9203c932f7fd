package manager

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
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

func newHeapModel(objects, elements int, packed bool) *heapModel {
	c := layout.Count{Kind: heapKind, Rows: objects, Elements: uint32(elements), Packed: packed}
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

// fitsMore reports whether there is room for more lists of these lengths, in their order. Some are of
// lists that are freed.
func (g *heapModel) fitsMore(sizes ...uint32) bool {
	used := 0
	for _, list := range g.lists {
		used += rowsOf(len(list))
	}
	for _, n := range sizes {
		if n&Freed != 0 {
			used -= rowsOf(int(n &^ Freed))
		} else if used += rowsOf(int(n)); n > 0 && used > g.h.rows.Rows.Cap() {
			return false
		}
	}
	return true
}

// without gives an object its list: an empty one, a copy of that of object src, or its first one.
func (g *heapModel) without(r *rand.Rand, o, src uint32) error {
	list := g.lists[src]
	n := uint32(len(list))
	switch r.IntN(3) {
	case 0:
		if err := CheckLists(g.m, src); (err == nil) != g.fitsMore(n) {
			return fmt.Errorf("a copy of %d elements: %w", n, err)
		}
		if _, has := g.lists[src]; has && g.fitsMore(n) {
			g.m.Copy(o, src)
			g.lists[o] = slices.Clone(list)
			return nil
		}
	case 1:
		items, _ := g.items(r.IntN(12))
		other, v := heapBag.Value(make([][5]uint32, r.IntN(30))...), heapBag.Value(items...)
		lists := ListsOf(g.m, heapBag.Spec())
		first := lists.GiveFirst(lists.GiveFirst(nil, g.m, &other), g.m, &v)
		count := 1 + r.IntN(4)
		sizes := slices.Repeat([]uint32{uint32(len(items))}, count)
		if err := first.Check(count); (err == nil) != g.fitsMore(sizes...) || first.Length(lists) != len(items) {
			return fmt.Errorf("%d first lists of %d of %d elements: %w", count, first.Length(lists), len(items), err)
		}
		_ = sure(g.m.Add(o))
		if g.lists[o] = nil; g.fitsMore(sizes[0]) {
			first.Fill(0, 1<<o)
			g.lists[o] = items
		}
		return nil
	}
	g.lists[o] = nil
	_, err := g.m.Add(o)
	return err
}

// step does something to an object's list.
func (g *heapModel) step(r *rand.Rand) error {
	o := uint32(r.IntN(g.a.Objects.Cap()))
	row, has := g.m.RowOf(o)
	if !has {
		return g.without(r, o, uint32(r.IntN(g.a.Objects.Cap())))
	}
	list, run := g.lists[o], g.h.In(&g.m.Data, row)
	touch := func() { g.m.Stamps.TouchRow(uint32(row)) } // callers of Cut, Shrink and Clear stamp the row
	switch n := r.IntN(1 + r.IntN(30)); r.IntN(11) {
	default: // some behind the last
		items, b := g.items(n + 1)
		err := g.h.Add(g.m, row, o, b)
		return g.took(o, append(slices.Clone(list), items...), err)
	case 1: // the first ones of its own, or of another one, again
		from, held := g.m.RowOf(uint32(r.IntN(g.a.Objects.Cap())))
		if !held || r.IntN(2) == 0 {
			from = row
		}
		other := heapBag.Rows(g.h.ElementsIn(g.m, from))
		n = min(n, len(other))
		other = slices.Clone(other[:n])
		err := g.h.Add(g.m, row, o, g.h.Bytes(g.h.In(&g.m.Data, from), 0, n))
		if n == 0 {
			return err
		}
		return g.took(o, append(slices.Clone(list), other...), err)
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
		sizes := []uint32{uint32(n), uint32(len(list)) | Freed, uint32(r.IntN(20)), uint32(r.IntN(20))}
		sizes = sizes[r.IntN(4):]
		if err := g.h.Fit(sizes); (err == nil) != g.fitsMore(sizes...) {
			return fmt.Errorf("%x more: %w", sizes, err)
		}
		objects, lengths := []uint32{o, uint32(r.IntN(g.a.Objects.Cap()))}, []uint32{0, 0}
		err := CheckEachList(g.m, objects, lengths)
		if (err == nil) != g.fitsMore(uint32(len(list)), uint32(len(g.lists[objects[1]]))) {
			return fmt.Errorf("copies of %d: %w", objects, err)
		}
	case 8: // all may be written
		return g.stamp(run, r.IntN(2) == 0)
	}
	return nil
}

// stamp has all elements written: their rows are stamped, and no others.
func (g *heapModel) stamp(of *layout.Run, shared bool) error {
	*g.a.Tick++
	want := slices.Clone(g.h.rows.Stamps.list)
	for _, run := range g.h.runs() {
		for row := range run.Capacity / 3 {
			want[(run.First+row)>>6] = *g.a.Tick
		}
	}
	if g.h.StampEach(g.h.runs(), shared); shared {
		StampedLists(g.m)
	}
	if !slices.Equal(want, g.h.rows.Stamps.list) {
		return fmt.Errorf("stamps %d, not %d", g.h.rows.Stamps.list, want)
	}
	if tick := g.h.ElementsTick(of); of.Capacity > 0 && tick != *g.a.Tick {
		return fmt.Errorf("stamped at tick %d", tick)
	}
	return nil
}

// differ has the first difference from a copy name an element that differs, and a length.
func (g *heapModel) differ(t *testing.T, r *rand.Rand) {
	t.Helper()
	for o, list := range g.lists {
		if len(list) == 0 {
			continue
		}
		c := sure(g.a.Clone((*Arena).Alike))
		m := &c.Managers[0]
		row, _ := m.RowOf(o)
		at := r.IntN(len(list))
		HeapOf(m, heapBag.Spec()).ElementsIn(m, row)[20*at+4] ^= 8
		d, _ := g.a.FirstDifference(c)
		require.Equal(t, []any{fmt.Sprintf("heap.bag[%d]", at), o}, []any{d.Part, d.Object.Index()})
		x := list[at]
		x[1] ^= 8
		require.Equal(t, [2]string{fmt.Sprint(list[at]), fmt.Sprint(x)}, d.Values)
		c.CopyFrom(g.a, 0)
		HeapOf(m, heapBag.Spec()).Cut(HeapOf(m, heapBag.Spec()).In(&m.Data, row), at)
		d, _ = g.a.FirstDifference(c)
		require.Equal(t, []any{"length of heap.bag", o}, []any{d.Part, d.Object.Index()})
		require.Equal(t, [2]string{fmt.Sprint(len(list)), fmt.Sprint(at)}, d.Values)
		c.Free()
		return
	}
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
		run, tick := g.h.In(&g.m.Data, row), uint64(0)
		for i := range run.Capacity / uint32(g.h.Chunk) {
			tick = max(tick, g.h.rows.Stamps.Of((run.First+i)>>6))
		}
		if got := g.h.ElementsTick(run); got != tick {
			return fmt.Errorf("object %d has elements of tick %d, not %d", o, got, tick)
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
			g := newHeapModel(2+r.IntN(9), 20+r.IntN(300), seed%3 == 0)
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
				case 2:
					g.differ(t, r)
					for range 30 {
						checkDamaged(t, g.a, 1, func(a *Arena) string { return hurt(r, a) })
					}
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
		checkWrongKeys(t, a)
	}
}

// checkWrongKeys has verify find wrong slots and counters, and rebuild two rows of one key.
func checkWrongKeys(t *testing.T, a *Arena) {
	t.Helper()
	m := &a.Managers[0]
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
	if rows := slices.Collect(m.Rows.Each); len(rows) > 1 && m.Keys.of(uint32(rows[1])) != 0 {
		twice := sure(a.Clone((*Arena).Alike))
		b := twice.Managers[0].Data.Columns[0].Bytes
		copy(b[8*rows[0]:][:8], b[8*rows[1]:])
		require.ErrorContains(t, twice.Rebuild(), "both have")
	}
	m.Keys.count.Used++
	require.ErrorContains(t, m.Keys.verify(), "counted")
	m.Keys.count.Used--
}

// TestEachListed: the ids in the lists of an object are given, each in its place.
func TestEachListed(t *testing.T) {
	friends := layout.NewListField[gameobject.ID]("friends")
	c := layout.Count{Kind: layout.NewKind("social", friends), Rows: 4, Elements: 40}
	a := sure(NewArena(Sizes{Objects: 4, Kinds: append(c.AppendLists([]layout.Count{c}, 4), friends.Spec().List.Free.Handle().Count(1))}))
	_ = sure(a.Managers[2].Create())
	m := &a.Managers[0]
	for o := range uint32(3) {
		_ = sure(a.Objects.Create(0))
		row := sure(m.Add(o))
		for n := range o * 5 {
			require.NoError(t, ListsOf(m, friends.Spec()).Add(m, row, o, friends.Bytes([]gameobject.ID{gameobject.MakeID(n, o)})))
		}
		EachListed(m, o, next{})
		var want []gameobject.ID
		for n := range o * 5 {
			want = append(want, gameobject.MakeID(n+1, o))
		}
		got := friends.Rows(HeapOf(m, friends.Spec()).ElementsIn(m, row))
		require.True(t, slices.Equal(want, got), "%v, not %v", got, want)
	}
	EachListed(m, 3, next{})
	require.Nil(t, ListsOf(m, heapBag.Spec()))
	room := HeapOf(m, friends.Spec()).Room()
	require.Same(t, friends.Spec(), room.Field())
	require.Nil(t, new(HeapRoom).Field())
}

type next struct{}

func (next) Redirect(id *gameobject.ID) { *id++ }
