package manager

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// compare compares the bytes of a world changed by many at once with one changed one by one.
func (s *story) compare() {
	for i := range s.a.Parts() {
		at, by := s.a.Parts()[i], s.by.Parts()[i]
		if s.room > 0 {
			at.Bytes, by.Bytes = s.a.Used(&at), s.by.Used(&by)
		}
		if !bytes.Equal(at.Bytes, by.Bytes) {
			s.Fatalf("%s of %s is %x, and one by one %x", at.Name, at.Owner, at.Bytes, by.Bytes)
		}
	}
}

// check compares rows, values, blocks and what changed with the model.
func (s *story) check() {
	require.NoError(s, s.a.Verify())
	require.Equal(s, len(s.live), s.a.Objects.Live())
	for k := range s.used {
		s.checkKind(k)
	}
	s.checkKindsNear()
	s.checkMatches()
	if s.watched {
		s.look(s.r.IntN(len(s.told)))
	}
}

// checkKind compares one kind: its objects, their rows, and the values.
func (s *story) checkKind(k int) {
	m, since := &s.a.Managers[k], *s.a.Tick-min(*s.a.Tick, s.r.Uint64N(8))
	n := s.r.IntN(m.Rows.Cap() + 2)
	require.Equal(s, s.full(k, n) && !ByBlock(m), CheckRoom(n, &s.a.Managers[theMark], m) != nil, "%d more of %s", n, m.Kind.Name)
	var mounted []layout.Row
	for _, id := range s.ids {
		object := id.Index()
		p, held := s.live[id][k]
		if has := m.Has(object); has != s.has(id, k) || has != IsOn(m, uint(object)) {
			s.Fatalf("%v has %s: %t", id, m.Kind.Name, has)
		}
		at, kept := m.Blocks.HeldRow(object)
		row, use := layout.Row(at), RowUnused
		switch {
		case m.Has(object):
			use = RowMounted
		case kept:
			use = RowSuspended
		}
		if want := useOf(p, held); want != use {
			s.Fatalf("%s of %v is used as %v, not %v", m.Kind.Name, id, use, want)
		}
		if m.Kind.Mark || !held {
			continue
		}
		if got, of := m.Rows.Use(row); got != use || of != object {
			s.Fatalf("row %d of %s is used as %v on %d, not %v on %v", row, m.Kind.Name, got, of, use, id)
		}
		s.checkValues(k, row, p)
		if p.suspended {
			continue
		}
		mounted = append(mounted, row)
		s.checkLockstep(k, object, row)
		if p.written > since && m.Changed(object>>6, 1<<(object&63), since) == 0 {
			s.Fatalf("%s of %v was written at %d, and is not changed since %d", m.Kind.Name, id, p.written, since)
		}
	}
	if m.Kind.Mark {
		return
	}
	slices.Sort(mounted)
	require.Equal(s, mounted, slices.Collect(m.Rows.Each))
	require.Equal(s, []int{len(mounted), s.used[k] + len(s.loose[k]), len(s.loose[k]), s.used[k] - len(mounted)},
		[]int{m.Mounted(), m.Live(), m.Rows.Loose(), m.Rows.Suspended()})
	s.checkRows(m, someObjects(s.r), since)
	if s.r.IntN(len(s.used)) < 2 { // it takes long
		s.checkLists(m, mounted)
		s.checkHomes(m)
	}
}

// checkLists compares what lists the rows of a kind that are on objects, and the objects.
func (s *story) checkLists(m *Manager, mounted []layout.Row) {
	rows, owners, ids := []uint32{}, []uint32{}, []gameobject.ID{}
	for _, row := range mounted {
		object, _ := m.ObjectOf(row)
		rows, owners, ids = append(rows, uint32(row)), append(owners, object), append(ids, s.a.Objects.At(object))
	}
	got, objects := make([]gameobject.ID, len(ids)), make([]uint32, len(ids))
	m.Rows.IDs(got, rows)
	require.Equal(s, ids, got)
	at, end, few := 0, -1, s.r.IntN(len(rows)+1)
	for row, n := range m.Rows.Runs {
		require.True(s, row > end && row == int(rows[at]), "runs do not touch")
		m.Rows.IDsFrom(got[:n], uint32(row))
		m.Rows.Owners(objects[:n], uint32(row))
		require.Equal(s, ids[at:at+n], got[:n])
		require.Equal(s, owners[at:at+n], objects[:n])
		if at, end = at+n, row+n; at > few {
			break
		}
	}
	require.True(s, at > few || at == len(rows))
	for row := range m.Rows.Each {
		require.Equal(s, mounted[0], row)
		break
	}
	use, _ := m.Rows.Use(layout.Row(m.Rows.High()))
	require.Equal(s, RowUnused, use)
}

