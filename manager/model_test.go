package manager

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

var (
	weight    = layout.NewField("weight", [2]float32{3, 4})
	team      = layout.NewField[uint8]("team", 7)
	modelKind = layout.NewKind("model", weight, team)
	modelMark = layout.NewMark("modelMark")
)

// A model is a manager of maps and slices, as anyone would write it first.
type model struct {
	rows    int
	row     map[uint32]uint32 // object → row
	object  map[uint32]uint32 // row → object, or unmounted
	free    []uint32          // rows disposed, the last one last
	high    uint32
	touched map[uint32]float32 // row → weight that was written
}

func newModel(rows int) *model {
	return &model{rows: rows, row: map[uint32]uint32{}, object: map[uint32]uint32{}, touched: map[uint32]float32{}}
}

func (m *model) take() (uint32, bool) {
	if n := len(m.free); n > 0 {
		row := m.free[n-1]
		m.free = m.free[:n-1]
		return row, true
	}
	if int(m.high) == m.rows {
		return 0, false
	}
	m.high++
	return m.high - 1, true
}

func (m *model) add(object, home uint32) (uint32, bool) {
	if _, has := m.row[object]; has {
		return 0, false
	}
	row := home
	if i := slices.Index(m.free, home); i >= 0 {
		m.free = slices.Delete(m.free, i, i+1)
	} else if next, ok := m.take(); ok {
		row = next
	} else {
		return 0, false
	}
	m.row[object], m.object[row] = row, object
	return row, true
}

func (m *model) dispose(row uint32) {
	if o := m.object[row]; o != unmounted {
		delete(m.row, o)
	}
	delete(m.object, row)
	delete(m.touched, row)
	m.free = append(m.free, row)
}

// step does one random operation on both and compares the answers.
func step(r *rand.Rand, m *Manager, want *model, objects int) error {
	object := r.Uint32N(uint32(objects))
	switch r.IntN(8) {
	case 0, 1, 2:
		return stepAdd(m, want, object)
	case 3, 4:
		row, has := want.row[object]
		if err := m.Remove(object); (err == nil) != has {
			return fmt.Errorf("remove %d: %v, want %v", object, err, has)
		}
		if has {
			want.dispose(row)
		}
	case 5:
		row, err := m.Create()
		w, ok := want.take()
		if (err == nil) != ok || ok && uint32(row) != w {
			return fmt.Errorf("create: %d %v, want %d %v", row, err, w, ok)
		}
		if ok {
			want.object[w] = unmounted
		}
	case 6:
		return stepMount(r, m, want, object)
	case 7:
		if row, ok := anyRow(r, want); ok {
			m.Dispose(layout.Row(row))
			want.dispose(row)
		}
	}
	return nil
}

func stepAdd(m *Manager, want *model, object uint32) error {
	home := object + m.bases[object>>6] // before the block may re-base
	row, err := m.Add(object)
	w, ok := want.add(object, home)
	if (err == nil) != ok || ok && w != uint32(row) {
		return fmt.Errorf("add %d: row %d %v, want %d %v", object, row, err, w, ok)
	}
	if ok {
		value := float32(row) + 0.5
		layout.Flat[float32](weight, Column(m, weight))[2*row], want.touched[w] = value, value
	}
	return nil
}

func stepMount(r *rand.Rand, m *Manager, want *model, object uint32) error {
	row, ok := anyRow(r, want)
	if !ok {
		return nil
	}
	_, has := want.row[object]
	fits := !has && want.object[row] == unmounted
	if err := m.Mount(object, layout.Row(row)); (err == nil) != fits {
		return fmt.Errorf("mount %d on %d: %v, want %v", row, object, err, fits)
	}
	if fits {
		want.row[object], want.object[row] = row, object
	}
	return nil
}

func anyRow(r *rand.Rand, want *model) (uint32, bool) {
	if want.high == 0 {
		return 0, false
	}
	row := r.Uint32N(want.high)
	_, ok := want.object[row]
	return row, ok
}

// compare rebuilds every word from the model.
func compare(m *Manager, want *model, objects int) error {
	if m.MaxIndex() != int(want.high) || m.Live() != len(want.object) || m.Mounted() != len(want.row) {
		return fmt.Errorf("counts %+v, want %d high %d live %d mounted", *m.count, want.high, len(want.object), len(want.row))
	}
	for object := range uint32(objects) {
		row, ok := m.RowOf(object)
		w, has := want.row[object]
		if ok != has || m.Has(object) != has || ok && uint32(row) != w {
			return fmt.Errorf("object %d: row %d %v, want %d %v", object, row, ok, w, has)
		}
	}
	for row := range want.high {
		o, used := want.object[row]
		mounted := used && o != unmounted
		if got := m.mounted[row>>6]>>(row&63)&1 != 0; got != mounted {
			return fmt.Errorf("row %d: mounted %v, want %v", row, got, mounted)
		}
		value, ok := want.touched[row]
		if !ok {
			value = 3
		}
		if got := layout.Flat[float32](weight, Column(m, weight))[2*row:][:2]; got[0] != value || got[1] != 4 || Column(m, team)[row] != 7 {
			return fmt.Errorf("row %d holds %v, want %v", row, got, value)
		}
	}
	if err := compareFree(m, want); err != nil {
		return err
	}
	if err := compareRows(m, want); err != nil {
		return err
	}
	return compareBlocks(m)
}

