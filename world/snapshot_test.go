package world_test

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// namesOf returns the values of a busy world, which are not in its bytes.
func namesOf(s world.State, ids []world.GameObject) (names []string) {
	for _, id := range ids {
		if name, err := world.ValueOf(s, id, busyNames); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// The same bytes and arguments give the same bytes: f(Clone(s)) equals f(s), and a clone is a copy.
func TestSystemsAreFunctions(t *testing.T) {
	s, ids := busyWorld()
	for _, o := range operations(ids) {
		t.Run(o.name, func(t *testing.T) {
			bytesBefore, namesBefore := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
			copied := world.Must(world.Clone(s))
			require.NotEqual(t, address(world.Bytes(s)), address(world.Bytes(copied)))
			require.True(t, bytes.Equal(bytesBefore, world.Bytes(copied)), "a copy")
			require.Equal(t, namesBefore, namesOf(copied, ids), "a copy")

			copied = o.run(copied)
			assert.True(t, bytes.Equal(bytesBefore, world.Bytes(s)), "the original stays byte for byte")
			assert.Equal(t, namesBefore, namesOf(s, ids), "the original stays")
			s = o.run(s)
			assert.True(t, bytes.Equal(world.Bytes(copied), world.Bytes(s)), "f(Clone(s)) is f(s)")
			assert.Equal(t, namesOf(copied, ids), namesOf(s, ids))
			world.Close(copied)
		})
	}
}

// What is done to a world and to its copy, however long, stays the same.
func TestACopyLivesTheSameLife(t *testing.T) {
	s, ids := busyWorld()
	copied := world.Must(world.Clone(s))
	for range 3 {
		for _, o := range operations(ids) {
			s, copied = o.run(s), o.run(copied)
			require.True(t, bytes.Equal(world.Bytes(copied), world.Bytes(s)), o.name)
			require.NoError(t, tool.Verify(s), o.name)
		}
	}
}

func TestWritingOperationsWrite(t *testing.T) {
	s, ids := busyWorld()
	written := map[string]bool{}
	for _, o := range operations(ids) {
		before, names := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
		s = o.run(s)
		written[o.name] = !bytes.Equal(before, world.Bytes(s)) ||
			!assert.ObjectsAreEqual(names, namesOf(s, ids))
	}
	for _, name := range []string{
		"Move", "MoveAll", "Fly", "FlyAll", "Update", "Frame", "Loop", "a system of one's own", "Advance",
		"walk", "walk, and break", "walks one inside the other", "SetValue", "UpdateValues",
		"Set", "Edit", "WriterOf", "SetRow", "Touch", "set the first hero's", "create and dispose an object",
	} {
		assert.True(t, written[name], "%s writes, so the tests above see whether it is a function", name)
	}
	for _, name := range []string{"RenderOneByOne", "RenderInstances", "Init", "Count", "Has", "numbers", "Get", "Reader"} {
		assert.False(t, written[name], "%s leaves the world as it was", name)
	}
}

// Restoring takes back whatever was done, and the same done again ends in the same bytes.
func TestRestoreTakesBackEveryOperation(t *testing.T) {
	s, ids := busyWorld()
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	before, names := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
	var first []byte
	for range 3 {
		for _, o := range operations(ids) {
			s = o.run(s)
			once := bytes.Clone(world.Bytes(s))
			s = world.Must(world.Restore(s, p))
			require.True(t, bytes.Equal(before, world.Bytes(s)), o.name)
			require.Equal(t, names, namesOf(s, ids), o.name)
			s = o.run(s)
			require.True(t, bytes.Equal(once, world.Bytes(s)), o.name)
			s = world.Must(world.Restore(s, p))
		}
		for _, o := range operations(ids) {
			s = o.run(s)
		}
		if first == nil {
			first = bytes.Clone(world.Bytes(s))
		}
		require.True(t, bytes.Equal(first, world.Bytes(s)), "a whole life")
		s = world.Must(world.Restore(s, p))
	}
}

var (
	keptScore  = layout.NewField[uint32]("score")
	keptGame   = world.NewResource("kept game", keptScore)
	keptPower  = layout.NewField[float32]("power")
	keptHits   = world.NewEvents("kept hit", keptPower)
	keptReader = keptHits.NewReader("kept reader")
	keptMoving = world.NewWatcher(world.NewQuery(world.With(heroes.Velocity)))
	keptLabel  = layout.NewValues("kept label", "none")
)

// keptStep uses everything that a world remembers beside its components.
func keptStep(s world.State, last world.GameObject) (world.State, world.GameObject, []float32) {
	s, events, _ := keptReader.Receive(s)
	var seen []float32
	for _, b := range events.Batches() {
		seen = append(seen, world.EventColumn(b, keptPower)...)
	}
	score := world.Resource(s, keptScore) + 1
	s = world.SetResource(s, keptScore, score)
	s, random := world.NextStream(s)
	s, b := keptHits.Send(s)
	world.EventColumn(b, keptPower)[0] = random.Float32()
	if world.Alive(s, last) && score%3 == 0 {
		s = world.Must(world.Dispose(s, last))
	}
	s, id := world.Must2(worldtest.CreateNamed(s, "kept"))
	s = world.Must(world.Add(s, id, heroes.Velocity))
	s = world.Must(world.Add(s, id, keptLabel))
	s = world.Must(world.SetValue(s, id, keptLabel, string(rune('a'+score%26))))
	s = keptMoving.Look(world.Advance(s))
	for entered := range keptMoving.Entered(s) {
		seen = append(seen, float32(entered.Index()))
	}
	for left := range keptMoving.Left(s) {
		seen = append(seen, -float32(left.Index()))
	}
	return s, id, seen
}

// Names, events and how far readers came, resources, random numbers, watchers and Go values are
// all restored, and go on as they did.
func TestRestoreEverythingRemembered(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Names: 100, Seed: 9,
		Kinds:     layout.Kinds(keptLabel.Count(100), heroes.Velocity.Count(100)),
		Resources: []world.ResourceKind{keptGame},
		Events:    []world.EventCount{keptHits.Count(5, keptReader)},
		Watchers:  []world.Watcher{keptMoving},
	}))
	var last world.GameObject
	for range 10 {
		s, last, _ = keptStep(s, last)
	}
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	resized := world.Must(world.Resized(s, world.Counts{
		GameObjects: 500, Names: 120, Seed: 1,
		Kinds:     layout.Kinds(keptLabel.Count(101), heroes.Velocity.Count(200)),
		Resources: []world.ResourceKind{keptGame},
		Events:    []world.EventCount{keptHits.Count(5, keptReader)},
		Watchers:  []world.Watcher{keptMoving},
	}))
	require.NoError(t, tool.Verify(resized))
	life := func(s world.State, last world.GameObject) (world.State, [][]float32, []string) {
		var all [][]float32
		for range 20 {
			var seen []float32
			s, last, seen = keptStep(s, last)
			all = append(all, seen)
		}
		var labels []string
		for id := range world.Named(s, "kept") {
			labels = append(labels, world.Must(world.ValueOf(s, id, keptLabel)))
		}
		return s, all, labels
	}
	s, seen, labels := life(s, last)
	digest := world.Digest(s)
	for range 2 {
		s = world.Must(world.Restore(s, p))
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
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(10))}))
	s, id := world.Must2(world.Create(s))
	world.Record(s).Add(id, heroes.Position.Kind())
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	world.Record(s).Dispose(id)
	s = world.Must(world.Restore(s, p))
	s = world.Must(world.Apply(s))
	assert.True(t, world.Has(s, id, heroes.Position))
	s = world.Must(world.Restore(s, p))
	assert.False(t, world.Has(s, id, heroes.Position))
	s = world.Must(world.Apply(s))
	assert.True(t, world.Has(s, id, heroes.Position))
}

