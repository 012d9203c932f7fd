package systems

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// clone returns a mirror of the same maps.
func (m *mirror) clone() *mirror {
	c := *m
	c.ids, c.a, c.c = slices.Clone(m.ids), maps.Clone(m.a), maps.Clone(m.c)
	c.has, c.kept = cloneAll(m.has), cloneAll(m.kept)
	c.tick = cloneAll(m.tick)
	return &c
}

func cloneAll[V any](all map[GameObject]map[Kind]V) map[GameObject]map[Kind]V {
	c := make(map[GameObject]map[Kind]V, len(all))
	for id, m := range all {
		c[id] = maps.Clone(m)
	}
	return c
}

// live does so many random changes and some walks, by the numbers that a seed gives.
func (m *mirror) live(seed uint64, changes int) error {
	m.r = rand.New(rand.NewPCG(seed, 2))
	for range changes {
		if err := m.change(); err != nil {
			return err
		}
		if m.r.IntN(20) == 0 {
			m.s = Advance(m.s)
			ru := rules[m.r.IntN(len(rules))]
			if err := m.run(NewQuery(ru.terms...), ru, new(paths)); err != nil {
				return fmt.Errorf("%s: %w", ru.name, err)
			}
		}
	}
	return nil
}

// A saved is a snapshot with what it should hold.
type saved struct {
	*Snapshot
	mirror *mirror
	bytes  []byte
	digest uint64
}

// behind names a part that was written behind what is used of it, or nothing.
func behind(s State) string {
	for _, p := range ArenaOf(s).Parts() {
		want := make([]byte, p.Unit)
		if p.Field != nil && !p.Free {
			want = p.Field.Default
		}
		rest := p.Bytes[len(ArenaOf(s).Used(&p)):]
		for len(rest) >= p.Unit && bytes.Equal(rest[:p.Unit], want) {
			rest = rest[p.Unit:]
		}
		if len(rest) > 0 {
			return p.Owner + "." + p.Name
		}
	}
	return ""
}

// TestSnapshotsAgainstModel: random lives that go back to snapshots, any of some and any number of
// times, against copies of maps; and the same life lived twice from a snapshot, which must end in
// the same bytes.
func TestSnapshotsAgainstModel(t *testing.T) {
	OneGoroutine(t)
	rounds := 10
	if !atLength() {
		rounds = 3
	}
	for round := range rounds {
		seed := rand.Uint64()
		m := newMirror(t, []int{700, 3000}[round/2%2], []int{700, freeRows, 300, 3000}[round%4],
			seed)
		var all []*saved
		for range 4 {
			p := sure(NewSnapshot(m.s))
			all = append(all, &saved{Snapshot: p})
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for turn := range 40 {
			if err := m.live(r.Uint64(), r.IntN(150)); err != nil {
				t.Fatalf("seed %d, turn %d: %v", seed, turn, err)
			}
			require.NoError(t, ArenaOf(m.s).Verify(), "seed %d, turn %d", seed, turn)
			require.Empty(t, behind(m.s), "seed %d, turn %d", seed, turn)
			p := all[r.IntN(len(all))]
			if p.mirror == nil || r.IntN(2) == 0 {
				require.NoError(t, p.Take(m.s))
				p.mirror, p.bytes, p.digest = m.clone(), bytes.Clone(Bytes(m.s)), Digest(m.s)
			}
			m = p.back(t, m, r.Uint64())
		}
	}
}

// back restores p, lives on, restores p once more, and lives the same life again.
func (p *saved) back(t *testing.T, m *mirror, life uint64) *mirror {
	t.Helper()
	var ends [2][]byte
	for i := range ends {
		s := sure(Restore(m.s, p.Snapshot))
		require.Equal(t, p.digest, Digest(s))
		require.Equal(t, p.digest, Digest(p.State()))
		require.True(t, bytes.Equal(p.bytes, Bytes(s)), "every byte")
		require.True(t, Equal(s, p.State()))
		ops := m.ops
		m = p.mirror.clone()
		m.s, m.ops = s, ops
		require.NoError(t, m.values())
		require.NoError(t, ArenaOf(s).Verify())
		require.NoError(t, m.live(life, 60))
		ends[i] = bytes.Clone(Bytes(m.s))
	}
	require.True(t, bytes.Equal(ends[0], ends[1]), "the same life ends in the same bytes")
	return m
}

// TestResizedAgainstModel: worlds of random history in larger counts go on as they were.
func TestResizedAgainstModel(t *testing.T) {
	OneGoroutine(t)
	for round := range 8 {
		seed := rand.Uint64()
		objects := []int{700, 3000}[round/2%2]
		rows := []int{700, 300, 3000}[round%3]
		m := newMirror(t, objects, rows, seed)
		for turn := range 6 {
			require.NoError(t, m.live(uint64(turn), 200), "seed %d", seed)
			objects, rows = objects+m.r.IntN(2)*100, rows+m.r.IntN(200)
			counts := Counts{
				GameObjects: objects, Recipes: []Recipe{recipeAC, recipeAB},
				InOrder: m.s.use().Objects.Count.InOrder != 0,
				Kinds: []layout.Count{
					kindB.Count(rows), kindA.Count(rows), markY.Count(0),
					{Kind: kindC, Rows: rows, Packed: packed(m.s)},
					markX.Count(0),
				},
			}
			s, err := Resized(m.s, counts)
			require.NoError(t, err, "seed %d, turn %d", seed, turn)
			require.NoError(t, ArenaOf(s).Verify(), "seed %d, turn %d", seed, turn)
			require.Empty(t, behind(s))
			Close(m.s)
			m.s = s
			require.NoError(t, m.values())
		}
	}
}

func packed(s State) bool {
	for _, k := range s.use().Sizes().Kinds {
		if k.Kind == kindC {
			return k.Packed
		}
	}
	return false
}
