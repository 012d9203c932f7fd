package tool_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
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
		require.Empty(t, systems.Must(tool.Changes(a, b, 3)))
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

const architecture = "../../docs/ARCHITECTURE.md"

// TestPageNamesTheParts: the table of the page has exactly the parts of a world with one of
// everything, with the parts of each owner in order.
func TestPageNamesTheParts(t *testing.T) {
	text := systems.Must(os.ReadFile(architecture))
	_, table, ok := strings.Cut(string(text), "| of | part | bytes | what |\n|---|---|---|---|\n")
	require.True(t, ok, "%s has no table of parts", architecture)
	table, _, _ = strings.Cut(table, "\n\n")
	told := map[string][]string{}
	of := ""
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		require.Len(t, cells, 6, line)
		if name := strings.TrimSpace(cells[1]); name != "" {
			of = name
		}
		row := of + " |" + cells[2] + "|" + strings.TrimRight(cells[3], " ")
		if strings.HasSuffix(strings.TrimSpace(cells[4]), "; derived") {
			row += "; derived"
		}
		told[of] = append(told[of], row)
	}
	s := worldOfParts(t)
	defer systems.Close(s)
	owners := map[string]string{
		"world": "header", "game objects": "game objects", "first": "a kind by block",
		"other": "another kind", `watcher all of "first"`: "a watcher",
	}
	lie := map[string][]string{}
	for p := range offsets(s) {
		owner, ok := owners[p.Owner]
		if !ok {
			continue
		}
		row := owner + " | " + p.Name + " | " + strings.Replace(sizeOf(p), " bytes", "", 1)
		if p.Field != nil {
			row = owner + " | columns | one per field: the size of its type per row"
		}
		if !p.Truth {
			row += "; derived"
		}
		if lie[owner] = append(lie[owner], row); strings.Contains(row, "columns |") {
			lie[owner] = slices.Compact(lie[owner])
		}
	}
	assert.Equal(t, lie, told, architecture)
}

// TestPageTellsTheOffsetOfPositions: in the walk through a frame.
func TestPageTellsTheOffsetOfPositions(t *testing.T) {
	text := systems.Must(os.ReadFile(architecture))
	s := scene(t)
	defer systems.Close(s)
	told := regexp.MustCompile(`(?:at|from) offset (\d+)`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, told, 2)
	for p, at := range offsets(s) {
		for _, of := range told {
			if p.Owner == "position" && p.Name == "xyz" {
				assert.Equal(t, of[1], fmt.Sprint(at), "%s: %s", architecture, of[0])
			}
		}
	}
}

// offsets yields the parts of a world with their offsets.
func offsets(s systems.State) func(func(*tool.Part, int) bool) {
	return func(yield func(*tool.Part, int) bool) {
		parts, at := tool.Parts(s), 0
		for i := range parts {
			if !yield(&parts[i], at) {
				return
			}
			at += (len(parts[i].Bytes) + 63) &^ 63
		}
	}
}

func created(t *testing.T, c systems.Counts) systems.State {
	t.Helper()
	return systems.Must(systems.CreateState(c))
}

func scene(t *testing.T) systems.State {
	t.Helper()
	return created(t, systems.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(10), heroes.MaxVelocity.Count(10),
		heroes.Instance.Count(10),
	)})
}

var (
	drawnField = layout.NewField[uint64]("columns")
	drawnKind  = layout.NewKind("first", drawnField)
	drawnOther = layout.NewComponent[uint64]("other")
	drawnMark  = layout.NewMark("second")
	drawnLevel = layout.NewField[uint32]("level")
	drawnSea   = systems.NewResource("sea", drawnLevel)
	drawnShots = systems.NewEvents("shots", layout.NewField[uint16]("damage"))
	drawnEars  = drawnShots.NewReader("ears")

	drawnRecipe = systems.NewRecipe("third", drawnKind)
)

