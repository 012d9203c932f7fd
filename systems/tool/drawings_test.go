package tool_test

import (
	"fmt"
	"os"
	"regexp"
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

// drawn is what the page has between the markers of a drawing.
var drawn = regexp.MustCompile(`(?s)(<!-- drawn: ([a-z ]+); [^>]*-->\n).*?(<!-- end -->\n)`)

// TestDrawingsOfMemory: go test ./systems/tool -update draws them anew.
func TestDrawingsOfMemory(t *testing.T) {
	text, err := os.ReadFile(architecture)
	require.NoError(t, err)
	page := string(text)
	drawings := map[string]string{
		"order": drawOrder(t), "heroes": drawHeroes(t), "block": drawBlock(t),
		"example": drawExample(t),
	}
	s := drawnWorld(t)
	drawings["game objects"] = drawRegion(s, "game objects")
	drawings["kind"] = drawRegion(s, "first")
	drawings["watcher"] = drawRegion(s, "watcher 0")
	systems.Close(s)
	got := drawn.ReplaceAllStringFunc(page, func(old string) string {
		of := drawn.FindStringSubmatch(old)
		now := drawings[of[2]]
		if now == "" {
			t.Errorf("%s: nobody draws %q", architecture, of[2])
			return old
		}
		delete(drawings, of[2])
		return of[1] + "\n" + now + "\n" + of[3]
	})
	assert.Empty(t, drawings, "drawings without a place, or twice, in "+architecture)
	if *update {
		require.NoError(t, os.WriteFile(architecture, []byte(got), 0o600))
		return
	}
	if page != got {
		assert.Equal(t, page, got,
			"the drawings are not of the bytes that there are; go test ./systems/tool -update")
	}
}

// TestPageTellsTheOffsetOfPositions: in the walk through a frame.
func TestPageTellsTheOffsetOfPositions(t *testing.T) {
	text, err := os.ReadFile(architecture)
	require.NoError(t, err)
	s := scene(t)
	defer systems.Close(s)
	told := regexp.MustCompile(`(?:at|from) offset (\d+)`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, told, 2)
	for p, at := range offsets(s) {
		for _, of := range told {
			if tool.Title(p) == "position.xyz" {
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
	s, err := systems.CreateState(c)
	require.NoError(t, err)
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
	drawnMark  = layout.NewMark("second")
	drawnLevel = layout.NewField[uint32]("level")
	drawnSea   = systems.NewResource("sea", drawnLevel)
)

// drawnWorld has one of everything.
func drawnWorld(t *testing.T) systems.State {
	t.Helper()
	return created(t, systems.Counts{
		Kinds: layout.Kinds(drawnKind.Count(100), drawnMark.Count(0)),
		Names: 1, Seed: 1,
		Resources: []systems.ResourceKind{drawnSea}, Watchers: []systems.Watcher{
			systems.NewWatcher(systems.NewQuery(systems.With(drawnKind))),
		},
		Events: []systems.EventCount{shownShots.Count(2, shownEars)},
	})
}

// drawOrder draws the regions of a world in a line or two.
func drawOrder(t *testing.T) string {
	t.Helper()
	s := drawnWorld(t)
	defer systems.Close(s)
	region := map[string]string{
		"world": "header", "first": "kinds, in the order of the counts",
		"second": "kinds, in the order of the counts", "name": "names",
		"sea": "resources", "shots": "events", "readers of shots": "events", "watcher 0": "watchers",
	}
	var boxes []string
	for p := range offsets(s) {
		name := region[p.Owner]
		switch {
		case p.Name == "kinds per block" || p.Name == "settled":
			name = "kinds per block, settled"
		case name == "":
			name = p.Owner
		}
		if len(boxes) == 0 || boxes[len(boxes)-1] != name {
			boxes = append(boxes, name)
		}
	}
	lines := []string{"|"}
	for _, box := range boxes {
		if last := &lines[len(lines)-1]; len(*last)+len(box) > 90 {
			lines = append(lines, "|")
		}
		lines[len(lines)-1] += " " + box + " |"
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```\n"
}

// drawHeroes draws the world of the heroes' scene by its offsets.
func drawHeroes(t *testing.T) string {
	t.Helper()
	s := scene(t)
	defer systems.Close(s)
	var b strings.Builder
	fmt.Fprintf(&b, "In the heroes' scene, with ten rows of each kind, that is %d bytes:\n\n",
		systems.Size(s))
	b.WriteString("| offset | region | what |\n|---:|---|---|\n")
	var owner string
	var begin int
	var names []string
	flush := func() {
		if names != nil {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", begin, owner, strings.Join(names, ", "))
		}
		names = nil
	}
	last, truth := "", false
	for p, at := range offsets(s) {
		switch {
		case len(p.Bytes) == 0:
			continue
		case p.Owner != last || p.Kind == nil || p.Truth != truth || p.Field != nil:
			flush()
			if begin, owner, truth = at, "", p.Truth; p.Owner != last {
				owner, last = p.Owner, p.Owner
			}
		}
		if p.Field != nil {
			fmt.Fprintf(&b, "| %d |  | column `%s`: %d rows × %d bytes, %s |\n", at, p.Name,
				len(p.Bytes)/p.Unit, p.Unit, padded(len(p.Bytes)))
			continue
		}
		if names = append(names, p.Name); p.Kind == nil {
			names[0] += ": " + sizeOf(p)
		}
	}
	flush()
	return b.String()
}

func padded(n int) string {
	if n%64 == 0 {
		return "no padding"
	}
	return fmt.Sprintf("then %d of padding", -n&63)
}

// sizeOf tells how large a part is.
func sizeOf(p *tool.Part) string {
	if per := p.Per(); per != "" {
		return fmt.Sprintf("%d bytes per %s", p.Unit, per)
	}
	return fmt.Sprintf("%d bytes", p.Unit)
}

// drawRegion lists the parts of an owner.
func drawRegion(s systems.State, owner string) string {
	var b strings.Builder
	b.WriteString("| part | bytes | what |\n|---|---|---|\n")
	for p := range offsets(s) {
		if p.Owner != owner {
			continue
		}
		size, about := strings.Replace(sizeOf(p), " bytes", "", 1), p.About()
		if p.Field != nil {
			size, about = "one per field: the size of its type per row",
				"the data; `Buffer()` is exactly these bytes"
		}
		if !p.Truth {
			about += "; derived"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name, size, about)
	}
	return b.String()
}

// drawBlock lists the words of a block.
func drawBlock(t *testing.T) string {
	t.Helper()
	s := example(t)
	defer systems.Close(s)
	var b strings.Builder
	b.WriteString("```\n")
	for p := range offsets(s) {
		if tool.Title(p) != "fly.blocks" {
			continue
		}
		about := strings.Split(p.About(), " · ")
		for r := range tool.Ranges(s, p, 1) {
			if r.Name == "padding" {
				continue
			}
			name, what, _ := strings.Cut(about[0], ": ")
			require.Equal(t, "[0]."+name, r.Name)
			if about = about[1:]; r.Size == 8 {
				what = "bit i: object 64k+i " + what
			}
			fmt.Fprintf(&b, "%-10s uint%d   %s\n", name, 8*r.Size, what)
		}
	}
	return b.String() + "```\n"
}

// example returns the world of the page: flies on objects 2 and 3, and on 5 out of lockstep.
func example(t *testing.T) systems.State {
	t.Helper()
	fly := layout.NewComponent[float32]("fly")
	s := created(t, systems.Counts{GameObjects: 6, Kinds: layout.Kinds(fly.Count(8))})
	var ids [6]systems.GameObject
	for i := range ids {
		s, ids[i] = systems.Must2(systems.CreateGameObject(s))
	}
	for _, i := range []int{2, 3} {
		s = systems.Must(systems.Add(s, ids[i], fly))
	}
	for range 5 {
		s, _ = systems.Must2(systems.CreateComponent(s, fly))
	}
	s = systems.Must(systems.Add(s, ids[5], fly))
	return s
}

// drawExample prints the blocks and pages of the page's example.
func drawExample(t *testing.T) string {
	t.Helper()
	s := example(t)
	defer systems.Close(s)
	var b strings.Builder
	b.WriteString("```\n")
	for _, part := range []string{"fly.objects", "fly.blocks", "fly.pages of 4"} {
		text := printed(t, s, tool.LayoutOptions{Part: part})
		lines := strings.SplitAfter(text, "\n")
		b.WriteString(lines[0])
		for _, line := range lines[2:] {
			if !strings.Contains(line, "left over") && !strings.Contains(line, "padding") {
				b.WriteString(line)
			}
		}
	}
	return b.String() + "```\n"
}
