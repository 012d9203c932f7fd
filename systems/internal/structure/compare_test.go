package structure

import (
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// check compares all of both.
func (s *story) check() {
	t, a := s.t, s.a
	require.NoError(t, a.Verify())
	require.Equal(t, len(s.live), a.Objects.Live())
	for k := range a.Managers {
		m, kept, since := &a.Managers[k], 0, *a.Tick-min(*a.Tick, s.r.Uint64N(4))
		rows := map[layout.Row]bool{}
		for id, parts := range s.live {
			p, i := parts[k], id.Index()
			want := p != nil && !p.suspended
			if m.Has(i) != want {
				t.Fatalf("%v has %s: want %t", id, m.Kind.Name, want)
			}
			if p != nil && p.suspended {
				kept++
			}
			if k == storyMarks || !want {
				continue
			}
			row, _ := m.RowOf(i)
			rows[row] = true
			if got := manager.Column(m, storyFields[k])[row]; got != p.value {
				t.Fatalf("%s of %v is %v in row %d, want %v", m.Kind.Name, id, got, row, p.value)
			}
			if p.written > since && m.Changed(i>>6, 1<<(i&63), since) == 0 {
				t.Fatalf("%s of %v was written at %d, not since %d", m.Kind.Name, id, p.written, since)
			}
		}
		if k != storyMarks {
			require.Equal(t, len(rows), m.Mounted())
			require.Equal(t, len(rows)+kept+len(s.loose[k]), m.Live())
		}
	}
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
		bits := make([]uint64, (m.Cap()+63)/64)
		for w := range bits {
			bits[w] = m.RowBits(uint32(w))
		}
		for w, now := range bits {
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
			*was = seen{bits, m.Written, m.Reshaped()}
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
		s.since = 0 // the twin's ticks of turns are others
		require.NoError(s.t, s.twin.Verify())
		require.Equal(s.t, s.a.Digest(), s.twin.Digest())
	}
}
