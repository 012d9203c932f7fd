package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/mlange-42/ark/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Instructions are counted by cachegrind, on a machine with any load: 60 rounds of 1,000
// operations, minus 10 rounds. Ark's figures are beside those of flatecs, in the default build.
//
//	FLATECS_FULL=1 go test -run TestInstructions -v
func TestInstructions(t *testing.T) {
	if os.Getenv("FLATECS_FULL") == "" {
		t.Skip("it simulates a processor for a minute; set FLATECS_FULL=1")
	}
	for _, c := range counted() {
		ours, theirs := instructions(t, c.name, "flatecs"), instructions(t, c.name, "Ark")
		t.Logf("%-28s %7.0f %7.0f %6.2f", c.name, ours, theirs, ours/theirs)
		assert.Less(t, ours, c.most, "instructions of %s", c.name)
	}
}

// instructions returns the instructions of one operation.
func instructions(t *testing.T, name, who string) float64 {
	t.Helper()
	var n [2]float64
	for i, rounds := range []int{10, 60} {
		found := cachegrind(t, refs, []string{"--cache-sim=no"},
			"count", name, who, strconv.Itoa(rounds))
		require.Len(t, found, 1)
		n[i] = found[0]
	}
	return (n[1] - n[0]) / (50 * operations)
}

var refs = regexp.MustCompile(`I\s+refs: +([\d,]+)`)

const operations = 1000

// count plays a number of rounds of a case.
func count(name, who, rounds string) error {
	all := counted()
	at := slices.IndexFunc(all, func(c countedCase) bool { return c.name == name })
	n, err := strconv.Atoi(rounds)
	if at < 0 || err != nil {
		return fmt.Errorf("no case %s, or %w", name, err)
	}
	round := all[at].flatecs
	if who == "Ark" {
		round = all[at].ark
	}
	play := round()
	for range n {
		play()
	}
	return nil
}

// A countedCase is one round of 1,000 operations in a world, which its functions make.
type countedCase struct {
	name         string
	most         float64 // instructions of an operation of flatecs
	flatecs, ark func() func()
}

type pair struct{ X, Y float64 }

var (
	first  = layout.NewField[pair]("first")
	second = layout.NewField[pair]("second")
	held   = layout.NewKind("second", second)
	parts  = []layout.AnyKind{layout.NewKind("first", first), held}
	more   = []layout.Field[pair]{
		layout.NewComponent[pair]("c1"), layout.NewComponent[pair]("c2"), layout.NewComponent[pair]("c3"),
		layout.NewComponent[pair]("c4"), layout.NewComponent[pair]("c5"), layout.NewComponent[pair]("c6"),
		layout.NewComponent[pair]("c7"), layout.NewComponent[pair]("c8"), layout.NewComponent[pair]("c9"),
		layout.NewComponent[pair]("c10"),
	}
	two = world.NewRecipe("two", parts...)
	ten = world.NewRecipe("ten", tenKinds()...)
	all = world.NewQuery()
)

type (
	a1  pair
	a2  pair
	a3  pair
	a4  pair
	a5  pair
	a6  pair
	a7  pair
	a8  pair
	a9  pair
	a10 pair
)

func tenKinds() (kinds []layout.AnyKind) {
	for _, f := range more {
		kinds = append(kinds, f.Kind())
	}
	return kinds
}

// ours makes a world of the README's form with objects, and returns what a round does.
func ours(filled int, round func(s world.State, ids []world.GameObject) world.State) func() func() {
	return func() func() {
		s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{two, ten}}))
		var ids []world.GameObject
		for range filled {
			var id world.GameObject
			s, id = world.Must2(world.Spawn(s, two))
			ids = append(ids, id)
		}
		return func() { s = round(s, ids) }
	}
}

// theirs makes a world of Ark with objects, and returns what a round does.
func theirs(
	filled int, round func(w *ecs.World) func(ids []ecs.Entity),
) func() func() {
	return func() func() {
		w := ecs.NewWorld(1024)
		m, play := ecs.NewMap2[a1, a2](w), round(w)
		var ids []ecs.Entity
		for range filled {
			ids = append(ids, m.NewEntity(&a1{}, &a2{}))
		}
		return func() { play(ids) }
	}
}

var sum float64