// checkHomes compares the rows that objects without the component would get, with their use.
func (s *story) checkHomes(m *Manager) {
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		busy := uint64(0)
		for object := range objectsOf(block, full&^m.Blocks.Holds(block)) {
			if int(object) >= s.a.Objects.Cap() {
				break
			}
			row, ok := m.Blocks.Home(object)
			use, _ := m.Rows.Use(row)
			free := use == RowUnused && uint(row) < uint(m.Rows.High()) && (!ByBlock(m) || m.Rows.Owner(uint32(row)) == object)
			if !free {
				busy |= 1 << (object & 63)
			}
			if free != ok {
				s.Fatalf("%s of object %d: home row %d, free %t", m.Kind.Name, object, row, ok)
			}
		}
		some := someObjects(s.r) &^ m.Blocks.Holds(block) & s.a.Objects.Words()[block]
		require.Equal(s, busy&some, m.Blocks.Busy(block, some))
	}
}

// useOf returns the use of the row of a component.
func useOf(p part, held bool) RowUse {
	switch {
	case !held:
		return RowUnused
	case p.suspended:
		return RowSuspended
	}
	return RowMounted
}

// checkLockstep compares the two ways to an object's row, and the way back.
func (s *story) checkLockstep(k int, object uint32, row layout.Row) {
	m := &s.a.Managers[k]
	at, lockstep := uint(row), m.Blocks.InLockstep(object>>6)>>(object&63)&1 != 0
	if k != goods {
		at, lockstep = m.Places[0].InLockstep(uint(object))
	}
	if odd := m.Blocks.Odd(object>>6)>>(object&63)&1 != 0; lockstep == odd || lockstep && at != uint(row) {
		s.Fatalf("%s of object %d is in row %d, in lockstep %t in %d, odd %t", m.Kind.Name, object, row, lockstep, at, odd)
	}
	if in, ok := m.Blocks.InPlace(object); ok != lockstep || ok && uint(in) != at {
		s.Fatalf("%s of object %d is in place in row %d: %t", m.Kind.Name, object, in, ok)
	}
	if o, ok := m.ObjectOf(row); !ok || o != object {
		s.Fatalf("row %d of %s is on %d", row, m.Kind.Name, o)
	}
	if got, ok := m.RowOf(object); !ok || got != row {
		s.Fatalf("%s of object %d is in row %d, and kept in row %d", m.Kind.Name, object, got, row)
	}
}

// checkValues compares all bytes of a row.
func (s *story) checkValues(k int, row layout.Row, p part) {
	if k == goods {
		require.Equal(s, p.value, s.a.Managers[k].Data.Values.Value(int(row)))
	}
	for i, f := range s.a.Managers[k].Kind.Fields {
		want := slices.Clone(f.Default)
		if i == 0 {
			binary.LittleEndian.PutUint32(want, p.value)
		}
		c := &s.a.Managers[k].Data.Columns[i]
		if got := c.Bytes[int(row)*c.Stride:][:c.Stride]; !slices.Equal(want, got) {
			s.Fatalf("%s of row %d of %s is %x, not %x", f.Name, row, s.a.Managers[k].Kind.Name, got, want)
		}
	}
}

// checkRows compares the list of the rows of some objects of each block with the row of each, and
// which of them changed since a tick with the stamps of the rows.
func (s *story) checkRows(m *Manager, some, since uint64) {
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		var rows [64]uint32
		x, changed := m.Blocks.Present(block)&some, uint64(0)
		got, straight, n := m.Blocks.RowsOf(&rows, block, x), true, uint32(0)
		for object := range objectsOf(block, x) {
			row, _ := m.RowOf(object)
			straight = straight && uint32(row) == rows[0]+n
			if require.Equal(s, uint32(row), rows[n]); m.Stamps.Of(uint32(row)>>6) > since {
				changed |= 1 << (object & 63)
			}
			n++
		}
		require.Equal(s, straight, got)
		require.Equal(s, changed, m.Changed(block, x, since))
	}
}

