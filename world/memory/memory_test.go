package memory_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"
)

type pose struct {
	X, Y float32
	Team uint32
}

var (
	poses   = layout.NewField("pose", pose{Team: 3})
	speed   = layout.NewField[[3]float64]("speed")
	body    = layout.NewKind("body", poses, speed)
	frozen  = layout.NewMark("frozen")
	target  = layout.NewRelation("target", layout.Relation{})
	crate   = world.NewRecipe("crate", body)
	moving  = world.NewQuery(world.Write(poses), world.Read(speed))
	looking = world.NewQuery(world.Read(poses))
	active  = world.NewWatcher(world.NewQuery(world.With(body), world.Without(frozen)))
	score   = layout.NewField[uint64]("points")
	scores  = world.NewResource("score", score)
	by      = layout.NewField[world.GameObject]("by")
	shots   = world.NewEvents("shots", by)
	ears    = shots.NewReader("ears")
)

func counts(n int) world.Counts {
	return world.Counts{
		GameObjects: n, Kinds: []layout.Count{
			body.Count(n), {Kind: target.Kind(), Free: true}, frozen.Count(0),
		},
		Recipes: []world.Recipe{crate}, Watchers: []world.Watcher{active}, Names: 4, Globals: 5, Seed: 9,
		Resources: []world.ResourceKind{scores}, Events: []world.EventCount{shots.Count(4, ears)},
		Queries: []world.Query{moving}, Commands: 8,
	}
}

// lived plays a random life of so many steps.
func lived(t *testing.T, s world.State, seed uint64, steps int) world.State {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var err error
	for range steps {
		var id world.GameObject
		if s, id, err = world.Spawn(s, crate); err != nil {
			require.ErrorIs(t, err, world.ErrTooMany)
			for id = range looking.Objects(s) {
				if r.IntN(3) == 0 {
					break
				}
			}
			s = world.Must(world.Dispose(s, id))
			continue
		}
		s = world.Must(world.Set(s, id, speed, [3]float64{r.Float64(), 1, 2}))
		if r.IntN(2) == 0 {
			s = world.Must(world.Add(s, id, frozen))
			s = world.Must(world.Add(s, id, target))
			s = world.Must(world.Set(s, id, target, id))
			s, _ = world.SetName(s, id, "crate") // while there is room
		}
		for b := range moving.In(s) {
			p, v := world.Column(b, poses), world.Column(b, speed)
			for i := range p {
				p[i].X += float32(v[i][0])
			}
		}
		s, _ = shots.Send(s)
		s = active.Look(world.Advance(s))
	}
	return s
}

func room(t *testing.T, c world.Counts) []byte {
	t.Helper()
	return memory.Make(world.Must(memory.SizeOf(c)))
}

func TestASnapshotInMemory(t *testing.T) {
	c := counts(100)
	s := lived(t, world.Must(world.CreateState(c)), 1, 40)
	b := room(t, c)
	p := world.Must(memory.NewSnapshot(s, b))
	_, err := memory.Attach(c, b)
	require.ErrorIs(t, err, memory.ErrFormat, "nothing was taken")
	for range 3 {
		s = lived(t, s, 5, 10)
		require.NoError(t, p.Take(s))
		assert.True(t, world.Equal(s, world.Must(memory.Attach(c, b))))
	}
	p.Close()
	assert.True(t, world.Equal(s, world.Must(memory.Attach(c, b))), "closing leaves the bytes")
	_, err = memory.NewSnapshot(s, b)
	require.ErrorIs(t, err, memory.ErrUsed)
}

// TestASnapshotIsOpened: rows that the world never used hold the defaults, though the snapshot did
// not copy them.
func TestASnapshotIsOpened(t *testing.T) {
	filled := layout.NewComponent("filled", uint32(7))
	c := world.Counts{GameObjects: 1, Kinds: layout.Kinds(filled.Count(50_000))}
	b := room(t, c)
	p := world.Must(memory.NewSnapshot(world.Must(world.CreateState(c)), b))
	require.NoError(t, p.Take(world.Must(world.CreateState(c))))
	p.Close()
	s, id := world.Must2(world.CreateWith(world.Must(memory.Open(c, b)), filled))
	assert.Equal(t, uint32(7), world.Must(world.Get(s, id, filled)))
	assert.Equal(t, uint32(7), world.View(s, filled)[49_999])
}