// spawns is a round of spawning and disposing objects of a recipe one by one. In a copy of its
// functions calls would not be inlined, as they are in programs.
//
//go:noinline
func spawns(r world.Recipe, at int) func() func() {
	ids := make([]world.GameObject, at)
	return ours(0, func(s world.State, _ []world.GameObject) world.State {
		for range operations / at {
			for i := range ids {
				s, ids[i] = world.Must2(world.Spawn(s, r))
			}
			for _, id := range ids {
				s = world.Must(world.Dispose(s, id))
			}
		}
		return s
	})
}

//go:noinline
func arkSpawns(at int, maker func(w *ecs.World) func() ecs.Entity) func() func() {
	return theirs(0, func(w *ecs.World) func([]ecs.Entity) {
		ids, spawn := make([]ecs.Entity, at), maker(w)
		return func([]ecs.Entity) {
			for range operations / at {
				for i := range ids {
					ids[i] = spawn()
				}
				for _, id := range ids {
					w.RemoveEntity(id)
				}
			}
		}
	})
}

// replaced is a round of disposing each object of a full world, and spawning another one.
//
//go:noinline
func replaced(r world.Recipe) func() func() {
	var ids []world.GameObject
	return ours(0, func(s world.State, _ []world.GameObject) world.State {
		for len(ids) < operations {
			var id world.GameObject
			s, id = world.Must2(world.Spawn(s, r))
			ids = append(ids, id)
		}
		for i := range ids {
			at := i * 7 % operations
			s = world.Must(world.Dispose(s, ids[at]))
			s, ids[at], _ = world.Spawn(s, r)
		}
		return s
	})
}

//go:noinline
func arkReplaced(maker func(w *ecs.World) func() ecs.Entity) func() func() {
	return theirs(0, func(w *ecs.World) func([]ecs.Entity) {
		ids, spawn := make([]ecs.Entity, operations), maker(w)
		for i := range ids {
			ids[i] = spawn()
		}
		return func([]ecs.Entity) {
			for i := range ids {
				at := i * 7 % operations
				w.RemoveEntity(ids[at])
				ids[at] = spawn()
			}
		}
	})
}

func arkTwo(w *ecs.World) func() ecs.Entity {
	m := ecs.NewMap2[a1, a2](w)
	return func() ecs.Entity { return m.NewEntityFn(nil) }
}

func arkTen(w *ecs.World) func() ecs.Entity {
	m := ecs.NewMap10[a1, a2, a3, a4, a5, a6, a7, a8, a9, a10](w)
	return func() ecs.Entity { return m.NewEntityFn(nil) }
}

func counted() []countedCase { return slices.Concat(byID(), spawned()) }

func byID() []countedCase {
	return []countedCase{
		{"Alive", 39, ours(operations, func(s world.State, ids []world.GameObject) world.State {
			for _, id := range ids {
				if world.Alive(s, id) {
					sum++
				}
			}
			return s
		}), theirs(operations, func(w *ecs.World) func([]ecs.Entity) {
			return func(ids []ecs.Entity) {
				for _, id := range ids {
					if w.Alive(id) {
						sum++
					}
				}
			}
		})},
		{"Has", 72, ours(operations, func(s world.State, ids []world.GameObject) world.State {
			for _, id := range ids {
				if world.Has(s, id, held) {
					sum++
				}
			}
			return s
		}), theirs(operations, func(w *ecs.World) func([]ecs.Entity) {
			m := ecs.NewMap[a2](w)
			return func(ids []ecs.Entity) {
				for _, id := range ids {
					if m.Has(id) {
						sum++
					}
				}
			}
		})},
		{"Get", 88, ours(operations, func(s world.State, ids []world.GameObject) world.State {
			for _, id := range ids {
				v, _ := world.Get(s, id, second)
				sum += v.X
			}
			return s
		}), theirs(operations, func(w *ecs.World) func([]ecs.Entity) {
			m := ecs.NewMap[a2](w)
			return func(ids []ecs.Entity) {
				for _, id := range ids {
					sum += m.Get(id).X
				}
			}
		})},
		{"Set", 113, ours(operations, func(s world.State, ids []world.GameObject) world.State {
			for i, id := range ids {
				s, _ = world.Set(s, id, second, pair{X: float64(i)})
			}
			return s
		}), arkSets()},
	}
}