// checkKindsNear compares the kinds of each 8 objects with the kinds that they have or keep, in
// worlds of more than 64 kinds, where the kinds of a block are exact.
func (s *story) checkKindsNear() {
	if len(s.ids) > 0 {
		id := s.ids[s.r.IntN(len(s.ids))]
		near := slices.Collect(s.a.AmongNear(id.Index()))
		for k := range s.live[id] {
			require.Contains(s, near, &s.a.Managers[k])
		}
	}
	if s.a.Words == 1 {
		require.Empty(s, s.a.eights)
		return
	}
	want := make([]uint64, len(s.a.eights))
	for id, parts := range s.live {
		for k := range parts {
			want[int(id.Index()>>3)*s.a.Words+k>>6] |= 1 << (k & 63)
		}
	}
	require.Equal(s, want, s.a.eights)
}

// look has a watcher look.
func (s *story) look(i int) {
	var left, entered []gameobject.ID
	now, was := map[gameobject.ID]bool{}, &s.told[i]
	for id := range s.live {
		if s.matches(id, i) {
			if now[id] = true; !was.were[id] || was.gone[id] {
				entered = append(entered, id)
			}
		}
	}
	for id := range was.were {
		if !now[id] || was.gone[id] {
			left = append(left, id)
		}
	}
	last, w := was.last, &s.a.Watchers[i]
	w.Look()
	s.by.Watchers[i].Look()
	for _, list := range [][]gameobject.ID{left, entered} {
		slices.SortFunc(list, func(a, b gameobject.ID) int { return int(a.Index()) - int(b.Index()) })
	}
	require.Equal(s, left, slices.Collect(w.Left))
	require.Equal(s, entered, slices.Collect(w.Entered))
	require.Equal(s, len(now), w.Count())
	for _, id := range left {
		if i == 0 {
			require.Equal(s, last[id], s.lastOf(w, id))
		}
	}
	require.Len(s, slices.Collect(w.Members), len(now))
	for id := range w.Members {
		require.True(s, now[id])
		break
	}
	*was = newTold(now)
	for id := range now {
		s.note(id)
	}
}

// lastOf returns the last values of an object that left.
func (s *story) lastOf(w *Watcher, id gameobject.ID) (values [2]uint32) {
	row, ok := w.Last(id)
	require.True(s, ok, "values of %v are kept", id)
	for i, f := range storyKeep.Fields {
		c := w.LastColumn(f)
		values[i] = binary.LittleEndian.Uint32(c.Bytes[row*c.Stride:])
	}
	return values
}

// A glance is which rows of a kind were on objects, and its counters of changes then.
type glance struct {
	bits              []uint64
	written, reshaped uint64
}

// checkRecent compares the rows that a kind lists as changed with the rows that changed since its
// last look.
func (s *story) checkRecent() {
	k := s.r.IntN(len(s.used))
	m, was := &s.a.Managers[k], &s.seen[k]
	if m.Kind.Mark {
		return
	}
	rows, ok := RecentRows(m, make([]uint32, 0, 2*Recent), was.written, was.reshaped)
	now := make([]uint64, (m.Rows.Cap()+63)/64)
	for w := range now {
		now[w] = m.Rows.Bits(uint32(w))
		if len(was.bits) == 0 || now[w] == was.bits[w] {
			continue
		}
		require.NotEqual(s, was.reshaped, m.Stamps.Reshaped())
		for row := range objectsOf(uint32(w), now[w]^was.bits[w]) {
			if ok {
				require.Contains(s, rows, row, m.Kind.Name)
			}
		}
	}
	if s.r.IntN(4) == 0 || len(was.bits) == 0 {
		*was = glance{now, m.Stamps.Written, m.Stamps.Reshaped()}
	}
}

