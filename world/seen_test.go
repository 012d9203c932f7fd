package world_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	seenHealth = layout.NewComponent[uint32]("seen health")
	seenDrawn  = stage.NewSeen("drawn")
	seenSent   = stage.NewSeen("sent")
	seenQuery  = world.NewQuery(world.Read(seenHealth), world.Changed(seenHealth))
	seenWriter = world.NewQuery(world.Write(seenHealth))
)

// A seenSet has a bit per stamp: an object of its 64 rows was written.
type seenSet uint8

// A seenModel is a world of three times 64 objects, and of each Seen what it has not seen.
type seenModel struct {
	*testing.T

	s        world.State
	ids      []world.GameObject
	unseen   [2]seenSet
	snapshot *world.Snapshot
	kept     [2]seenSet // of the snapshot
	did      []int
}

func newSeenModel(t *testing.T) *seenModel {
	t.Helper()
	m := &seenModel{T: t, unseen: [2]seenSet{7, 7}}
	m.s = world.Must(world.CreateState(world.Counts{
		GameObjects: 192, Kinds: layout.Kinds(seenHealth.Count(192)),
		Resources: []world.ResourceKind{seenDrawn.Kind(), seenSent.Kind()},
	}))
	m.s, m.ids = worldtest.Create(m.s, 192)
	for _, id := range m.ids {
		m.s = world.Must(world.Add(m.s, id, seenHealth))
	}
	m.snapshot = world.Must(world.NewSnapshot(m.s))
	m.do(6)
	return m
}

// The operations of [seenModel.do]: write to one of three objects, look, begin a step, take a
// snapshot, restore it.
const seenDoings = 8

func (m *seenModel) do(op int) {
	m.did = append(m.did, op)
	switch op {
	case 0:
		m.s = world.Must(world.Set(m.s, m.ids[5], seenHealth, 1))
	case 1:
		*world.WriterOf(m.s, seenHealth).At(m.ids[64])++
	case 2:
		for b := range seenWriter.Of(m.s, m.ids[191]) {
			world.Column(b, seenHealth)[0]++
		}
	case 3, 4:
		m.look(op - 3)
	case 5:
		m.s = world.Advance(m.s)
	case 6:
		require.NoError(m, m.snapshot.Take(m.s))
		m.kept = m.unseen
	case 7:
		m.s = world.Must(world.Restore(m.s, m.snapshot))
		m.unseen = m.kept
	}
	if op < 3 {
		m.unseen[0] |= 1 << op
		m.unseen[1] |= 1 << op
	}
}

// look compares what a Seen sees with what it has not seen.
func (m *seenModel) look(by int) {
	var saw seenSet
	m.s = [...]stage.Seen{seenDrawn, seenSent}[by].Look(m.s, seenQuery, func(b world.Batch) {
		for i := range b.Len() {
			saw |= 1 << (b.ID(i).Index() / 64)
		}
	})
	if saw != m.unseen[by] {
		require.Failf(m, "a look", "%d saw %03b, want %03b, after %v", by, saw, m.unseen[by], m.did)
	}
	m.unseen[by] = 0
}

// TestEveryWriteIsSeenOnce: every sequence of a few operations on three objects.
func TestEveryWriteIsSeenOnce(t *testing.T) {
	worldtest.OneGoroutine(t)
	length, m := 4, newSeenModel(t)
	if worldtest.AtLength() {
		length = 6
	}
	defer func() { world.Close(m.s) }()
	m.do(3)
	first := world.Must(world.NewSnapshot(m.s))
	defer first.Close()
	require.NoError(t, first.Take(m.s))
	unseen, all := m.unseen, 1
	for range length {
		all *= seenDoings
	}
	for n := range all {
		m.s = world.Must(world.Restore(m.s, first))
		m.unseen, m.did = unseen, m.did[:0]
		m.do(6)
		for range length {
			m.do(n % seenDoings)
			n /= seenDoings
		}
		m.look(0)
		m.look(1)
	}
}

