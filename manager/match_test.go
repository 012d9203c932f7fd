package manager

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// TestWholeBlocksOfTwoGroups: every sequence of a few changes of the last block of a group and the
// first block of the next one: which blocks are complete, and joined to the block before.
func TestWholeBlocksOfTwoGroups(t *testing.T) {
	const objects = 66 * 64
	newWorld := func() *Arena {
		return sure(NewArena(Sizes{Objects: objects, Kinds: []layout.Count{modelKind.Count(2 * objects)}}))
	}
	blank, a := newWorld(), newWorld()
	for range objects {
		_ = sure(blank.Objects.Create(0))
	}
	m := &a.Managers[0]
	var deeds []func()
	for block := uint32(63); block < 65; block++ {
		absent := func() uint64 { return full &^ m.Blocks.Present(block) }
		deeds = append(
			deeds,
			func() { m.AddBlock(block, absent()) },
			func() { m.DropBlock(block, m.Blocks.Present(block)) },
			func() { m.Drop(block<<6 + 5) },
			func() { // its row is not beside the others
				if m.Drop(block<<6 + 9); m.Rows.High() < m.Rows.Cap() {
					_ = sure(m.Create())
				}
			},
		)
	}
	for sequence := range 1 << 15 { // five of eight
		a.CopyFrom(blank, 0)
		for rest := sequence; ; rest >>= 3 {
			deeds[rest&7]()
			if rest < 8 {
				break
			}
		}
		for block := uint32(62); block < 66; block++ {
			whole := m.Blocks.Groups[block>>6].Whole>>(block&63)&1 != 0
			if whole != m.Blocks.whole(block) {
				t.Fatalf("after sequence %o block %d is whole: %t", sequence, block, whole)
			}
		}
	}
}

// A verdict is which objects matched rules when the rules had a version.
type verdict struct {
	match   Match
	version uint64
	blocks  []uint64
}

// held is a set of objects, the same in each block.
type held uint64

func (held) Hold()                {}
func (h held) Held(uint32) uint64 { return uint64(h) }

// checkMatches compares rules, most of which hold for an object at least, with the objects' kinds,
// and groups with blocks.
func (s *story) checkMatches() {
	var of, others []*Manager
	for _, k := range s.r.Perm(len(s.used)) {
		if m := &s.a.Managers[k]; len(s.ids) > 0 && s.has(s.ids[len(s.ids)/2], k) {
			of = append(of, m)
		} else {
			others = append(others, m)
		}
	}
	few := func(of []*Manager, most int) []*Manager { return of[:s.r.IntN(min(len(of), most)+1)] }
	match, onlys := s.a.NewMatch(), [][]*Manager(nil)
	for range s.r.IntN(3) {
		match.Require(few(of, 2)...)
	}
	match.Forbid(few(others, s.r.IntN(3))...)
	for range s.r.IntN(3) {
		match.RequireAny(slices.Concat(few(others, 2), few(of, 1)))
	}
	for s.r.IntN(3) == 0 {
		onlys = append(onlys, append(slices.Clone(of), few(others, s.r.IntN(2))...))
		match.RequireOnly(onlys[len(onlys)-1])
	}
	if s.r.IntN(4) == 0 {
		match.Held = append(match.Held, held(someObjects(s.r)))
	}
	s.checkMatch(&match, onlys)
	single := len(match.All) == 1 && len(match.Any)+len(match.None)+len(match.Held)+len(onlys) == 0
	require.Equal(s, single, IsSingle(&match))
	require.Equal(s, len(match.All)+len(match.Any) == 0, match.Bare())
}

// checkMatch compares the objects that match rules with the objects' kinds; the rules' version
// changes if the objects do.
func (s *story) checkMatch(match *Match, onlys [][]*Manager) {
	matches := func(id gameobject.ID) bool {
		has := func(m *Manager) bool { return s.has(id, s.a.Slot(m.Kind)) }
		for _, h := range match.Held {
			if h.Held(0)>>(id.Index()&63)&1 == 0 {
				return false
			}
		}
		for i := range s.a.Managers {
			m := &s.a.Managers[i]
			if has(m) && slices.ContainsFunc(onlys, func(only []*Manager) bool { return !slices.Contains(only, m) }) {
				return false
			}
		}
		return !slices.ContainsFunc(match.All, func(m *Manager) bool { return !has(m) }) &&
			!slices.ContainsFunc(match.None, has) &&
			!slices.ContainsFunc(match.Any, func(of []*Manager) bool { return !slices.ContainsFunc(of, has) })
	}
	now := verdict{match: *match}
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		var want uint64
		for _, id := range s.idsOf(block, s.a.Objects.Words()[block]) {
			if matches(id) {
				want |= 1 << (id.Index() & 63)
			}
		}
		if x := s.r.IntN(64); s.r.IntN(9) == 0 {
			require.Equal(s, want>>x&1 != 0, match.Object(block<<6+uint32(x)))
		}
		some, whole := match.Group(int(block >> 6))
		require.Equal(s, want, match.Block(block))
		if some>>(block&63)&1 == 0 && want != 0 || whole>>(block&63)&1 != 0 && want != full {
			s.Fatalf("block %d has %x, and its group says %x, %x", block, want, some, whole)
		}
		now.blocks = append(now.blocks, want)
	}
	var ok bool
	now.version, ok = match.Version()
	require.Equal(s, !match.Bare() && len(match.Held)+len(onlys) == 0, ok)
	if was := s.rules; was != nil {
		version, _ := was.match.Version()
		for block, x := range was.blocks {
			require.True(s, version != was.version || was.match.Block(uint32(block)) == x, "the version changes")
		}
	}
	if s.rules = nil; ok {
		s.rules = &now
	}
}