// copied updates the twin, and derives its derived parts.
func (s *story) copied() {
	if s.r.IntN(8) == 0 {
		s.reload()
	}
	s.twin.CopyFrom(s.a, s.since)
	s.since = *s.a.Tick
	require.True(s, s.twin.Equal(s.a))
	require.NoError(s, s.twin.Verify())
	require.Equal(s, s.a.Bytes, s.twin.Bytes)
	for row := range s.a.Managers[goods].Rows.High() {
		require.Equal(s, s.a.Managers[goods].Data.Values.Value(row), s.twin.Managers[goods].Data.Values.Value(row))
	}
	if s.r.IntN(4) == 0 {
		require.NoError(s, s.twin.Rebuild())
		require.NoError(s, s.twin.Verify())
		require.Equal(s, s.a.Digest(), s.twin.Digest())
		s.since = 0 // the twin's ticks of turns are others
	}
	*s.a.Tick++ // so that the next copy is of what changes from now on
	*s.by.Tick++
}

// reload makes the twin a new world, and then has it take the truth of the world, as a file does.
func (s *story) reload() {
	a, blank := s.twin, begunStory(s.shape)
	defer blank.Free()
	if s.r.IntN(2) == 0 {
		a.Empty(func(*Part) int { return 0 })
		for i := range a.Parts() {
			require.Equal(s, blank.Parts()[i].Bytes, a.Parts()[i].Bytes, "%s of a new world", a.Parts()[i].Name)
		}
	}
	a.Empty(func(p *Part) int { return len(s.a.Used(p)) })
	for i := range a.Parts() {
		if p := &a.Parts()[i]; p.Truth {
			copy(p.Bytes, s.a.Used(p))
		}
	}
	for row := range a.Managers[goods].Rows.High() {
		require.Equal(s, uint32(9), a.Managers[goods].Data.Values.Value(row))
	}
	require.NoError(s, a.Rebuild())
	require.NoError(s, a.Verify())
	for i := range a.Parts() {
		if p := &a.Parts()[i]; p.Truth {
			require.Equal(s, s.a.Parts()[i].Bytes, p.Bytes, p.Name)
		}
	}
	s.since = 0
}

// checkDifference has the first difference between the world and its twin, which is equal, name what
// is changed in the twin: a byte of a value, or that an object has a kind.
func (s *story) checkDifference() {
	k := s.r.IntN(len(s.used))
	i := slices.IndexFunc(s.ids, func(id gameobject.ID) bool { return s.has(id, k) && k != theMark && k != goods })
	if i < 0 {
		return
	}
	m, id := &s.twin.Managers[k], s.ids[i]
	row, _ := m.RowOf(id.Index())
	f := m.Kind.Fields[s.r.IntN(len(m.Kind.Fields))]
	at := int(row)*f.Stride + s.r.IntN(f.Stride)
	m.Data.Columns[f.Index].Bytes[at] ^= 1 << s.r.IntN(8)
	texts := [2]string{}
	for i, a := range []*Arena{s.a, s.twin} {
		texts[i] = Text(f, a.Managers[k].Data.Columns[f.Index].Bytes[int(row)*f.Stride:][:f.Stride])
	}
	d := s.differ()
	require.Equal(s, []any{m.Kind.Name, f.Name, id, int(row)}, []any{d.Kind, d.Field, d.Object, d.Row})
	require.Equal(s, texts, d.Values)
	m.Data.Columns[f.Index].Bytes[at] = s.a.Managers[k].Data.Columns[f.Index].Bytes[at]
	*s.twin.Tick++
	m.Stamps.TouchRow(uint32(row))
	d = s.differ()
	require.Equal(s, []any{"last write of " + m.Kind.Name, [2]uint64{*s.a.Tick, *s.twin.Tick}}, []any{d.Part, d.Tick})
	m.Drop(id.Index())
	d = s.differ()
	require.Equal(s, []any{"has " + m.Kind.Name, id}, []any{d.Part, d.Object})
	require.Equal(s, [2]string{"yes", "no"}, d.Values)
	s.twin.CopyFrom(s.a, 0)
}

// differ returns the first difference between the world and its twin, which is the same from the
// other side.
func (s *story) differ() Difference {
	d, differ := s.a.FirstDifference(s.twin)
	require.True(s, differ)
	back, differ := s.twin.FirstDifference(s.a)
	require.True(s, differ)
	slices.Reverse(back.Values[:])
	slices.Reverse(back.Tick[:])
	require.Equal(s, d, back)
	return d
}

