package systems

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	gameSpeed  = layout.NewField[float32]("speed", 2)
	gameCanvas = layout.NewField("canvas", [2]float32{640, 480})
	gameOver   = layout.NewField[uint8]("over")
	gameTeam   = layout.NewField("team", [3]int64{7, 7, 7})
	game       = NewResource("game", gameSpeed, gameCanvas, gameOver)
	team       = NewResource("team", gameTeam)
	pictures   = NewShared("pictures", []string{"none"})

	hitAt    = layout.NewField("at", [2]float32{1, 2})
	hitBy    = layout.NewField[uint64]("by")
	hits     = NewEvents("hits", hitAt, hitBy)
	hitScore = hits.NewReader("score")
	hitSound = hits.NewReader("sound")
	hitNever = hits.NewReader("never counted")
	flaps    = NewEvents("flaps")
	flapBird = flaps.NewReader("bird")

	ownField   = layout.NewField[int32]("own", 5)
	ownKind    = layout.NewKind("own", ownField)
	looseField = layout.NewField[int32]("of no kind")
)

// fullCounts asks for a world with everything that is on no object.
func fullCounts() Counts {
	return Counts{
		GameObjects: 100, Names: 40, Seed: 7, Commands: 8,
		Kinds:     layout.Kinds(ownKind.Count(20), Position.Count(50)),
		Resources: []ResourceKind{game, pictures.Kind(), team},
		Events:    []EventCount{hits.Count(6, hitScore, hitSound), flaps.Count(1, flapBird)},
	}
}

// fullWorld returns such a world with a few objects.
func fullWorld(tb testing.TB) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(fullCounts()))
	ids := make([]GameObject, 10)
	for i := range ids {
		s, ids[i] = made(Create(s))
		if i%2 == 0 {
			s = sure(Add(s, ids[i], ownKind))
		}
	}
	return s, ids
}

// whole checks a world's bytes against themselves.
func whole(tb testing.TB, s State) {
	tb.Helper()
	require.NoError(tb, ToolsOf(s).Verify())
}

// panicsWith checks that f panics with a sentence that has every part.
func panicsWith(t *testing.T, f func(), parts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		text, ok := sentence(recover())
		require.True(t, ok, "panics with a sentence")
		for _, part := range parts {
			require.Contains(t, text, part)
		}
	}()
	f()
}

// Access to components by id, row or query does not reach data not attached to objects.
func TestFixturesAreOnNoObject(t *testing.T) {
	s, ids := fullWorld(t)
	before := bytes.Clone(Bytes(s))
	notReached(t, s, ids[0], "game", gameSpeed)
	notReached(t, s, ids[0], "hits", hitAt)
	lone, id := made(CreateWith(sure(CreateState(Counts{Kinds: layout.Kinds(ownKind)})), ownKind))
	notReached(t, lone, id, "game", gameSpeed)
	counts := fullCounts()
	counts.Watchers = []Watcher{NewWatcher(NewQuery(Read(gameSpeed)))}
	_, err := CreateState(counts)
	require.ErrorContains(t, err, "game is on no object")
	counts.Watchers = nil
	panicsWith(t, func() { NewQuery(Optional(gameSpeed)).Count(s) }, "on no object")
	panicsWith(t, func() { NewRecipe("own", ownKind).With(gameSpeed.Value(1)) },
		"recipe own sets field game.speed")
	for _, id := range ids {
		assert.NotContains(t, sure(kindNamesOf(s, id)), "game")
	}
	assert.Equal(t, before, Bytes(s))
	s = sure(NewQuery().DisposeAll(s))
	assert.Equal(t, float32(2), Resource(s, gameSpeed))
	whole(t, s)
}