// worldOfParts has one of everything.
func worldOfParts(t *testing.T) systems.State {
	t.Helper()
	return created(t, systems.Counts{
		Kinds: layout.Kinds(drawnKind.Count(100), drawnOther.Count(99), drawnMark.Count(0)),
		Names: 1, Seed: 1, Recipes: []systems.Recipe{drawnRecipe},
		Resources: []systems.ResourceKind{drawnSea}, Watchers: []systems.Watcher{
			systems.NewWatcher(systems.NewQuery(systems.With(drawnKind))),
		},
		Events: []systems.EventCount{drawnShots.Count(2, drawnEars)},
	})
}

// sizeOf tells how large a part is.
func sizeOf(p *tool.Part) string {
	if per := p.Per(); per != "" {
		return fmt.Sprintf("%d bytes per %s", p.Unit, per)
	}
	return fmt.Sprintf("%d bytes", p.Unit)
}

// TestVerifyTakesAnyBytes: it returns for any damage that leaves the counters right.
func TestVerifyTakesAnyBytes(t *testing.T) {
	const tries = 60 // per part
	for _, s := range []systems.State{worldOfParts(t), scattered(t, 1, 300, 200, 400)} {
		require.NoError(t, tool.Verify(s))
		r, parts, whole := rand.New(rand.NewPCG(5, 3)), tool.Parts(s), slices.Clone(systems.Bytes(s))
		found, outside := 0, 0
		for i := range tries * len(parts) {
			b := tool.Used(s, &parts[i%len(parts)])
			for range min(1+r.IntN(3), len(b)) {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			if tool.CheckCounters(s) == nil {
				if err := tool.Verify(s); err != nil {
					found++
					if strings.Contains(err.Error(), "outside of them") {
						outside++
					}
				}
			}
			copy(systems.Bytes(s), whole)
		}
		t.Log(tries*len(parts), "damages,", found, "found,", outside, "of them outside")
		assert.Greater(t, found, len(parts))
		require.NoError(t, tool.Verify(s))
		systems.Close(s)
	}
}

// A whole column may be touched: the bytes are the same as if only the used rows were touched.
func TestTouchLeavesOutRowsNeverUsed(t *testing.T) {
	place := layout.NewComponent[[2]float32]("touch place")
	touched := func(used, row, n int) []byte {
		s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(place.Count(1000))}))
		for range used {
			s, _ = world.Must2(world.CreateWith(s, place))
		}
		s = world.Advance(s)
		s = tool.Touch(s, place.Kind(), layout.Row(row), n)
		defer world.Close(s)
		return append([]byte{}, world.Bytes(s)...)
	}
	for _, used := range []int{1, 64, 65, 1000} {
		assert.Equal(t, touched(used, 0, used), touched(used, 0, 1000), "%d rows used", used)
		assert.Equal(t, touched(used, 0, 0), touched(used, used, 1000-used), "%d rows used", used)
	}
}

func TestAMomentEndsWhenTheKindIsWritten(t *testing.T) {
	place := layout.NewComponent[[2]float32]("moment place")
	other := layout.NewComponent[float32]("moment other")
	s, err := world.CreateState(world.Counts{Kinds: layout.Kinds(place.Count(5), other.Count(5))})
	require.NoError(t, err)
	s, id := world.Must2(world.CreateWith(s, place, other))
	now := tool.MomentOf(s, place.Kind())
	same := func() {
		t.Helper()
		assert.Equal(t, now, tool.MomentOf(s, place.Kind()))
	}
	over := func() {
		t.Helper()
		assert.NotEqual(t, now, tool.MomentOf(s, place.Kind()))
		now = tool.MomentOf(s, place.Kind())
	}
	assert.NotEqual(t, tool.Moment{}, now)
	s = world.Must(world.Set(s, id, other, 3))
	same()
	s = world.Advance(s)
	same()
	s = world.Must(world.Set(s, id, place, [2]float32{1, 1}))
	over()
	for range world.NewQuery(world.Read(place)).In(s) {
		continue
	}
	same()
	for range world.NewQuery(world.Write(place)).In(s) {
		continue
	}
	over()
	s = world.Must(world.Suspend(s, id, place))
	over()
	twin := world.Must(world.Clone(s))
	assert.NotEqual(t, now, tool.MomentOf(twin, place.Kind()))
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	same()
	s = world.Must(world.Restore(s, p))
	over()
}
