package world_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	// Kinds that the world of these tests does not have, numbered before and after those it has.
	absentField = layout.NewField[float32]("field")
	absentKind  = layout.NewKind("absent body", absentField)
	absentMark  = layout.NewMark("absent mark")
)

// TestTwoKindsOfOneName: they are refused everywhere, with the types and places of both.
func TestTwoKindsOfOneName(t *testing.T) {
	one, two := layout.NewComponent[[2]float32]("namesake"), layout.NewComponent[uint8]("namesake")
	calls := map[string]func(){
		"View": func() {
			s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(one.Count(1))}))
			world.View(s, two)
		},
	}
	terms := func(k layout.Field[uint8]) []world.Term {
		return []world.Term{
			world.Read(k), world.Write(k), world.Optional(k), world.With(k), world.Without(k),
			world.Any(k), world.Only(k), world.Changed(k),
		}
	}
	for i, term := range terms(two) {
		calls[fmt.Sprint("walk ", i)] = func() {
			s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(one.Count(1))}))
			world.NewQuery(world.With(one), term).Count(s)
		}
		asks := world.NewQuery(world.With(one), term)
		for name, c := range map[string]world.Counts{
			"Queries": {Queries: []world.Query{asks}}, "Watchers": {Watchers: []world.Watcher{world.NewWatcher(asks)}},
			"Recipes": {Recipes: []world.Recipe{world.NewRecipe("both", one, two)}}, "Kinds": {Kinds: layout.Kinds(two)},
			"Resources": {Resources: []world.ResourceKind{world.NewResource("namesake", layout.NewField[uint8]("n"))}},
		} {
			c.GameObjects, c.Kinds = 1, append(c.Kinds, one.Count(1))
			calls[fmt.Sprint("Counts.", name, i)] = func() {
				_, err := world.CreateState(c)
				require.ErrorIs(t, err, systems.ErrKindTwice, name)
				panic(err.Error())
			}
		}
	}
	said := []string{"flatecs: ", "namesake: ", "Two kinds have this name: a kind", "; rename one"}
	if worldtest.StatesChecked { // a release is small
		said = append(said, "a kind of ", "float32 × 2", "uint8 × 1")
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) { worldtest.PanicsWith(t, call, said...) })
	}
}

// wideKinds are n kinds of the widest components that there can be, without counts.
func wideKinds(n int) (counts []layout.Count) {
	for i := range n {
		name := "wide" + strconv.Itoa(i)
		page := layout.NewField[[layout.MaxStride]uint8](name)
		counts = append(counts, layout.Kinds(layout.NewKind(name, page))...)
	}
	return counts
}

// likings are n relations, of few objects.
func likings(n int) (counts []layout.Count) {
	for i := range n {
		likes := layout.NewRelation("likes"+strconv.Itoa(i), layout.Relation{Tree: true})
		counts = append(counts, likes.Kind().Count(10))
	}
	return counts
}

// TestWorldsThatNoMachineHolds: room without counts is addresses, which are scarce if an address
// has 32 bits.
func TestWorldsThatNoMachineHolds(t *testing.T) {
	counted := wideKinds(60)
	for i := range counted {
		counted[i] = counted[i].Kind.Count(manager.MaxRows)
	}
	refused := map[string]world.Counts{
		"a wide kind": {GameObjects: 1, Kinds: counted[:1]}, "sums up": {GameObjects: 1, Kinds: counted},
		"just too big": {GameObjects: 1, Kinds: layout.Kinds(counted[0].Kind.Count(1 << 28))},
		"room of all":  {GameObjects: 1<<30 - 64, Kinds: wideKinds(40)},
	}
	if math.MaxInt == math.MaxInt32 {
		refused["room by default"] = world.Counts{Kinds: wideKinds(1)}
		refused["room for small objects"] = world.Counts{GameObjects: 150_000_000, Kinds: layout.Kinds(Position)}
		refused["room for relations"] = world.Counts{
			GameObjects: 40_000_000, Kinds: append(likings(6), layout.Kinds(Velocity)...),
		}
	}
	for name, counts := range refused {
		_, err := world.CreateState(counts)
		require.ErrorIs(t, err, systems.ErrMemory, name)
		if !strings.HasPrefix(name, "room") {
			var got *world.Error
			require.ErrorAs(t, err, &got)
			assert.GreaterOrEqual(t, got.Count, min(1<<36, math.MaxInt), "the bytes that it would take")
			require.ErrorContains(t, err, "more than this machine has for this program; lower the counts")
			continue
		}
		assert.Regexp(t, `\d{10,} bytes in all; set Counts.GameObjects, or count the kinds`, err)
		counts.GameObjects = 100
		world.Close(world.Must(world.CreateState(counts)))
	}
}

func TestSmallestWorlds(t *testing.T) {
	empty := world.Must(world.CreateState(world.Counts{}))
	_, _, err := world.Create(empty)
	require.ErrorIs(t, err, world.ErrTooMany)
	empty = heroes.RenderInstances(heroes.FlyAll(heroes.MoveAll(heroes.Update(empty))), silent{})
	assert.Zero(t, tool.MaxUID(empty))
	copied := world.Must(world.Clone(empty))
	assert.Equal(t, world.Bytes(empty), world.Bytes(copied))
}