// TestWhatALookWritesIsSeenByOthers: not by itself.
func TestWhatALookWritesIsSeenByOthers(t *testing.T) {
	m := newSeenModel(t)
	defer func() { world.Close(m.s) }()
	defer m.snapshot.Close()
	m.do(3)
	m.do(4)
	m.do(1)
	q := seenWriter.And(world.Changed(seenHealth))
	m.s = seenDrawn.Look(m.s, q, func(b world.Batch) { world.Column(b, seenHealth)[0]++ })
	m.unseen[0] = 0
	m.look(0)
	m.look(1)
	for name, f := range map[string]func(){
		"with a nil function; pass one": func() { seenDrawn.Look(m.s, seenQuery, nil) },
		"a Changed term; add one":       func() { seenDrawn.Look(m.s, seenWriter, func(world.Batch) {}) },
		"has no resource": func() {
			stage.NewSeen("elsewhere").Look(m.s, seenQuery, func(world.Batch) {})
		},
	} {
		worldtest.PanicsWith(t, f, name)
	}
	for range seenWriter.In(m.s) {
		require.Panics(t, func() { seenDrawn.Look(m.s, seenQuery, func(world.Batch) {}) })
	}
}

var (
	seenLeft   = layout.NewField[uint32]("left")
	seenRight  = layout.NewField[uint32]("right")
	seenHands  = layout.NewKind("seen hands", seenLeft, seenRight)
	seenAbove  = layout.NewRelation("seen above", layout.Relation{Tree: true})
	seenIced   = layout.NewMark("seen iced")
	seenLefts  = world.NewQuery(world.Write(seenLeft))
	seenThawed = seenLefts.And(world.Without(seenIced))
	seenRights = world.NewQuery(world.Read(seenRight), world.Changed(seenHands))
)

// seenTree is a world of 150 objects, each a child of an earlier one; every third is iced.
func seenTree() (s world.State, ids []world.GameObject) {
	s = world.Must(world.CreateState(world.Counts{
		GameObjects: 200, Kinds: layout.Kinds(seenHands.Count(200), seenAbove.Count(200), seenIced),
	}))
	s, ids = worldtest.Create(s, 150)
	for i, id := range ids {
		s = world.Must(addKinds(s, id, seenHands, seenAbove.Kind()))
		s = world.Must(world.Set(s, id, seenAbove, ids[i/5]*world.GameObject(min(i, 1))))
		s = world.Must(world.Set(s, id, seenRight, uint32(i*37%150)))
		if i%3 == 0 {
			s = world.Must(world.Add(s, id, seenIced))
		}
	}
	return world.Advance(world.Advance(s)), ids
}

// TestALookInAWalkSeesItsBatches: what an open walk has had written by now is found by a look from
// an earlier tick, in its turn too.
func TestALookInAWalkSeesItsBatches(t *testing.T) {
	s, ids := seenTree()
	defer func() { world.Close(s) }()
	for name, walk := range map[string]func() iter.Seq[world.Batch]{
		"rows side by side": func() iter.Seq[world.Batch] { return seenLefts.In(s) },
		"scattered rows":    func() iter.Seq[world.Batch] { return seenThawed.In(s) },
		"rows with holes":   func() iter.Seq[world.Batch] { return seenThawed.And(world.RowWise()).In(s) },
		"one object":        func() iter.Seq[world.Batch] { return seenLefts.Of(s, ids[100]) },
		"levels":            func() iter.Seq[world.Batch] { return seenThawed.Down(s, seenAbove) },
		"in order":          func() iter.Seq[world.Batch] { return index.New(seenRight).Sorted(s, seenThawed) },
	} {
		t.Run(name, func(t *testing.T) {
			s = world.Advance(s)
			before, walked := world.Tick(s)-1, 0
			for b := range walk() {
				for i := range world.Column(b, seenLeft) {
					world.Column(b, seenLeft)[i]++
				}
				walked += b.Len()
				found := map[world.GameObject]bool{}
				for c := range seenRights.Since(s, before) {
					for _, id := range c.AppendIDs(nil) {
						found[id] = true
					}
				}
				require.GreaterOrEqual(t, len(found), walked)
				if name != "rows with holes" {
					for _, id := range b.AppendIDs(nil) {
						require.True(t, found[id], "%v", id)
					}
				}
			}
			require.NotZero(t, walked)
		})
	}
}
