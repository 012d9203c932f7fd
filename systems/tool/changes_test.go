package tool_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

type twoParts struct{ Near, Far uint8 }

var (
	changeGold  = layout.NewComponent[uint8]("change gold")
	changeParts = layout.NewComponent[twoParts]("change parts")
	changeMark  = layout.NewMark("change mark")
	changeRule  = layout.NewField[uint8]("level")
	changeRules = systems.NewResource("change rules", changeRule)
)

// changed changes something of a world.
func changed(s systems.State, r *rand.Rand) systems.State {
	ids := slices.Collect(systems.GameObjects(s))
	if len(ids) == 0 || r.IntN(6) == 0 {
		s, _, _ = systems.CreateWith(s, changeGold, changeParts)
		return s
	}
	id := ids[r.IntN(len(ids))]
	switch r.IntN(7) {
	case 0:
		s, _ = systems.Dispose(s, id)
	case 1:
		s, _ = systems.Add(s, id, changeMark)
	case 2:
		s, _ = systems.Remove(s, id, changeGold)
	case 3:
		s = systems.SetResource(s, changeRule, uint8(r.IntN(2)))
	case 4:
		s, _ = systems.Set(s, id, changeGold, uint8(r.IntN(3)))
	default:
		s, _ = systems.Set(s, id, changeParts, twoParts{uint8(r.IntN(2)), uint8(r.IntN(2))})
	}
	return s
}

// modelChanges counts what differs, object by object.
func modelChanges(a, b systems.State) map[string]int {
	found := map[string]int{}
	count := func(name string, differ bool) {
		if differ {
			found[name]++
		}
	}
	all := map[systems.GameObject]bool{}
	for _, s := range []systems.State{a, b} {
		for id := range systems.GameObjects(s) {
			all[id] = true
		}
	}
	for id := range all {
		x, y := systems.Alive(a, id), systems.Alive(b, id)
		if count("alive", x != y); x != y {
			continue
		}
		for _, k := range []layout.AnyKind{changeGold, changeParts, changeMark} {
			count(fmt.Sprint("has ", k.Kind()), systems.Has(a, id, k) != systems.Has(b, id, k))
		}
		if g, err := systems.Get(a, id, changeGold); err == nil {
			if h, err := systems.Get(b, id, changeGold); err == nil {
				count("change gold", g != h)
			}
		}
		if g, err := systems.Get(a, id, changeParts); err == nil {
			if h, err := systems.Get(b, id, changeParts); err == nil {
				count("change parts.Near", g.Near != h.Near)
				count("change parts.Far", g.Far != h.Far)
			}
		}
	}
	count("change rules.level", systems.Resource(a, changeRule) != systems.Resource(b, changeRule))
	return found
}

// TestChangesAgainstModel: two worlds part, and what differs is what differs object by object.
func TestChangesAgainstModel(t *testing.T) {
	for life := range 60 {
		r := rand.New(rand.NewPCG(uint64(life), 5))
		a := systems.Must(systems.CreateState(systems.Counts{
			GameObjects: 12, Resources: []systems.ResourceKind{changeRules},
			Kinds: layout.Kinds(changeGold, changeParts, changeMark),
		}))
		for range 20 {
			a = changed(a, r)
		}
		b := systems.Must(systems.Clone(a))
		same := systems.Must(tool.Changes(a, b, 3))
		require.Empty(t, same)
		for range 10 {
			b = changed(b, r)
			found := systems.Must(tool.Changes(a, b, 3))
			counts := map[string]int{}
			for _, c := range found {
				counts[c.String()] = c.Objects
				require.Len(t, c.First, min(c.Objects, 3))
			}
			model := modelChanges(a, b)
			require.Equal(t, slices.Sorted(maps.Keys(model)), slices.Sorted(maps.Keys(counts)))
			require.Equal(t, model, counts)
		}
		systems.Close(a)
		systems.Close(b)
	}
	other := systems.Must(systems.CreateState(systems.Counts{GameObjects: 12}))
	third := systems.Must(systems.CreateState(systems.Counts{GameObjects: 13}))
	_, err := tool.Changes(other, third, 1)
	assert.ErrorIs(t, err, systems.ErrOther)
}
