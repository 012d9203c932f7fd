package systems

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// modelRuns are worlds that live alone beside a model.
var modelRuns = map[string]struct {
	lives  []modelCounts
	ops    []operation
	steps  int // full; short ones have a share
	share  int
	every  int // steps from one check to the next
	way    int // and from one way to the next
	checks []check
	sees   []string // outcomes that all lives together have
}{
	"few rows": {
		[]modelCounts{{objects: 24, rows: 12}, {objects: 24, rows: 12, inOrder: true, packed: true}},
		changes, 250_000, 6, 20, 1000,
		[]check{(*model).checkObjects, (*model).checkQuery},
		[]string{
			"add", "add: " + ErrTwice.Error(), "add: " + ErrFull.Error(), "remove: " + ErrRemove.Error(),
			"create: " + ErrTooMany.Error(), "create with: " + ErrTwice.Error(), "ensure", "renew",
			"ensure: " + ErrFull.Error(), "renew: " + ErrFull.Error(), "spawn: " + ErrFull.Error(),
			"suspend", "add all", "add all: " + errAny.Error(), "remove all", "dispose all",
			"write: " + ErrAbsent.Error(), "dispose: " + ErrDead.Error(),
		},
	},
	"many rows": {
		[]modelCounts{
			{objects: 700, rows: 700},
			{objects: 3000, rows: 300, packed: true},
			{objects: 700, rows: freeRows},
			{objects: 5000, rows: 5000, inOrder: true},
		},
		changes, 12_800, 8, 20, 200,
		[]check{(*model).checkObjects, (*model).checkQuery, (*model).checkQuery},
		[]string{"list", "run", "spawnN"},
	},
	"watchers": {
		[]modelCounts{
			{objects: 1, rows: 1, watched: true},
			{objects: 64, rows: 64, watched: true, packed: true},
			{objects: 700, rows: 700, watched: true, inOrder: true},
		},
		changes, 24_000, 8, 4, 400,
		[]check{(*model).checkWatcher},
		[]string{"left", "entered"},
	},
	"relations": {
		[]modelCounts{
			{objects: 60, rows: 40, related: true},
			{objects: 250, rows: 250, related: true, watched: true},
			{objects: 250, rows: 250, related: true, inOrder: true, packed: true},
		},
		familyChanges, 8000, 4, 5, 120,
		[]check{
			(*model).checkChildren, (*model).checkTargets, (*model).checkDepths, (*model).checkObjects,
		},
		[]string{
			"refer", "refer: " + ErrRing.Error(), "refer: " + ErrDead.Error(), "refer: " + ErrAbsent.Error(),
			"dispose: " + ErrReferred.Error(), "spawn: " + errAny.Error(),
		},
	},
}

// TestWorldsAgainstModel: worlds of random history are like maps, for all queries, and after all
// operations on whole worlds.
func TestWorldsAgainstModel(t *testing.T) {
	for name, c := range modelRuns {
		t.Run(name, func(t *testing.T) {
			OneGoroutine(t)
			done := map[string]int{}
			steps := c.steps
			if !atLength() {
				steps /= c.share
			}
			if name == "many rows" && atLength() {
				c.sees = append(c.sees, "holes", "absent", "long run")
			}
			unseen := func(outcome string) bool { return done[outcome] == 0 }
			for i := 0; i < len(c.lives) ||
				i < 10*len(c.lives) && slices.ContainsFunc(c.sees, unseen); i++ {
				l, seed := c.lives[i%len(c.lives)], rand.Uint64()
				m := newModel(l, seed)
				m.done = done
				for n := range steps {
					err := m.step(c.ops)
					if err == nil && n%c.every == 0 {
						err = c.checks[m.r.IntN(len(c.checks))](m)
					}
					if err == nil && n%c.way == c.way-1 {
						if err = m.step(ways); err == nil {
							err = errors.Join(m.checkObjects(), m.checkWatchers())
						}
					}
					if err != nil {
						t.Fatalf("seed %d, %+v, step %d: %v", seed, l, n, err)
					}
				}
				Close(m.s)
			}
			for _, outcome := range c.sees {
				require.NotZero(t, done[outcome], "%s: %v", outcome, done)
			}
		})
	}
}