func spawned() []countedCase {
	return []countedCase{
		{"Spawn of 2, Dispose", 570, spawns(two, operations), arkSpawns(operations, arkTwo)},
		{"Spawn of 10, Dispose", 1000, spawns(ten, operations), arkSpawns(operations, arkTen)},
		{"one Spawn of 2, Dispose", 1285, spawns(two, 1), arkSpawns(1, arkTwo)},
		{"one Spawn of 10, Dispose", 3270, spawns(ten, 1), arkSpawns(1, arkTen)},
		{"Spawn with 2 values, all", 555, ours(0, func(s world.State, _ []world.GameObject) world.State {
			for i := range operations {
				s, _, _ = world.Spawn(s, two, first.Value(pair{X: float64(i)}), second.Value(pair{Y: 2}))
			}
			return world.Must(all.DisposeAll(s))
		}), arkValues()},
		{"one of 2 replaced, full", 870, replaced(two), arkReplaced(arkTwo)},
		{"one of 10 replaced, full", 2250, replaced(ten), arkReplaced(arkTen)},
		{"recorded Spawn of 2, all", 170, allRecorded(), arkAll(arkTwo)},
		{"recorded Spawn with 2 values, all", 276, allRecorded(values...), arkValues()},
		{"recorded Dispose of 2", 273, recorded(1), arkSpawns(operations, arkTwo)},
		{"recorded Dispose of 2, shuffled", 273, recorded(379), arkSpawns(operations, arkTwo)},
		{"recorded Put", 380, ours(operations, func(s world.State, ids []world.GameObject) world.State {
			c := world.Record(s)
			for i, id := range ids {
				world.Put(c, id, second, pair{X: float64(i)})
			}
			return world.Must(world.Apply(s))
		}), arkSets()},
		{"Spawn of 2, all", 276, allSpawned(two), arkAll(arkTwo)},
		{"Spawn of 10, all", 464, allSpawned(ten), arkAll(arkTen)},
	}
}

//go:noinline
func arkSets() func() func() {
	return theirs(operations, func(w *ecs.World) func([]ecs.Entity) {
		m := ecs.NewMap[a2](w)
		return func(ids []ecs.Entity) {
			for i, id := range ids {
				m.Set(id, &a2{X: float64(i)})
			}
		}
	})
}

//go:noinline
func allSpawned(r world.Recipe) func() func() {
	return ours(0, func(s world.State, _ []world.GameObject) world.State {
		for range operations {
			s, _, _ = world.Spawn(s, r)
		}
		return world.Must(all.DisposeAll(s))
	})
}

func arkAll(maker func(w *ecs.World) func() ecs.Entity) func() func() {
	return theirs(0, func(w *ecs.World) func([]ecs.Entity) {
		spawn, filter := maker(w), ecs.NewFilter0(w)
		return func([]ecs.Entity) {
			for range operations {
				spawn()
			}
			w.RemoveEntities(filter.Batch(), nil)
		}
	})
}

//go:noinline
func arkValues() func() func() {
	return theirs(0, func(w *ecs.World) func([]ecs.Entity) {
		m, filter := ecs.NewMap2[a1, a2](w), ecs.NewFilter0(w)
		return func([]ecs.Entity) {
			for i := range operations {
				m.NewEntity(&a1{X: float64(i)}, &a2{Y: 2})
			}
			w.RemoveEntities(filter.Batch(), nil)
		}
	})
}

var values = []layout.FieldValue{first.Value(pair{X: 1}), second.Value(pair{Y: 2})}

// allRecorded is a round of recorded spawns, whose objects are disposed at once.
//
//go:noinline
func allRecorded(values ...layout.FieldValue) func() func() {
	return ours(0, func(s world.State, _ []world.GameObject) world.State {
		c := world.Record(s)
		for range operations {
			c.Spawn(two, values...)
		}
		s = world.Must(world.Apply(s))
		return world.Must(all.DisposeAll(s))
	})
}

// recorded is a round of spawning objects at once, whose disposals are recorded: every so manieth
// of them, and around.
//
//go:noinline
func recorded(step int) func() func() {
	var ids []world.GameObject
	return ours(0, func(s world.State, _ []world.GameObject) world.State {
		ids = ids[:0]
		s = world.Must(world.SpawnN(s, two, operations, func(b world.Batch) {
			ids = b.AppendIDs(ids)
		}))
		c := world.Record(s)
		for i := range ids {
			c.Dispose(ids[i*step%operations])
		}
		return world.Must(world.Apply(s))
	})
}