// deeds are operations on three objects; the test carries out all sequences of them.
func (s *story) deeds() (list []func()) {
	for _, id := range slices.Clone(s.ids) {
		for _, do := range []func(){
			func() { s.add(id, two) }, func() { s.drop(id, two) }, func() { s.suspend(id, two) },
			func() { s.add(id, scarce) }, func() { s.mount(id, scarce) },
			func() { s.dropAll(id) }, func() { s.dispose(id) },
		} {
			list = append(list, func() {
				if s.live[id] != nil {
					do()
				}
			})
		}
	}
	return append(
		list, s.create, s.copied, func() { s.spawn(1, true) }, func() { s.loosen(scarce) },
		func() { s.addBlock(two, 0, 5) }, func() { s.dropBlock(two, 0, 3, true) },
		func() { s.disposeBlock(0, s.a.Objects.Words()[0]&6) },
	)
}

// TestEverySequenceOfStories carries out all sequences of a few operations.
func TestEverySequenceOfStories(t *testing.T) {
	length := 3
	if testing.Short() {
		length = 2
	}
	for _, of := range []shape{
		{objects: 70, alive: 3, watched: true}, {objects: 70, alive: 3, byBlock: 1<<0 | 1<<two},
	} {
		s := newStory(t, 1, of)
		blank, deeds := newStory(t, 1, shape{of.objects, 0, of.byBlock, of.more, of.watched, of.room}), s.deeds()
		for sequence := range int(math.Pow(float64(len(deeds)), float64(length))) {
			for rest, i := sequence, 0; i < length; i++ {
				deeds[rest%len(deeds)]()
				rest /= len(deeds)
			}
			s.compare()
			s.check()
			s.a.CopyFrom(blank.a, 0)
			s.by.CopyFrom(blank.a, 0)
			s.begin()
		}
		s.close()
		blank.close()
	}
}

// someObjects returns objects of a block: one, all, a run, or any.
func someObjects(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return r.Uint64() | r.Uint64()
	case 1:
		return full
	case 2, 3:
		return 1 << r.IntN(64)
	default:
		return full >> r.IntN(64) << r.IntN(64)
	}
}

// checkMoved checks that rows of another room have the stamps of the rows that they had.
func checkMoved(t *testing.T, to, from *Arena) {
	t.Helper()
	for i := range from.Managers {
		m, n, stamps := &from.Managers[i], &to.Managers[i], map[uint32]uint64{}
		if m.Kind.Mark {
			continue // it has no rows
		}
		eachHeld(m, func(object, old uint32) {
			row, _ := n.Blocks.HeldRow(object)
			stamps[row>>6] = max(stamps[row>>6], m.Stamps.Of(old>>6))
		})
		for w, tick := range stamps {
			require.Equal(t, tick, n.Stamps.Of(w), m.Kind.Name)
		}
	}
}

// idsOf returns the objects x of a block.
func (s *story) idsOf(block uint32, x uint64) (ids []gameobject.ID) {
	for i := range objectsOf(block, x) {
		ids = append(ids, s.a.Objects.At(i))
	}
	return ids
}

// objectsOf goes through the objects x of a block.
func objectsOf(block uint32, x uint64) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for ; x != 0 && yield(block<<6+uint32(bits.TrailingZeros64(x))); x &= x - 1 {
			continue
		}
	}
}

// writeOnly has some ticks in which values change and nothing else, and copies after each.
func (s *story) writeOnly() {
	for range s.r.IntN(4) {
		for range s.r.IntN(4) {
			if len(s.ids) > 0 {
				s.write(s.ids[s.r.IntN(len(s.ids))], s.r.IntN(len(storyKinds)))
			}
		}
		s.copied()
	}
}

// TestArenasAgainstModel: worlds of random history are like maps, many changes at once are equal to
// single changes, and copies of the changes since the previous copy are complete.
func TestArenasAgainstModel(t *testing.T) {
	steps := 2000
	if testing.Short() {
		steps = 500
	}
	for name, of := range shapes {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(name, ", seed ", seed), func(t *testing.T) {
			s := newStory(t, seed, of)
			defer s.close()
			for i := range steps {
				*s.by.Tick++
				said(t, s.a, s.step)
				s.compare()
				s.checkRecent()
				if i%20 == 0 || of.objects == 3 {
					s.check()
				}
				if i%30 == 0 {
					s.copied()
					s.checkDifference()
					s.writeOnly()
				}
			}
		})
	}
}