func notReached[T any](t *testing.T, s State, id GameObject, name string, f layout.Field[T]) {
	t.Helper()
	var value T
	reach := []string{name, "on no object", "Resource", "Send"}
	for _, call := range []func(){
		func() { GetRow(s, f, 0) },
		func() { _ = SetRow(s, f, 0, value) },
		func() { View(s, f) },
		func() { ReaderOf(s, f) },
		func() { _ = WriterOf(s, f) },
		func() { Put(Record(s), id, f, value) },
	} {
		panicsWith(t, call, reach...)
	}
	for _, term := range []Term{Read(f), Write(f)} {
		panicsWith(t, func() { NewQuery(term).Count(s) }, reach...)
	}
	with := NewQuery(With(ownKind))
	errOf := func(_ any, err error) error { return err }
	errOf3 := func(_, _ any, err error) error { return err }
	for i, call := range []func() error{
		func() error { return errOf(Get(s, id, f)) },
		func() error { return errOf(Add(s, id, f)) },
		func() error { return errOf(Remove(s, id, f)) },
		func() error { return errOf(Remove(s, id, ownKind, f)) },
		func() error { return errOf(Mount(s, id, f, 0)) },
		func() error { return errOf3(CreateComponent(s, f)) },
		func() error { return errOf3(CreateWith(s, ownKind, f)) },
		func() error { return errOf(with.AddAll(s, f)) },
		func() error { return errOf(with.RemoveAll(s, f)) },
		func() error { return errOf(CreateState(Counts{Recipes: []Recipe{NewRecipe("own", f)}})) },
	} {
		require.ErrorIs(t, call(), ErrNoKind, i)
		require.ErrorContains(t, call(), name+" is on no object; reach a resource of Counts.Resources", i)
	}
}

func TestResourceMisuse(t *testing.T) {
	s, _ := fullWorld(t)
	panicsWith(t, func() { Resource(s, ownField) }, "no resource own", "name it in Counts.Resources")
	panicsWith(t, func() { Resource(s, hitAt) }, "hits is a type of events; reach them by Send and Receive")
	panicsWith(t, func() { Resource(s, looseField) }, "belongs to no kind", "NewResource")
	unheld := layout.NewListField[uint8]("unheld")
	NewResource("unnamed", unheld)
	_, err := ListOf(s, 0, unheld.Spec())
	require.ErrorContains(t, err, "no resource unnamed; name it in Counts.Resources")
	_, err = CreateState(Counts{Resources: []ResourceKind{game, team, game}})
	require.ErrorIs(t, err, ErrKindTwice)
	require.ErrorContains(t, err, "game")
	assert.Equal(t, "game", game.String())
}

func TestAllocsOfResources(t *testing.T) {
	s, _ := fullWorld(t)
	kept := []string{"kept"}
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		s = SetResource(s, gameSpeed, Resource(s, gameSpeed)+1)
		s = UpdateResource(s, gameCanvas, func(size *[2]float32) { size[0]++ })
		s = pictures.Set(s, kept)
		_ = pictures.Of(s)
	}))
	assert.Equal(t, [2]float32{640 + 51, 480}, Resource(s, gameCanvas))
	panicsWith(t, func() { _ = UpdateResource(s, gameSpeed, nil) }, "; give a function")
	if statesChecked {
		panicsWith(t, func() {
			_ = UpdateResource(s, gameSpeed, func(*float32) { s = SetResource(s, gameOver, 1) })
		}, "stale")
	}
}

// hit sends a hit; all of its fields are computed from a number.
func hit(s State, n int) State {
	s, e := hits.Send(s)
	EventColumn(e, hitBy)[0] = uint64(n)
	EventColumn(e, hitAt)[0] = [2]float32{float32(n), -float32(n)}
	return s
}

// numbersOf returns the numbers of received hits, and checks that their fields agree.
func numbersOf(tb testing.TB, r Received) (numbers []int) {
	tb.Helper()
	for _, b := range r.Batches() {
		require.NotZero(tb, b.Len())
		by, at := EventColumn(b, hitBy), EventColumn(b, hitAt)
		require.Len(tb, by, b.Len())
		require.Len(tb, at, b.Len())
		for i, n := range by {
			require.Equal(tb, [2]float32{float32(n), -float32(n)}, at[i])
			numbers = append(numbers, int(n))
		}
	}
	require.Len(tb, numbers, r.Len())
	return numbers
}

// The model keeps everything that was ever sent.
func TestEventsAgainstModel(t *testing.T) {
	readers := []EventReader{hitScore, hitSound}
	for seed := range uint64(20) {
		room := int(seed/2) + 1
		count := hits.Count(room, readers...)
		s := sure(CreateState(Counts{Kinds: layout.Kinds(
			Position.Count(3),
		), Events: []EventCount{count}}))
		r := rand.New(rand.NewPCG(seed, 4))
		sent, done := 0, [2]int{}
		for step := range 500 {
			switch op := r.IntN(12); {
			case op < 8:
				s = hit(s, sent)
				sent++
			case op == 8:
				s = sure(Clone(s))
			default:
				who := r.IntN(len(readers))
				first := max(done[who], sent-room)
				var want []int
				for n := first; n < sent; n++ {
					want = append(want, n)
				}
				got, lost := readers[who].Unread(s)
				require.Equal(t, want, numbersOf(t, got))
				require.Equal(t, first-done[who], lost, "step %d", step)
				switch some := r.IntN(room + 2); op {
				case 9:
					s, got, lost = readers[who].Receive(s)
					require.Equal(t, want, numbersOf(t, got))
					require.Equal(t, first-done[who], lost, "step %d", step)
					done[who] = sent
				case 10: // a few, such as the one event of a step
					s, got, lost = readers[who].ReceiveN(s, some)
					some = min(some, len(want))
					require.Equal(t, append([]int(nil), want[:some]...), numbersOf(t, got))
					require.Equal(t, first-done[who], lost, "step %d", step)
					done[who] = first + some
				}
				require.NoError(t, ToolsOf(s).Verify())
			}
		}
	}
}

