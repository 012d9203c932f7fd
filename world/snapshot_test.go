package world_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Restoring takes back whatever was done, and the same done again ends in the same bytes.
func TestRestoreTakesBackEveryOperation(t *testing.T) {
	s, ids := busyWorld()
	p := must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	before, names := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
	var first []byte
	for range 3 {
		for _, o := range operations(ids) {
			s = o.run(s)
			once := bytes.Clone(world.Bytes(s))
			s = must(world.Restore(s, p))
			require.True(t, bytes.Equal(before, world.Bytes(s)), o.name)
			require.Equal(t, names, namesOf(s, ids), o.name)
			s = o.run(s)
			require.True(t, bytes.Equal(once, world.Bytes(s)), o.name)
			s = must(world.Restore(s, p))
		}
		for _, o := range operations(ids) {
			s = o.run(s)
		}
		if first == nil {
			first = bytes.Clone(world.Bytes(s))
		}
		require.True(t, bytes.Equal(first, world.Bytes(s)), "a whole life")
		s = must(world.Restore(s, p))
	}
}

var (
	keptScore  = layout.NewField[uint32]("score")
	keptGame   = world.NewResource("kept game", keptScore)
	keptPower  = layout.NewField[float32]("power")
	keptHits   = world.NewEvents("kept hit", keptPower)
	keptReader = keptHits.NewReader("kept reader")
	keptMoving = world.NewWatcher(world.NewQuery(world.With(world.VelocityKind)))
	keptLabel  = layout.NewValues("kept label", "none")
)

// keptStep uses everything that a world remembers beside its components.
func keptStep(s world.State, last world.GameObject) (world.State, world.GameObject, []float32) {
	s, events, _ := world.Receive(s, keptReader)
	var seen []float32
	for _, b := range events.Batches() {
		seen = append(seen, world.EventColumn(b, keptPower)...)
	}
	score := world.Resource(s, keptScore) + 1
	s = world.SetResource(s, keptScore, score)
	s, random := world.NextStream(s)
	s, b := world.Send(s, keptHits)
	world.EventColumn(b, keptPower)[0] = random.Float32()
	if world.Alive(s, last) && score%3 == 0 {
		s = must(world.DisposeGameObject(s, last))
	}
	s, id := made(world.CreateNamed(s, "kept"))
	s, _ = made(world.AddVelocity(s, id))
	s, _ = made(world.Add(s, id, keptLabel.Kind()))
	s = must(world.SetValue(s, id, keptLabel, string(rune('a'+score%26))))
	s = world.Look(world.Advance(s), keptMoving)
	for entered := range world.Entered(s, keptMoving) {
		seen = append(seen, float32(entered.Index()))
	}
	for left := range world.Left(s, keptMoving) {
		seen = append(seen, -float32(left.Index()))
	}
	return s, id, seen
}

// Names, events and how far readers came, resources, random numbers, watchers and Go values are
// all restored, and go on as they did.
func TestRestoreEverythingRemembered(t *testing.T) {
	s := must(world.CreateState(world.Counts{
		GameObjects: 100, Velocities: 100, Names: 100, Seed: 9,
		Kinds:     []layout.Count{keptLabel.Count(100)},
		Resources: []world.ResourceKind{keptGame},
		Events:    []world.EventCount{keptHits.Count(5, keptReader)},
		Watchers:  []world.Watcher{keptMoving},
	}))
	var last world.GameObject
	for range 10 {
		s, last, _ = keptStep(s, last)
	}
	p := must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	resized := must(world.Resized(s, world.Counts{
		GameObjects: 500, Velocities: 200, Names: 120, Seed: 1,
		Kinds:     []layout.Count{keptLabel.Count(101)},
		Resources: []world.ResourceKind{keptGame},
		Events:    []world.EventCount{keptHits.Count(5, keptReader)},
		Watchers:  []world.Watcher{keptMoving},
	}))
	require.NoError(t, world.Verify(resized))
	life := func(s world.State, last world.GameObject) (world.State, [][]float32, []string) {
		var all [][]float32
		for range 20 {
			var seen []float32
			s, last, seen = keptStep(s, last)
			all = append(all, seen)
		}
		var labels []string
		for id := range world.Named(s, "kept") {
			labels = append(labels, must(world.ValueOf(s, id, keptLabel)))
		}
		return s, all, labels
	}
	s, seen, labels := life(s, last)
	digest := world.Digest(s)
	for range 2 {
		s = must(world.Restore(s, p))
		var again [][]float32
		var now []string
		s, again, now = life(s, last)
		assert.Equal(t, seen, again)
		assert.Equal(t, labels, now)
		assert.Equal(t, digest, world.Digest(s))
	}
	_, again, now := life(resized, last)
	assert.Equal(t, seen, again, "in other counts too")
	assert.Equal(t, labels, now)
}

// Commands that were recorded are in the snapshot, and those recorded later are not.
func TestRestoreBringsCommandsBack(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 10}))
	s, id := made(world.CreateGameObject(s))
	world.Record(s).Add(id, world.PositionKind)
	p := must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	world.Record(s).Dispose(id)
	s = must(world.Restore(s, p))
	s = must(world.Apply(s))
	assert.True(t, world.HasPosition(s, id))
	s = must(world.Restore(s, p))
	assert.False(t, world.HasPosition(s, id))
	s = must(world.Apply(s))
	assert.True(t, world.HasPosition(s, id))
}

// An emptier world over a fuller one, and the other way round.
func TestRestoreEmptierAndFuller(t *testing.T) {
	s := must(world.CreateState(world.Counts{Positions: 1000, Flies: 1000}))
	empty := must(world.NewSnapshot(s))
	require.NoError(t, empty.Take(s))
	none := bytes.Clone(world.Bytes(s))
	s, ids := create(s, 777)
	for _, id := range ids {
		s, _ = made(world.AddPosition(s, id))
		s, _ = made(world.AddFly(s, id))
	}
	full := must(world.NewSnapshot(s))
	require.NoError(t, full.Take(s))
	all := bytes.Clone(world.Bytes(s))
	for range 2 {
		s = must(world.Restore(s, empty))
		assert.True(t, bytes.Equal(none, world.Bytes(s)))
		var again []world.GameObject
		s, again = create(s, 777)
		assert.Equal(t, ids, again, "the same ids")
		s = must(world.Restore(s, full))
		assert.True(t, bytes.Equal(all, world.Bytes(s)))
	}
}

// A recipe keeps whole blocks for its objects, of which the last may be empty.
func TestRebuildWithAnEmptySlab(t *testing.T) {
	r := world.NewRecipe("few in a slab", world.PositionKind)
	s := must(world.CreateState(world.Counts{Positions: 5000, Recipes: []world.Recipe{r}}))
	s = must(world.SpawnN(s, r, 21, nil))
	want := world.Digest(s)
	s = must(world.Rebuild(s))
	require.Equal(t, want, world.Digest(s))
	require.NoError(t, world.Verify(s))
}
