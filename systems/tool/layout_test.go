package tool_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

var update = flag.Bool("update", false,
	"write testdata/world.layout and the drawings of docs/ARCHITECTURE.md anew")

type pose struct {
	X, Y float32
	Team uint32
}

var (
	shownPose   = layout.NewField("pose", pose{Team: 3})
	shownMass   = layout.NewField[float32]("mass", 1.5)
	shownBody   = layout.NewKind("body", shownPose, shownMass)
	shownTarget = layout.NewField[systems.GameObject]("target")
	shownDamage = layout.NewField[uint16]("damage", 7)
	shownGun    = layout.NewKind("gun", shownTarget, shownDamage)
	shownFrozen = layout.NewMark("frozen")
	shownMoving = systems.NewWatcher(systems.NewQuery(
		systems.With(shownBody), systems.Without(shownFrozen)))
	shownBy    = layout.NewField[systems.GameObject]("by")
	shownShots = systems.NewEvents("shots", shownBy)
	shownEars  = shownShots.NewReader("ears")
	shownCrate = systems.NewRecipe("crate", shownBody)
	shownWall  = systems.NewRecipe("wall", shownFrozen)
)

// shownWorld returns the world whose bytes are in testdata: a row of every use, an object out of
// lockstep, a free index, a name, an event, and a watcher that saw some of it.
func shownWorld(t *testing.T) systems.State {
	t.Helper()
	s, err := systems.CreateState(systems.Counts{
		GameObjects: 8, Kinds: layout.Kinds(
			shownBody.Count(6), shownGun.Count(3), shownFrozen.Count(0)),
		Watchers: []systems.Watcher{shownMoving}, Names: 1,
		Events: []systems.EventCount{shownShots.Count(2, shownEars)},
	})
	require.NoError(t, err)
	ids := make([]systems.GameObject, 7)
	for i := range ids {
		s, ids[i] = systems.Must2(systems.CreateGameObject(s))
	}
	for _, id := range ids[:5] {
		s = systems.Must(systems.Add(s, id, shownBody))
	}
	s = systems.Must(systems.Add(s, ids[3], shownGun))
	s = systems.Must(systems.Add(s, ids[1], shownGun)) // not in lockstep with the one before
	s, _ = systems.Must2(systems.CreateComponent(s, shownGun))
	s = systems.Must(systems.Set(s, ids[3], shownTarget, ids[1]))
	s = systems.Must(systems.Set(s, ids[1], shownPose, pose{X: 0.5, Y: -2, Team: 1}))
	s = systems.Must(systems.SetName(s, ids[3], "Ada"))
	s = shownMoving.Look(systems.Advance(s))
	s = systems.Must(systems.Remove(s, ids[0], shownBody))
	s = systems.Must(systems.Suspend(s, ids[2], shownBody))
	s = systems.Must(systems.Add(s, ids[1], shownFrozen))
	s = systems.Must(systems.DisposeGameObject(s, ids[4], ids[5], ids[6]))
	s, _ = systems.Must2(systems.CreateGameObject(s)) // where the last was
	s, shots := shownShots.Send(s)
	systems.EventColumn(shots, shownBy)[0] = ids[3]
	require.NoError(t, tool.Verify(s))
	return s
}

// TestGoldenLayout: go test ./systems/tool -update writes it anew.
func TestGoldenLayout(t *testing.T) {
	const file = "testdata/world.layout"
	s := shownWorld(t)
	before := systems.Digest(s)
	got := printed(t, s, tool.LayoutOptions{})
	assert.Equal(t, before, systems.Digest(s), "nothing was written")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if string(want) != got {
		assert.Equal(t, string(want), got,
			"the bytes of a world have changed; go test ./systems/tool -update")
	}
}

func printed(t *testing.T, s systems.State, o tool.LayoutOptions) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, tool.PrintLayout(&text, s, o))
	return text.String()
}

