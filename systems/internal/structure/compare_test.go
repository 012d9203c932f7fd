package structure

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// check compares all of both.
func (s *story) check() {
	t, a := s.t, s.a
	require.NoError(t, a.Verify())
	require.Equal(t, len(s.live), a.Objects.Live())
	for k := range a.Managers {
		m := &a.Managers[k]
		has, kept := map[uint32]uint64{}, 0
		rows := map[layout.Row]gameobject.ID{}
		for id, parts := range s.live {
			p, i := parts[k], id.Index()
			want := p != nil && !p.suspended
			if m.Has(i) != want {
				t.Fatalf("%v has %s: want %t", id, m.Kind.Name, want)
			}
			if p != nil && p.suspended {
				kept++
			}
			if want {
				has[i>>6] |= 1 << (i & 63)
			}
			if k == storyMarks || !want {
				continue
			}
			row, _ := m.RowOf(i)
			rows[row] = id
			if got := manager.Column(m, storyFields[k])[row]; got != p.value {
				t.Fatalf("%s of %v is %v in row %d, want %v", m.Kind.Name, id, got, row, p.value)
			}
		}
		s.checkBlocks(k, has)
		n := 0
		for row := range m.All() {
			if o, ok := m.ObjectOf(row); !ok || rows[row].Index() != o || s.live[rows[row]] == nil {
				t.Fatalf("row %d of %s is on %d", row, m.Kind.Name, o)
			}
			n++
		}
		require.Len(t, rows, n)
		if k != storyMarks {
			require.Equal(t, n, m.Mounted())
			require.Equal(t, n+kept+len(s.loose[k]), m.Live())
		}
	}
	s.checkMatches()
	s.checkCopies()
}

// A seen is which rows of a kind were on objects, and its counters of changes then.
type seen struct {
	bits              []uint64
	written, reshaped uint64
}

// checkRecent compares the rows that the kinds say have changed with those that did since it looked
// last.
func (s *story) checkRecent() {
	for k := range s.a.Managers {
		m, was := &s.a.Managers[k], &s.seen[k]
		rows, ok := m.Recent(make([]uint32, 0, 2*manager.Recent), was.written, was.reshaped)
		for w, now := range m.RowBits() {
			if len(was.bits) > w && now != was.bits[w] {
				require.NotEqual(s.t, was.reshaped, m.Reshaped())
			}
			for x := uint32(0); ok && len(was.bits) > w && x < 64; x++ {
				if (now^was.bits[w])>>x&1 != 0 {
					require.Contains(s.t, rows, uint32(w)<<6+x, m.Kind.Name)
				}
			}
		}
		if s.r.IntN(4) == 0 {
			*was = seen{slices.Clone(m.RowBits()), m.Written, m.Reshaped()}
		}
	}
}

// checkBlocks compares the objects that have a kind, and those of them that changed since a tick.
func (s *story) checkBlocks(k int, has map[uint32]uint64) {
	m := &s.a.Managers[k]
	since := *s.a.Tick - min(*s.a.Tick, s.r.Uint64N(4))
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		if got := m.Present(block); got != has[block] {
			s.t.Fatalf("block %d of %s is %x, want %x", block, m.Kind.Name, got, has[block])
		}
		if k == storyMarks {
			continue
		}
		changed := m.Changed(block, has[block], since)
		for _, id := range s.idsOf(block, has[block]&^changed) {
			if p := s.live[id][k]; p.written > since {
				s.t.Fatalf("%s of %v was written at %d, and is not changed since %d", m.Kind.Name, id,
					p.written, since)
			}
		}
	}
}

// checkMatches compares rules on two kinds with the blocks, and groups with blocks.
func (s *story) checkMatches() {
	a := s.a
	i, j := s.r.IntN(len(a.Managers)), s.r.IntN(len(a.Managers))
	match := a.NewMatch()
	match.Require(&a.Managers[i])
	if i != j {
		match.Forbid(&a.Managers[j])
	}
	for block := range uint32(a.Objects.High()+63) / 64 {
		var want uint64
		for _, id := range s.idsOf(block, a.Objects.Words()[block]) {
			p, q := s.live[id][i], s.live[id][j]
			if p != nil && !p.suspended && (i == j || q == nil || q.suspended) {
				want |= 1 << (id.Index() & 63)
			}
		}
		some, whole := match.Group(int(block >> 6))
		require.Equal(s.t, want, match.Block(block))
		if some>>(block&63)&1 == 0 && want != 0 || whole>>(block&63)&1 != 0 && want != ^uint64(0) {
			s.t.Fatalf("block %d has %x, and its group says %x, %x", block, want, some, whole)
		}
	}
}

// checkCopies brings the twin up to date, and rebuilds what is derived of it.
func (s *story) checkCopies() {
	s.twin.CopyFrom(s.a, s.since)
	s.since = *s.a.Tick
	require.True(s.t, s.twin.Equal(s.a))
	require.NoError(s.t, s.twin.Verify())
	if s.r.IntN(4) == 0 {
		require.NoError(s.t, s.twin.Rebuild())
		s.since = 0 // nobody is dormant in the twin
		require.NoError(s.t, s.twin.Verify())
		require.Equal(s.t, s.a.Digest(), s.twin.Digest())
	}
}