func TestReadOnly(t *testing.T) {
	c := counts(50)
	b := room(t, c)
	s := lived(t, world.Must(memory.CreateState(c, b)), 1, 20)
	before := bytes.Clone(b)
	seen := world.Must(memory.Attach(c, b))
	var id world.GameObject
	for id = range looking.Objects(seen) {
		break
	}
	for name, write := range map[string]func(){
		"Set":     func() { _, _ = world.Set(seen, id, poses, pose{}) },
		"Spawn":   func() { _, _, _ = world.Spawn(seen, crate) },
		"Advance": func() { world.Advance(seen) },
		"Dispose": func() { _, _ = world.Dispose(seen, id) },
		"a walk": func() {
			for range moving.In(seen) {
				t.Error("a walk that writes has begun")
			}
		},
	} {
		if !worldtest.StatesChecked {
			break
		}
		err, _ := panicked(write).(error)
		require.ErrorIs(t, err, memory.ErrReadOnly, name)
	}
	n := 0
	for x := range looking.In(seen) {
		n += len(world.Column(x, poses))
	}
	assert.Equal(t, looking.Count(s), n)
	assert.Equal(t, world.Must(world.Get(s, id, poses)), world.Must(world.Get(seen, id, poses)))
	assert.Equal(t, before, b)
}

func panicked(f func()) (what any) {
	defer func() { what = recover() }()
	f()
	return nil
}

func TestOtherWorldsAreRefused(t *testing.T) {
	c := counts(50)
	b := room(t, c)
	_ = world.Must(memory.CreateState(c, b))
	_, err := memory.CreateState(c, b)
	require.ErrorIs(t, err, memory.ErrUsed)
	_, err = memory.Attach(counts(51), b)
	require.ErrorIs(t, err, memory.ErrOther)
	require.ErrorContains(t, err, "body[50]")
	require.ErrorContains(t, err, "body[51]")
	turned := counts(50)
	slices.Reverse(turned.Kinds)
	_, err = memory.Open(turned, b)
	require.ErrorIs(t, err, memory.ErrOther)
	require.ErrorContains(t, err, "kind 0 of the memory is")
	fewer := counts(50)
	fewer.Recipes = nil
	_, err = memory.Open(fewer, b)
	require.ErrorIs(t, err, memory.ErrOther)
	for _, n := range []int{0, 8, 63, 64, 4095, 4096, len(b) - 1} {
		_, err = memory.Attach(c, b[:n])
		require.Error(t, err, n)
		_, err = memory.Read(b[:n])
		require.Error(t, err, n)
	}
	_, err = memory.CreateState(c, memory.Make(len(b))[64:])
	require.ErrorIs(t, err, memory.ErrBytes)
	_, err = memory.CreateState(c, memory.Make(len(b) + 1)[1:])
	require.ErrorIs(t, err, memory.ErrBytes, "it is not aligned")
	_, err = memory.SizeOf(world.Counts{Kinds: layout.Kinds(layout.NewValues[string]("text", ""))})
	require.ErrorIs(t, err, memory.ErrBytes)
}

// TestReadKnowsNoKinds: the directory leads to each byte, and foreign kinds to the same world.
func TestReadKnowsNoKinds(t *testing.T) {
	c := counts(70)
	b := room(t, c)
	s := lived(t, world.Must(memory.CreateState(c, b)), 3, 60)
	h := world.Must(memory.Read(b))
	assert.Equal(t, world.Must(memory.Fingerprint(c)), h.Fingerprint)
	assert.Len(t, b, h.Size)
	assert.Equal(t, []string{"crate"}, h.Recipes)
	assert.Len(t, h.Watchers, 1)
	seen := world.Must(h.Attach(b))
	assert.Equal(t, world.Digest(s), world.Digest(seen))
	assert.Equal(t, world.Len(s), world.Len(seen))
	s = active.Look(s) // objects that are not frozen are members
	require.NoError(t, tool.Verify(seen), "whom the watcher asks for is not known")

	found := 0
	for _, p := range h.Parts {
		if p.Owner != "body" || p.Name != "pose" || p.Lanes != "X" {
			continue
		}
		found++
		assert.Equal(t, "float32", p.Element)
		for row, at := 0, p.Offset; row < 60; row, at = row+1, at+p.Stride {
			x := math.Float32frombits(binary.LittleEndian.Uint32(b[at:]))
			require.InDelta(t, world.View(s, poses)[row].X, x, 0)
		}
	}
	assert.Equal(t, 1, found)
}

// TestReadKindsWithoutFields: they have rows all the same, and are no marks.
func TestReadKindsWithoutFields(t *testing.T) {
	c := world.Counts{Kinds: layout.Kinds(layout.NewKind("empty").Count(3), layout.NewMark("none"))}
	b := room(t, c)
	s, _ := world.Must2(world.CreateWith(world.Must(memory.CreateState(c, b)), c.Kinds[0].Kind))
	h := world.Must(memory.Read(b))
	assert.Equal(t, world.Digest(s), world.Digest(world.Must(h.Attach(b))))
}