// TestFreeRoomIsAsCountedRoom: the same random life in both, with the same ways drawn, gives equal
// worlds at every turn; each keeps the bytes behind the rows in use.
func TestFreeRoomIsAsCountedRoom(t *testing.T) {
	OneGoroutine(t)
	rounds := 8
	if !atLength() {
		rounds = 2
	}
	for round := range rounds {
		seed, n := rand.Uint64(), []int{700, 3000}[round%2]
		counted := newModel(modelCounts{objects: n, rows: n, inOrder: round&2 != 0}, seed)
		free := newModel(modelCounts{objects: n, rows: freeRows, inOrder: round&2 != 0}, seed)
		r := rand.New(rand.NewPCG(seed, 3))
		for turn := range 30 {
			life, way := r.Uint64(), r.Uint64()
			for _, m := range []*model{counted, free} {
				require.NoError(t, m.live(life, 60, changes), "seed %d, turn %d", seed, turn)
				require.NoError(t, m.live(way, 1, ways), "seed %d, turn %d", seed, turn)
				require.NoError(t, m.checkObjects(), "seed %d, turn %d", seed, turn)
			}
			require.Equal(t, Digest(counted.s), Digest(free.s), "seed %d, turn %d", seed, turn)
			a := managed(free.s, kindA)
			require.Len(t, View(free.s, fieldA), a.Rows.High(), "a view ends with what was used")
			require.Len(t, a.Data.Buffer(), a.Rows.High()*kindA.Fields()[0].Stride)
			require.Equal(t, managed(counted.s, kindA).Rows.Cap(), managed(counted.s, kindA).Data.Shown())
		}
		Close(counted.s)
		Close(free.s)
	}
}

// A saved is a snapshot with the model of then.
type saved struct {
	*Snapshot
	model *model
	bytes []byte
}

// TestTheSameLifeAgain: random lives go back to snapshots, any of some and any number of times; the
// same life lived twice from a snapshot ends in the same bytes.
func TestTheSameLifeAgain(t *testing.T) {
	OneGoroutine(t)
	rounds := 10
	if !atLength() {
		rounds = 3
	}
	for round := range rounds {
		seed := rand.Uint64()
		m := newModel(modelCounts{
			objects: []int{700, 250, 3000}[round%3], rows: []int{700, freeRows, 300, 3000}[round%4],
			packed: round&1 != 0, related: round%3 == 1,
		}, seed)
		ops := changes
		if m.related {
			ops = familyChanges
		}
		var all []*saved
		for range 4 {
			all = append(all, &saved{Snapshot: sure(NewSnapshot(m.s))})
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for turn := range 25 {
			require.NoError(t, m.live(r.Uint64(), r.IntN(150), ops), "seed %d, turn %d", seed, turn)
			p := all[r.IntN(len(all))]
			if p.model == nil || r.IntN(2) == 0 {
				require.NoError(t, p.Take(m.s))
				p.model, p.bytes = m.clone(), bytes.Clone(Bytes(m.s))
			}
			var ends [2][]byte
			again := r.Uint64()
			for i := range ends {
				s := sure(Restore(m.s, p.Snapshot))
				require.True(t, bytes.Equal(p.bytes, Bytes(s)), "every byte")
				m = p.model.clone()
				m.s = s
				require.NoError(t, m.checkObjects(), "seed %d, turn %d", seed, turn)
				require.NoError(t, m.live(again, 60, ops), "seed %d, turn %d", seed, turn)
				ends[i] = bytes.Clone(Bytes(m.s))
			}
			require.True(t, bytes.Equal(ends[0], ends[1]), "seed %d, turn %d: other bytes", seed, turn)
		}
	}
}

// TestTurnoverKeepsLongRuns: two recipes, mixed, at half of the room; one object in a hundred is
// disposed and spawned in each of 600 frames. Walks stay long.
func TestTurnoverKeepsLongRuns(t *testing.T) {
	OneGoroutine(t)
	const n = 32_768
	still := layout.NewComponent[[3]float32]("still")
	recipes := []Recipe{NewRecipe("mover", Position, Velocity), NewRecipe("other", Position, still)}
	s := sure(CreateState(Counts{
		GameObjects: n * 2, Recipes: recipes,
		Kinds: layout.Kinds(Position.Count(n*2), Velocity.Count(n*2), still.Count(n*2)),
	}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(Spawn(s, recipes[i%2]))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 * n / 100 {
		i := r.IntN(n)
		s, ids[i] = made(Spawn(sure(Dispose(s, ids[i])), recipes[i%2]))
	}
	require.NoError(t, ToolsOf(s).Verify())
	batches, rows := runs(s)
	require.GreaterOrEqual(t, rows/batches, 500, "%d rows in %d batches", rows, batches)
	Close(s)
}

// runs returns how many batches a walk over movers takes, and how many rows it shows.
func runs(s State) (batches, rows int) {
	for b := range MoveQuery.In(s) {
		batches++
		rows += b.Len()
	}
	return batches, rows
}