// livedWorlds returns worlds of random lives, with slabs, free room, packed kinds and 70 kinds.
func livedWorlds(t *testing.T) map[string]systems.State {
	t.Helper()
	counts := systems.Counts{
		GameObjects: 300, Kinds: []layout.Count{
			shownBody.Count(200), {Kind: shownGun, Rows: 70, Packed: true}, shownFrozen.Count(0),
		},
		Recipes: []systems.Recipe{shownCrate, shownWall}, Watchers: []systems.Watcher{shownMoving},
		Names: 3, Seed: 9, Events: []systems.EventCount{shownShots.Count(2, shownEars)},
	}
	free := counts
	free.Kinds, free.InOrder = layout.Kinds(shownBody, shownGun, shownFrozen), true
	wide := counts
	wide.GameObjects = 100
	wide.Kinds = append([]layout.Count{}, counts.Kinds...)
	for i := range 70 {
		wide.Kinds = append(wide.Kinds, layout.NewMark(fmt.Sprint("mark ", i)).Count(0))
	}
	worlds := map[string]systems.State{"new": {}, "counted": {}, "free": {}, "wide": {}}
	for name, c := range map[string]systems.Counts{
		"new": counts, "counted": counts, "free": free, "wide": wide,
	} {
		s, err := systems.CreateState(c)
		require.NoError(t, err)
		if name != "new" {
			s = lived(s, 1)
		}
		worlds[name] = s
	}
	return worlds
}

// lived lets random things happen to a world; what is refused is left.
func lived(s systems.State, seed uint64) systems.State {
	r := rand.New(rand.NewPCG(seed, 4))
	kinds := systems.CountsOf(s).Kinds
	var ids []systems.GameObject
	for range 600 {
		var id systems.GameObject
		if len(ids) > 0 {
			id = ids[r.IntN(len(ids))]
		}
		kind := kinds[r.IntN(len(kinds))].Kind
		switch r.IntN(10) {
		case 0:
			s, id, _ = systems.CreateGameObject(s)
			ids = append(ids, id)
		case 1:
			s, id, _ = systems.Spawn(s, shownCrate)
			ids = append(ids, id)
		case 2:
			s, _ = systems.DisposeGameObject(s, id)
		case 3:
			s, _ = systems.Remove(s, id, kind)
		case 4:
			if kind == shownBody {
				s, _ = systems.Suspend(s, id, kind)
			}
		case 5:
			s, _, _ = systems.Spawn(s, shownWall)
		case 6:
			s = shownMoving.Look(systems.Advance(s))
		default:
			s, _ = systems.Add(s, id, kind)
		}
	}
	return s
}

// TestLayoutNamesEveryByte: once, in order; what is between parts is zeros up to the next multiple
// of 64.
func TestLayoutNamesEveryByte(t *testing.T) {
	worlds := livedWorlds(t)
	worlds["shown"] = shownWorld(t)
	for name, s := range worlds {
		for _, most := range []int{1, 3, 1 << 30} {
			require.NoError(t, unnamed(s, most), "%s, at most %d", name, most)
		}
		systems.Close(s)
	}
}

// unnamed returns an error that says where the ranges of a world overlap, or leave a gap.
func unnamed(s systems.State, most int) error {
	at, parts := 0, tool.Parts(s)
	for i := range parts {
		p := &parts[i]
		begin, lines, left := at, 0, 0
		for r := range tool.Ranges(s, p, most) {
			switch {
			case r.Offset != at || r.Size <= 0:
				return fmt.Errorf("%s: %+v begins not at %d", tool.Title(p), r, at)
			case r.Name == "padding" && (r.Offset != begin+len(p.Bytes) || r.Size >= 64 ||
				r.Text != "zeros"):
				return fmt.Errorf("%s: %+v is no padding", tool.Title(p), r)
			case r.Left != 0 && lines == 0:
				return fmt.Errorf("%s: nothing but what is left out", tool.Title(p))
			case r.Name != "padding" && r.Offset+r.Size > begin+len(p.Bytes):
				return fmt.Errorf("%s: %+v ends behind it", tool.Title(p), r)
			case r.Text == "" || strings.Contains(r.Text, ", but"):
				return fmt.Errorf("%s: %+v", tool.Title(p), r)
			}
			at, lines, left = at+r.Size, lines+1, left+r.Left
		}
		if at%64 != 0 || at < begin+len(p.Bytes) {
			return fmt.Errorf("%s: ends at %d", tool.Title(p), at)
		}
	}
	if size := systems.Size(s); at != size {
		return fmt.Errorf("%d of %d bytes are named", at, size)
	}
	return nil
}

func TestLayoutTellsRecipesApart(t *testing.T) {
	text := printed(t, livedWorlds(t)["counted"], tool.LayoutOptions{Part: "game objects"})
	for _, want := range []string{
		"[0] recipe 0      {", "[1] recipe 1      {", "recipe 1\n", "loose\n",
	} {
		assert.Contains(t, text, want)
	}
}

