package systems

import (
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

// runs returns how many batches a walk over movers takes, and how many rows it shows.
func runs(s State) (batches, rows int) {
	for b := range benchMove.In(s) {
		batches++
		rows += b.Len()
	}
	return batches, rows
}

// TestTurnoverKeepsLongRuns: two recipes, mixed, at 90 % of the peak; one object in a hundred is
// disposed and spawned in each of 600 frames. Walks stay long.
func TestTurnoverKeepsLongRuns(t *testing.T) {
	OneGoroutine(t)
	const n = 65_536
	s := turnover(spawned(t, n), n)
	if err := ArenaOf(s).Verify(); err != nil {
		t.Fatal(err)
	}
	batches, rows := runs(s)
	t.Logf("%d rows in %d batches: %d rows each", rows, batches, rows/batches)
	if rows/batches < 500 {
		t.Errorf("%d rows in %d batches", rows, batches)
	}
}

// TestTidyBringsLongRunsBack: objects made piece by piece, alternating, walk row by row until the
// world is tidied.
func TestTidyBringsLongRunsBack(t *testing.T) {
	const n = 4096
	s := sure(CreateState(Counts{GameObjects: n, Kinds: layout.Kinds(
		Position.Count(n), Velocity.Count(n),
	)}))
	r := rand.New(rand.NewPCG(7, 8))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(CreateGameObject(s))
	}
	for _, k := range []Kind{Position.Kind(), Velocity.Kind()} {
		for _, i := range r.Perm(n) {
			if i%4 != 3 {
				s = sure(Add(s, ids[i], k))
			}
		}
	}
	before, rows := runs(s)
	for b := range benchMove.In(s) {
		for i := range b.Len() {
			Column(b, Position)[i][0] = float32(b.ID(i).Index())
		}
	}
	s = sure(Tidy(s))
	if err := ArenaOf(s).Verify(); err != nil {
		t.Fatal(err)
	}
	after, same := runs(s)
	if same != rows || before < 12 || after != 1 {
		t.Errorf("%d rows in %d batches, then %d in %d", rows, before, same, after)
	}
	at := Open(s, Position)
	for i, id := range ids {
		if p, ok := at.At(id); ok != (i%4 != 3) || ok && p[0] != float32(i) {
			t.Fatalf("object %d is at %v", i, p)
		}
	}
}