// An emptier world over a fuller one, and the other way round.
func TestRestoreEmptierAndFuller(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(1000), heroes.MaxVelocity.Count(1000),
	)}))
	empty := world.Must(world.NewSnapshot(s))
	require.NoError(t, empty.Take(s))
	none := bytes.Clone(world.Bytes(s))
	s, ids := worldtest.Create(s, 777)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
		s = world.Must(world.Add(s, id, heroes.MaxVelocity))
	}
	full := world.Must(world.NewSnapshot(s))
	require.NoError(t, full.Take(s))
	all := bytes.Clone(world.Bytes(s))
	for range 2 {
		s = world.Must(world.Restore(s, empty))
		assert.True(t, bytes.Equal(none, world.Bytes(s)))
		var again []world.GameObject
		s, again = worldtest.Create(s, 777)
		assert.Equal(t, ids, again, "the same ids")
		s = world.Must(world.Restore(s, full))
		assert.True(t, bytes.Equal(all, world.Bytes(s)))
	}
}

// A recipe keeps whole blocks for its objects, of which the last may be empty.
func TestRebuildWithAnEmptySlab(t *testing.T) {
	r := world.NewRecipe("few in a slab", heroes.Position)
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(5000),
	), Recipes: []world.Recipe{r}}))
	s = world.Must(world.SpawnN(s, r, 21, nil))
	want := world.Digest(s)
	s = world.Must(tool.Rebuild(s))
	require.Equal(t, want, world.Digest(s))
	require.NoError(t, tool.Verify(s))
}
