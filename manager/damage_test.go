package manager

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// hurt damages the truth of a world: a word, a run of words that are moved together, or a unit that
// becomes a copy of another one.
func hurt(r *rand.Rand, a *Arena) string {
	counters, few := r.IntN(4) == 0, r.IntN(4) != 0
	parts := slices.DeleteFunc(slices.Clone(a.Parts()), func(p Part) bool {
		return !p.Truth || len(a.Used(&p)) < 4 || counters && p.Name != "counters" || few && p.Kind != nil && p.Place > two
	})
	p := &parts[r.IntN(len(parts))]
	b := a.Used(p)
	at := r.IntN(len(b)/4) * 4
	if r.IntN(3) == 0 {
		at = (len(b)/4 - 1) * 4
	}
	if u := p.Unit; u > 4 && len(b) >= 2*u && r.IntN(4) == 0 {
		dst, src := r.IntN(len(b)/u), r.IntN(len(b)/u)
		copy(b[dst*u:][:u], b[src*u:][:u])
		return fmt.Sprintf("%s of %s: unit %d becomes unit %d", p.Name, p.Owner, dst, src)
	}
	words, old := 1, binary.LittleEndian.Uint32(b[at:])
	by := []uint32{1, 64, 1 << r.IntN(32), -old, ^old, binary.LittleEndian.Uint32(b[r.IntN(len(b)/4)*4:]) - old}[r.IntN(6)]
	if r.IntN(2) == 0 {
		by = -by
	}
	if p.Unit == 4 && r.IntN(4) == 0 {
		at &^= 255
		words = min(64, (len(b)-at)/4)
	}
	for i := range words {
		w := b[at+4*i:]
		binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)+by)
	}
	return fmt.Sprintf("%s of %s: %d words from byte %d on: 0x%x and 0x%x more", p.Name, p.Owner, words, at, old, by)
}

// checkDamaged damages a copy of a world by hurt. Rebuild refuses the copy, or the copy is as good as
// any other: each kind has rows for all objects, or all its rows are used, when the objects were replaced.
func checkDamaged(t *testing.T, from *Arena, kinds int, hurt func(*Arena) string) (refused bool) {
	t.Helper()
	hurtOne, a := sure(from.Clone((*Arena).Alike)), sure(from.Clone((*Arena).Alike))
	defer hurtOne.Free()
	defer a.Free()
	what := hurt(hurtOne)
	a.Empty(func(*Part) int { return 0 })
	for i := range a.Parts() {
		if p := &a.Parts()[i]; p.Truth {
			copy(p.Bytes, hurtOne.Used(p)) // as a file has it
		}
	}
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%s: %v", what, p)
		}
	}()
	if a.Rebuild() != nil {
		return true
	}
	a.Equip()
	require.NoError(t, a.Verify(), what)
	for i := range a.Watchers {
		a.Watchers[i].Look()
	}
	for object := range uint32(a.Objects.High()) {
		if a.Objects.Words()[object>>6]>>(object&63)&1 != 0 {
			a.Dispose(object)
		}
	}
	require.NoError(t, a.Verify(), what)
	for len(a.recipes.list) > 0 && a.Objects.Left() > 64 {
		block, x := spawnedTogether(a, 0, 64)
		a.Give(1, block, x)
	}
	for range a.Objects.Left() {
		_, err := a.Objects.Create(0)
		require.NoError(t, err, what)
	}
	for i := range a.Managers[:kinds] {
		m := &a.Managers[i]
		rows := map[uint32]bool{}
		for object := range a.Objects.Each {
			if !m.Has(object.Index()) && m.Left() > 0 {
				_, err := m.Add(object.Index())
				require.NoError(t, err, what)
			}
			if row, ok := m.Blocks.HeldRow(object.Index()); ok {
				rows[row] = m.Kind.Mark || row < m.count.High
				require.True(t, rows[row], "%s: row %d of %d", what, row, m.count.High)
			}
		}
		require.True(t, m.Left() == 0 || m.Mounted() == a.Objects.Live(), what)
		require.True(t, m.Kind.Mark || len(rows) == m.Mounted(), "%s: objects share rows", what)
		for w, tick := range m.Stamps.list {
			require.True(t, tick <= *a.Tick && (ByBlock(m) || tick <= m.count.Changed), "%s: stamp %d", what, w)
		}
	}
	require.NoError(t, a.Verify(), what)
	return false
}

