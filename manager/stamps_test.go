package manager

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// said checks that a deed of the next tick stamps each row in use whose bytes it changes, and that
// RecentRows, if it remembers, lists the row.
func said(t *testing.T, a *Arena, deed func()) {
	t.Helper()
	*a.Tick++
	now := *a.Tick
	type kind struct {
		columns           [][]byte
		written, reshaped uint64
	}
	var was []kind
	for i := range a.Managers {
		m := &a.Managers[i]
		k := kind{written: m.Stamps.Written, reshaped: m.Stamps.Reshaped()}
		for _, c := range m.Data.Columns {
			k.columns = append(k.columns, slices.Clone(c.Bytes[:m.Rows.High()*c.Stride]))
		}
		was = append(was, k)
	}
	deed()
	for i := range a.Managers {
		m, k := &a.Managers[i], was[i]
		recent, ok := RecentRows(m, make([]uint32, 0, 2*Recent), k.written, k.reshaped)
		for column, before := range k.columns {
			c := &m.Data.Columns[column]
			for row := range uint32(min(m.Rows.High(), len(before)/c.Stride)) {
				from := int(row) * c.Stride
				if use, _ := m.Rows.use(row); use == RowUnused ||
					bytes.Equal(before[from:][:c.Stride], c.Bytes[from:][:c.Stride]) {
					continue
				}
				require.GreaterOrEqual(t, m.Stamps.Of(row>>6), now, "stamp of row %d of %s", row, m.Kind.Name)
				if !ofBlocks(&m.Rows) {
					require.GreaterOrEqual(t, m.count.Changed, now, m.Kind.Name)
				}
				if ok {
					require.Contains(t, recent, row, m.Kind.Name)
				}
			}
		}
	}
}

var touched = layout.NewComponent[uint32]("touched")

// TouchAscending stamps the same rows as TouchRows, with any gaps between the rows.
func TestTouchAscending(t *testing.T) {
	const rows = 2048
	r := rand.New(rand.NewPCG(3, 1))
	for share := 1; share <= 12; share++ { // of the rows
		a, b := sure(New(touched.Kind(), rows, rows)), sure(New(touched.Kind(), rows, rows))
		var list []uint32
		for row := range uint32(rows) {
			alone := row/64%4 == 3 // of its word
			if alone && row%64 == uint32(share) || !alone && r.IntN(12) < share {
				list = append(list, row)
			}
		}
		for _, m := range []*Manager{a, b} {
			m.count.Changed = 5
			stamps, _ := m.Stamps.ToStamp()
			for i := range stamps {
				stamps[i] = 5 // touching sets the tick, which is 1
			}
		}
		a.Stamps.TouchRows(list)
		b.Stamps.TouchAscending(list)
		want, _ := a.Stamps.ToStamp()
		got, _ := b.Stamps.ToStamp()
		require.Equal(t, want, got)
		require.Equal(t, a.Stamps.Written, b.Stamps.Written)
		require.Equal(t, a.count.Changed, b.count.Changed)
	}
}

// TestUpdateStampsItsRows: what writes all values of a kind in one call stamps the mounted rows.
func TestUpdateStampsItsRows(t *testing.T) {
	a := sure(NewArena(Sizes{Objects: 200, Kinds: []layout.Count{Position.Kind().Count(200)}}))
	positions := PositionsOf(&a.Managers[0])
	for object := range uint32(200) {
		if _ = sure(a.Objects.Create(0)); object/64 != 1 {
			Column(positions.Manager, Position)[sure(positions.Add(object))] = [3]float32{1, 2, 3}
		}
	}
	said(t, a, positions.Update)
	*a.Tick++
	positions.Update()
	require.Equal(t, []uint64{*a.Tick, *a.Tick, *a.Tick}, []uint64{positions.Stamps.Of(0), positions.Stamps.Of(1), positions.Stamps.Of(2)})
}

var (
	linkedTo   = layout.NewField[[3]gameobject.ID]("linkedTo")
	linkedKind = layout.NewKind("linked", linkedTo)
)

// TestReviseAgainstEachRow: ids of recorded creations are resolved in rows that were written since a
// tick, at some offsets, and the rows that change are stamped.
func TestReviseAgainstEachRow(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	resolve := func(id gameobject.ID) gameobject.ID { return id &^ (id >> 1 & 1 << 63) } // of some
	for n := range uint64(40) {
		since := n % 8
		m := sure(New(linkedKind, 300, 300))
		for object := range uint32(260) {
			_ = sure(m.Add(object))
		}
		ids, stamps, last := Column(m, linkedTo), slices.Clone(m.Stamps.list), uint64(0)
		for w := range stamps {
			stamps[w] = 1 + r.Uint64N(6)
			last = max(last, stamps[w])
		}
		copy(m.Stamps.list, stamps)
		m.count.Changed, *m.Stamps.tick = last, 9
		for row := range ids[:260] {
			for i := range ids[row] {
				ids[row][i] = gameobject.ID(r.Uint64N(1<<63)) | gameobject.ID(r.IntN(30)/29)<<63
			}
		}
		want, stamped := slices.Clone(ids), slices.Clone(stamps)
		for row := range want[:260] {
			for _, i := range []int{0, 2} {
				if id := want[row][i]; stamps[row>>6] >= since && id.Recorded() && resolve(id) != id {
					want[row][i], stamped[row>>6] = resolve(id), 9
				}
			}
		}
		Revise(m, 0, []int{0, 16}, since, resolve)
		require.Equal(t, want, ids)
		require.Equal(t, stamped, m.Stamps.list, "since %d", since)
	}
}