func TestEventMisuse(t *testing.T) {
	s, _ := fullWorld(t)
	panicsWith(t, func() { _, _, _ = hitNever.Receive(s) }, "this world has no reader never counted")
	s = hit(s, 1)
	_, got, _ := hitScore.Receive(s)
	b := got.Batches()[0]
	panicsWith(t, func() { EventColumn(b, gameSpeed) }, "speed is not of the events hits")
	panicsWith(t, func() { EventColumn(b, looseField) }, "is not of the events hits")

	for _, c := range []struct {
		count EventCount
		text  []string
	}{
		{EventCount{}, []string{"zero EventCount", "Events.Count"}},
		{hits.Count(1, EventReader{}), []string{"zero EventReader", "NewReader"}},
		{hits.Count(1, flapBird), []string{"bird reads flaps, not hits"}},
		{hits.Count(1, hitScore, hitSound, hitScore), []string{"hits has two readers score"}},
	} {
		counts := Counts{Events: []EventCount{c.count}}
		panicsWith(t, func() { _, _ = CreateState(counts) }, c.text...)
	}
	for _, room := range []int{0, -1, math.MaxInt32} {
		_, err := CreateState(Counts{Events: []EventCount{hits.Count(room)}})
		require.ErrorIs(t, err, ErrCount)
		require.ErrorContains(t, err, fmt.Sprint(room))
		require.ErrorContains(t, err, "hits")
	}
	_, err := CreateState(Counts{Events: []EventCount{hits.Count(1), hits.Count(1)}})
	require.ErrorIs(t, err, ErrKindTwice)
	assert.Equal(t, "hits", hits.String())
	assert.Equal(t, "score", hitScore.String())
}

func TestAllocsOfEvents(t *testing.T) {
	s, _ := fullWorld(t)
	sum, lost := uint64(0), 0
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		for n := range 4 {
			s = hit(s, n)
		}
		var got Received
		var missed int
		s, got, missed = hitScore.Receive(s)
		lost += missed
		for _, b := range got.Batches() {
			for _, by := range EventColumn(b, hitBy) {
				sum += by
			}
		}
		_, _ = hitSound.Unread(s)
		s, _, _ = hitSound.ReceiveN(s, 3)
	}))
	assert.Equal(t, uint64(51*6), sum)
	assert.Zero(t, lost)
}

// TestKeepersAreForgotten: a keeper is called with each event that is overwritten, until it is no
// longer registered.
func TestKeepersAreForgotten(t *testing.T) {
	s, _ := fullWorld(t)
	n, room := 0, s.look().world.fixtures.ring(hits).rows.Rows.Cap()
	for range room {
		s, n = hit(s, n), n+1
	}
	var kept []uint64
	k := &EventKeeper{Keep: func(number uint64, e EventBatch) {
		assert.Equal(t, []uint64{number}, EventColumn(e, hitBy))
		kept = append(kept, number)
	}}
	for range 3 { // for as long as it asks
		KeepEvents(s, hits, k)
		for range keptTicks {
			s = Advance(s)
		}
		s, n = hit(s, n), n+1
		assert.Equal(t, uint64(n-room-1), kept[len(kept)-1])
	}
	assert.Len(t, kept, 3)
	s = hit(Advance(s), n)
	assert.Len(t, kept, 3)
	assert.Empty(t, s.look().world.fixtures.ring(hits).keepers, "forgotten with an event")

	KeepEvents(s, hits, k)
	for range keptTicks + 1 {
		s = Advance(s)
	}
	KeepEvents(s, hits, &EventKeeper{})
	assert.Len(t, s.look().world.fixtures.ring(hits).keepers, 1, "forgotten with another")
	whole(t, s)
}