// compareRows compares the lists of rows of all, a half and a few of the objects of each block.
func compareRows(m *Manager, want *model) error {
	for k := range m.Blocks {
		for _, some := range []uint64{full, 0x5555_5555_5555_5555, 0xff << (k & 31)} {
			var rows [64]uint32
			x := m.Blocks[k].present & some
			got, straight := m.RowsOf(&rows, uint32(k), x), true
			for n := uint32(0); x != 0; n, x = n+1, x&(x-1) {
				w := want.row[uint32(k<<6+bits.TrailingZeros64(x))]
				if straight = straight && w == rows[0]+n; rows[n] != w {
					return fmt.Errorf("block %d: row %d of %x is %d, want %d", k, n, some, rows[n], w)
				}
			}
			if got != straight {
				return fmt.Errorf("block %d: rows of %x are straight: %v, want %v", k, some, got, straight)
			}
		}
	}
	return nil
}

func compareFree(m *Manager, want *model) error {
	before, row := uint32(0), m.count.Free
	for i := range want.free {
		w := want.free[len(want.free)-1-i]
		if row != w+1 || m.links[w] != before {
			return fmt.Errorf("free list entry %d is %d after %d, want row %d", i, row, m.links[w], w)
		}
		before, row = row, m.objects[w]&^free
	}
	if row != 0 {
		return fmt.Errorf("free list goes on with %d", row)
	}
	return nil
}

// compareBlocks rebuilds blocks, groups, pages and kinds from row and base alone.
func compareBlocks(m *Manager) error {
	var pages [pageSizes]int
	for k := range m.Blocks {
		var present, odd uint64
		for row := range m.count.High {
			if o := m.objects[row]; o < free && int(o>>6) == k {
				present |= 1 << (o & 63)
				if row-o != m.bases[k] {
					odd |= 1 << (o & 63)
				}
			}
		}
		b := m.Blocks[k]
		if b.present != present || b.Odd != odd || b.Base != m.bases[k] {
			return fmt.Errorf("block %d is %x, want present %x odd %x base %x", k, b, present, odd, m.bases[k])
		}
		if odd != 0 {
			if !m.isPage(b) {
				return fmt.Errorf("block %d of odd objects %x has %s, and spare pages are %+v", k, odd, pageName(b.Page), m.spare)
			}
			pages[b.Page&sizeMask]++
		}
		if some := m.Groups[k>>6].Any>>(k&63)&1 != 0; some != (present != 0) {
			return fmt.Errorf("block %d: any %v", k, some)
		}
		if in := m.kinds.words[k] != 0; in != (present != 0) {
			return fmt.Errorf("block %d: kind bit %v", k, in)
		}
		whole := func(i int) bool { return i >= 0 && m.Blocks[i].present == full && m.Blocks[i].Odd == 0 }
		joined := whole(k) && (!whole(k-1) || m.Blocks[k-1].Base == b.Base)
		if got := m.Groups[k>>6].Whole>>(k&63)&1 != 0; got != joined {
			return fmt.Errorf("block %d: whole %v, want %v", k, got, joined)
		}
	}
	for size, want := range pages {
		unused, s := 0, m.spare[size]
		for p := s.Free; p != 0; p = m.pageRows((p-1)<<sizeBits | uint32(size))[0] {
			unused++
		}
		if int(s.High)-unused != want {
			return fmt.Errorf("%d pages of size %d of which %d are unused, want %d in use", s.High, size, unused, want)
		}
	}
	return nil
}

// TestManagerAgainstModel: random operations on managers of many sizes, against maps.
func TestManagerAgainstModel(t *testing.T) {
	for _, size := range []struct{ rows, objects, steps int }{
		{1, 1, 50},
		{10, 64, 500},
		{64, 64, 1000},
		{64, 65, 1000},
		{200, 300, 4000},
		{300, 200, 4000},
		{5, 500, 1000},
		{4200, 4300, 3000},
	} {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		m := sure(New(modelKind, size.rows, size.objects))
		want := newModel(size.rows)
		for i := range size.steps {
			err := step(r, m, want, size.objects)
			if err == nil && (size.objects < 100 || i%50 == 0 || i == size.steps-1) {
				err = compare(m, want, size.objects)
			}
			if err != nil {
				t.Fatalf("seed %d, %+v, step %d: %v", seed, size, i, err)
			}
		}
	}
}

// TestLockstepComesBack: objects that lose a kind and get it back in any order end in lockstep.
func TestLockstepComesBack(t *testing.T) {
	const n = 10_000
	m := sure(New(modelKind, n, n))
	for o := range uint32(n) {
		if _, err := m.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		some := r.Perm(n)[:n/100]
		for _, o := range some {
			if err := m.Remove(uint32(o)); err != nil {
				t.Fatal(err)
			}
		}
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		for _, o := range some {
			if _, err := m.Add(uint32(o)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, b := range m.Blocks {
		if b.Odd != 0 {
			t.Errorf("block %d has odd objects %x", k, b.Odd)
		}
	}
	if got := m.Groups[0].Whole; got != full {
		t.Errorf("first group is whole in %x, want all", got)
	}
}
