package systems

import (
	"bytes"
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

// What reaches components by id, row or query does not reach what is on no object.
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
		names := sure(kindNamesOf(s, id))
		assert.NotContains(t, names, "game")
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