// TestDamagedTruth: worlds of damaged bytes are refused, or go on.
func TestDamagedTruth(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for name, of := range shapes {
		if of.objects > 320 || of.room > 0 {
			continue // slow, and no other
		}
		seed := rand.Uint64()
		t.Run(fmt.Sprint(name, ", seed ", seed), func(t *testing.T) {
			s, refused := newStory(t, seed, of), 0
			defer s.close()
			for range rounds {
				for range 50 {
					if checkDamaged(t, s.a, len(s.used), func(a *Arena) string { return hurt(s.r, a) }) {
						refused++
					}
				}
				for range 25 {
					s.step()
				}
			}
			require.Greater(t, refused, 5*rounds)
		})
	}
}

// TestEachDamagedWord: the same of each word of a world with live, dead and fresh objects.
func TestEachDamagedWord(t *testing.T) {
	for _, byBlock := range []int{0, evenly} {
		seed := rand.Uint64()
		t.Run(fmt.Sprint("by block ", byBlock, ", seed ", seed), func(t *testing.T) {
			s, refused, tried := newStory(t, seed, shape{objects: 200, byBlock: byBlock}), 0, 0
			defer s.close()
			for s.a.Objects.High() < 70 {
				s.step()
			}
			for range 70 { // without kinds
				_ = sure(s.a.Objects.Create(0))
			}
			for i := range s.a.Parts() {
				p, step := &s.a.Parts()[i], 4
				if p.per == perObject || p.per == perRow {
					step *= 7 // of its words
				}
				for at := 0; p.Truth && at+4 <= len(s.a.Used(p)); at += step {
					if testing.Short() && s.r.IntN(5) > 0 {
						continue
					}
					old := binary.LittleEndian.Uint32(s.a.Used(p)[at:])
					for _, now := range []uint32{0, 1, old + 1, old - 1, old + 64, old - 64, ^old, 1 << 31, 1<<32 - 1} {
						tried++
						if checkDamaged(t, s.a, len(s.used), func(a *Arena) string {
							binary.LittleEndian.PutUint32(a.Used(&a.Parts()[i])[at:], now)
							return fmt.Sprintf("%s of %s: word %d: %#x, not %#x", p.Name, p.Owner, at/4, now, old)
						}) {
							refused++
						}
					}
				}
			}
			require.Greater(t, refused, tried/4)
		})
	}
}

// TestVerifyFindsDerivedBits: Verify finds any wrong bit in what is derived from the truth of a world,
// except in pages, which it finds by what they lead to.
func TestVerifyFindsDerivedBits(t *testing.T) {
	for name, of := range shapes {
		if of.objects > 320 || of.room > 0 {
			continue
		}
		seed := rand.Uint64()
		t.Run(fmt.Sprint(name, ", seed ", seed), func(t *testing.T) {
			s := newStory(t, seed, of)
			defer s.close()
			for range 300 {
				s.step()
			}
			parts, blocks := s.a.Parts(), (s.a.Objects.High()+63)/64
			for range 200 {
				p := &parts[s.r.IntN(len(parts))]
				b := s.a.Used(p)
				if p.Truth || len(b) == 0 || p.Name == "turns" || p.Name[:4] == "page" || p.Owner == "game objects" {
					continue
				}
				bit := s.r.IntN(8 * len(b))
				if p.Name == "count" && bit&63 >= bits.UintSize {
					continue // of an int
				}
				if p.per == perGroup && bit&63 >= blocks || p.ofKinds() && bit%(8*p.Unit) >= len(s.a.Managers) {
					continue // of what there is not
				}
				b[bit>>3] ^= 1 << (bit & 7)
				require.Error(t, cmp.Or(s.a.CheckCounters(), s.a.Verify()), "bit %d of %s of %s", bit, p.Name, p.Owner)
				b[bit>>3] ^= 1 << (bit & 7)
			}
		})
	}
}
