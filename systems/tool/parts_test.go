package tool_test

import (
	"fmt"
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
)

const architecture = "../../docs/ARCHITECTURE.md"

// TestPageNamesTheParts: the table of the page has a row per part of a world that has one of
// everything, those of an owner in their order, and no other.
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
	s := systems.Must(systems.CreateState(c))
	return s
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

// TestVerifyTakesAnyBytes: whatever is damaged, as far as counters are right, it returns.
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