// TestLayoutShowsEveryByte: a bit that is flipped anywhere in a world is seen in the range that it
// is in, whatever it makes of the world.
func TestLayoutShowsEveryByte(t *testing.T) {
	worlds := livedWorlds(t)
	worlds["shown"] = shownWorld(t)
	delete(worlds, "free") // the same in a hundred megabytes
	random := rand.New(rand.NewPCG(5, 6))
	for name, s := range worlds {
		parts, all := tool.Parts(s), systems.Bytes(s)
		for i := range parts {
			p := &parts[i]
			before := ranges(s, p)
			step := max(1, len(p.Bytes)/100)
			for o := 0; o < len(p.Bytes)+pad(p); o += 1 + random.IntN(step) {
				at := before[0].Offset + o
				bit := byte(1) << random.IntN(8)
				all[at] ^= bit
				if was, is := holding(before, at), holding(ranges(s, p), at); was == is {
					t.Errorf("%s: byte %d of %s is not in %+v", name, o, tool.Title(p), was)
				}
				all[at] ^= bit
			}
			assert.Equal(t, before, ranges(s, p))
		}
		systems.Close(s)
	}
}

func pad(p *tool.Part) int { return -len(p.Bytes) & 63 }

func ranges(s systems.State, p *tool.Part) (all []tool.Range) {
	for r := range tool.Ranges(s, p, 1<<30) {
		all = append(all, r)
	}
	return all
}

// holding returns the range that a byte is in.
func holding(all []tool.Range, at int) tool.Range {
	for _, r := range all {
		if at >= r.Offset && at < r.Offset+r.Size {
			return r
		}
	}
	return tool.Range{}
}

func TestLayoutOfOnePartAndOfALargeWorld(t *testing.T) {
	s := shownWorld(t)
	all := printed(t, s, tool.LayoutOptions{})
	column := printed(t, s, tool.LayoutOptions{Part: "body.pose"})
	assert.Contains(t, all, column)
	assert.Contains(t, column, "[1] object 1      {X:0.5 Y:-2 Team:1}\n")
	assert.Contains(t, printed(t, s, tool.LayoutOptions{Part: "body"}), column)
	assert.NotContains(t, printed(t, s, tool.LayoutOptions{Part: "body"}), "gun")
	err := tool.PrintLayout(&strings.Builder{}, s, tool.LayoutOptions{Part: "body.mess"})
	require.ErrorIs(t, err, tool.ErrNoPart)
	require.ErrorContains(t, err, "body.mess; there are world, game objects, world, body, gun, ")
	require.ErrorIs(t, tool.PrintLayout(full{}, s, tool.LayoutOptions{}), errFull)
	assert.Panics(t, func() { tool.Ranges(s, nil, 1) })
	systems.Close(s)

	s, err = systems.CreateState(systems.Counts{Kinds: layout.Kinds(shownBody.Count(10_000))})
	require.NoError(t, err)
	for i := range 10_000 {
		var id systems.GameObject
		s, id = systems.Must2(systems.CreateGameObject(s))
		s = systems.Must(systems.Add(s, id, shownBody))
		s = systems.Must(systems.Set(s, id, shownMass, float32(i&^1)))
	}
	text := printed(t, s, tool.LayoutOptions{Part: "body.mass", Most: 4})
	assert.Equal(t, 7, strings.Count(text, "\n"), text)
	assert.Contains(t, text, "[6-7]             6\n")
	assert.Contains(t, text, "[8-9999]          9992 left out\n")
	systems.Close(s)
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestAboutNamesEveryWord: what tells of a record's words names them as the ranges do.
func TestAboutNamesEveryWord(t *testing.T) {
	s := shownWorld(t)
	parts := tool.Parts(s)
	for i := range parts {
		p := &parts[i]
		if p.About() == "" {
			t.Errorf("nothing is told about %s", tool.Title(p))
		}
		if p.Field != nil {
			continue
		}
		for r := range tool.Ranges(s, p, 1<<30) {
			name := r.Name[strings.LastIndexByte(r.Name, '.')+1:]
			if name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(p.About(), name) {
				t.Errorf("%s: nothing is told about %s: %s", tool.Title(p), name, p.About())
			}
		}
	}
	systems.Close(s)
}
