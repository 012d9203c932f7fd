package systems

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Twins are one life, lived in counted room and in free room.
type twins [2]*mirror

// TestFreeRoomIsAsCountedRoom: the same random life in both, through snapshots, copies, other
// counts and new memory, is the same world at every turn; each keeps what is behind the rows in use.
func TestFreeRoomIsAsCountedRoom(t *testing.T) {
	OneGoroutine(t)
	rounds := 8
	if !atLength() {
		rounds = 2
	}
	for round := range rounds {
		seed := rand.Uint64()
		objects := []int{700, 3000}[round%2]
		p := twins{newMirror(t, objects, objects, seed), newMirror(t, objects, freeRows, seed)}
		r := rand.New(rand.NewPCG(seed, 3))
		for turn := range 30 {
			life := r.Uint64()
			for _, m := range p {
				require.NoError(t, m.live(life, 60), "seed %d, turn %d", seed, turn)
			}
			p.same(t, seed, turn)
			if p.through(t, r.IntN(6), r.Uint64(), &objects); t.Failed() {
				t.Fatalf("seed %d, turn %d", seed, turn)
			}
			p.same(t, seed, turn)
		}
		Close(p[0].s)
		Close(p[1].s)
	}
}

// same checks that both are one world.
func (p *twins) same(t *testing.T, seed uint64, turn int) {
	t.Helper()
	require.Equal(t, Digest(p[0].s), Digest(p[1].s), "seed %d, turn %d", seed, turn)
	for _, m := range p {
		require.NoError(t, ArenaOf(m.s).Verify(), "seed %d, turn %d", seed, turn)
		require.Empty(t, behind(m.s), "seed %d, turn %d", seed, turn)
		require.NoError(t, m.values(), "seed %d, turn %d", seed, turn)
	}
	for i, m := range p {
		free := m.s.use().Manager(kindA.Spec()).Shown() != managed(m.s, kindA).Cap() || managed(m.s, kindA).MaxIndex() == managed(m.s, kindA).Cap()
		require.True(t, i == 0 || free)
		if rows := View(m.s, fieldA); i == 1 {
			require.Len(t, rows, managed(m.s, kindA).MaxIndex(), "a view ends with what was used")
			require.Len(t, managed(m.s, kindA).Buffer(), len(rows)*kindA.Fields()[0].Stride)
		}
	}
}

// through brings both through one of the ways in which a world's bytes come to be others'.
func (p *twins) through(t *testing.T, way int, life uint64, objects *int) {
	t.Helper()
	for i, m := range p {
		before := Digest(m.s)
		switch way {
		case 0: // there and back
			snapshot := taken(m.s)
			later := m.clone()
			require.NoError(t, later.live(life, 80))
			m.s = sure(Restore(later.s, snapshot))
			snapshot.Close()
		case 1:
			s := sure(Clone(m.s))
			Close(m.s)
			m.s = s
		case 2: // a little larger
			c := mirrorCounts(*objects+64, []int{*objects + 64, freeRows}[i], inOrder(m.s), packed(m.s))
			p.resize(t, m, c)
			continue
		case 3: // into the room of the other, and back again
			for _, rows := range [][2]int{{freeRows, *objects}, {*objects, freeRows}} {
				p.resize(t, m, mirrorCounts(*objects, rows[i], inOrder(m.s), packed(m.s)))
			}
		case 4: // made empty in the same memory, and back
			snapshot := taken(m.s)
			m.s = sure(ArenaOf(m.s).Renewed(func(*manager.Part) int { return 0 }))
			require.Empty(t, behind(m.s))
			require.Zero(t, managed(m.s, kindA).MaxIndex())
			m.s = sure(Restore(m.s, snapshot))
			snapshot.Close()
		default:
			m.s = sure(Tidy(m.s))
			continue
		}
		assert.Equal(t, before, Digest(m.s), "way %d", way)
	}
	if way == 2 {
		*objects += 64
	}
}

func (p *twins) resize(t *testing.T, m *mirror, c Counts) {
	t.Helper()
	s := sure(Resized(m.s, c))
	Close(m.s)
	m.s = s
}

func inOrder(s State) bool { return s.use().Objects.Count.InOrder != 0 }

var (
	roomText = layout.NewValues("room text", "nobody")
	roomWide = layout.NewKind("room wide", layout.NewField("tall", [2]uint64{1, 2}),
		layout.NewField("low", [3]uint8{7, 8, 9}))
)

// TestGoValuesOfFreeRoomGrow: they are there when their rows are.
func TestGoValuesOfFreeRoomGrow(t *testing.T) {
	s := sure(CreateState(Counts{Kinds: layout.Kinds(roomText, roomWide)}))
	require.Equal(t, 1<<20, managed(s, roomText.Kind()).Cap())
	snapshot := taken(s)
	var ids []GameObject
	for range 300 {
		var id GameObject
		s, id = made(CreateWith(s, roomText.Kind(), roomWide))
		require.Equal(t, "nobody", sure(ValueOf(s, id, roomText)))
		s = sure(SetValue(s, id, roomText, id.String()))
		ids = append(ids, id)
	}
	clone := sure(Clone(s))
	later := taken(s)
	s = sure(Restore(s, snapshot))
	require.Zero(t, Live(s))
	s = sure(Restore(s, later))
	for _, id := range ids {
		require.Equal(t, id.String(), sure(ValueOf(s, id, roomText)))
		require.Equal(t, id.String(), sure(ValueOf(clone, id, roomText)))
	}
	require.NoError(t, ArenaOf(s).Verify())
	for _, p := range []*Snapshot{snapshot, later} {
		p.Close()
	}
	Close(clone)
	Close(s)
}