// TestHostileHeads: a head with any changes, also with a corrected hash, is refused or is a world
// that can be read.
func TestHostileHeads(t *testing.T) {
	worldtest.OneGoroutine(t)
	c := counts(70)
	b := room(t, c)
	lived(t, world.Must(memory.CreateState(c, b)), 3, 60)
	head := int(binary.LittleEndian.Uint32(b[24:]))
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		forged := memory.Make(len(b))
		copy(forged, b)
		for range 1 + r.IntN(3) {
			forged[8+r.IntN(head-8)] = byte(r.UintN(256)) //nolint:gosec // a byte of it
		}
		if n := int(binary.LittleEndian.Uint32(forged[24:])); r.IntN(4) > 0 && n <= len(forged) && n > 24 {
			binary.LittleEndian.PutUint64(forged[16:], xxh3.Hash(forged[24:n]))
		}
		h, err := memory.Read(forged)
		if err != nil {
			continue
		}
		if s, err := h.Attach(forged); err == nil {
			if !manager.LendsWatched { // under ecsdebug a digest doubts rows with other defaults
				world.Digest(s)
			}
			world.Close(s)
		}
	}
}

// TestHostileWorlds: a copy from any bytes is a valid world, and goes on.
func TestHostileWorlds(t *testing.T) {
	worldtest.OneGoroutine(t)
	c := counts(70)
	b := room(t, c)
	lived(t, world.Must(memory.CreateState(c, b)), 3, 60)
	head := int(binary.LittleEndian.Uint32(b[24:]))
	r := rand.New(rand.NewPCG(7, 9))
	refused := 0
	for range 3000 {
		forged := memory.Make(len(b))
		copy(forged, b)
		for range 1 + r.IntN(4) {
			forged[head+r.IntN(len(b)-head)] = byte(r.UintN(256)) //nolint:gosec // a byte of it
		}
		s, err := memory.Copy(c, forged)
		if err != nil {
			refused++
			continue
		}
		require.NoError(t, tool.Verify(s))
		s = lived(t, s, 4, 60)
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
	assert.Greater(t, refused, 300)
}

var heavy = layout.NewComponent[float32]("heavy")

// TestOpenWithOtherRecipes: a program is rebuilt with other kinds in a recipe of the same name, and
// opens the world. New objects have the kinds of the new recipe, and existing objects keep theirs.
func TestOpenWithOtherRecipes(t *testing.T) {
	kinds := []layout.Kind{body, target.Kind(), heavy.Kind()}
	all := layout.Kinds(body.Count(500), target.Count(500), heavy.Count(500))
	for i := range all {
		all[i].ByBlock = true // independent of the recipe
	}
	program := func(which int) (world.Counts, world.Recipe) {
		var in []layout.AnyKind
		for i, k := range kinds {
			if which>>i&1 != 0 {
				in = append(in, k)
			}
		}
		r := world.NewRecipe("crate", in...)
		return world.Counts{GameObjects: 500, Kinds: all, Recipes: []world.Recipe{r}}, r
	}
	for before := range 8 {
		for after := range 8 {
			t.Run(fmt.Sprint(before, " ", after), func(t *testing.T) {
				c, old := program(before)
				b := room(t, c)
				s := world.Must(memory.CreateState(c, b))
				var ids []world.GameObject
				for range 200 {
					var id world.GameObject
					s, id = world.Must2(world.Spawn(s, old))
					ids = append(ids, id)
				}
				for i := 20; i < 200; i += 3 {
					s = world.Must(world.Dispose(s, ids[i]))
				}
				world.Close(s)
				left := slices.Clone(b)

				c, r := program(after)
				s = world.Must(memory.Open(c, b))
				require.NoError(t, tool.Verify(s))
				if before == after {
					assert.True(t, slices.Equal(left, b), "opening writes")
				}
				for range 100 {
					var id world.GameObject
					s, id = world.Must2(world.Spawn(s, r))
					for i, k := range kinds {
						assert.Equal(t, after>>i&1 != 0, world.Has(s, id, k), "%v has %v", id, k)
					}
				}
				require.NoError(t, tool.Verify(s))
				for i, id := range ids {
					if !world.Alive(s, id) || i >= 20 && (i-20)%3 == 0 {
						continue
					}
					for i, k := range kinds {
						assert.Equal(t, before>>i&1 != 0, world.Has(s, id, k), "%v has %v", id, k)
					}
				}
				for _, id := range ids {
					if world.Alive(s, id) {
						s = world.Must(world.Dispose(s, id))
					}
				}
				require.NoError(t, tool.Verify(s))
			})
		}
	}
}
