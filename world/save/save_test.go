package save_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// saved returns what Write writes.
func saved(t *testing.T, s world.State, o save.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, save.Write(&b, s, o))
	return b.Bytes()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, compress := range []bool{false, true} {
		s, counts := busy(t)
		o := options()
		o.Compress = compress
		file := saved(t, s, o)
		back, report := world.Must2(save.Read(bytes.NewReader(file), int64(len(file)), counts, o))
		require.NoError(t, tool.Verify(back))
		assert.Empty(t, report.Kept)
		assert.Empty(t, report.New)
		assert.Empty(t, report.Dropped)
		assert.Equal(t, world.Tick(s), report.Tick)
		d, differ := world.Must2(tool.FirstDifference(s, back))
		assert.False(t, differ, "%v", d)
		assert.True(t, world.Equal(s, back))
		assert.Equal(t, world.Digest(s), world.Digest(back))
		assert.Equal(t, file, saved(t, back, o), "and is written as before")
		same(t, s, back)
	}
}

// agrees checks a world, and that what is read of its file is the same.
func agrees(t *testing.T, s world.State, counts world.Counts) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	file := saved(t, s, save.Options{})
	back, _ := world.Must2(save.Read(bytes.NewReader(file), int64(len(file)), counts, save.Options{}))
	require.NoError(t, tool.Verify(back))
	assert.True(t, world.Equal(s, back))
}

func TestIndexesInTheirLastGenerationsAreReadBack(t *testing.T) {
	const last = uint32(1)<<31 - 1
	bare := world.NewRecipe("bare")
	begin := map[string]func(world.State) (world.State, world.GameObject, error){
		"loose": world.Create,
		"of a recipe": func(s world.State) (world.State, world.GameObject, error) {
			return world.Spawn(s, bare)
		},
	}
	for name, begin := range begin {
		t.Run(name, func(t *testing.T) {
			counts := world.Counts{GameObjects: 128, Recipes: []world.Recipe{bare}}
			s := world.Must(world.CreateState(counts))
			s, id := world.Must2(begin(s))
			parts := tool.Parts(s)
			generations := parts[slices.IndexFunc(parts, func(p tool.Part) bool {
				return p.Name == "generations"
			})]
			binary.LittleEndian.PutUint32(generations.Bytes[4*id.Index():], last-1)
			id = world.Must(tool.GameObjectAt(s, id.Index()))

			s = world.Must(world.Dispose(s, id))
			agrees(t, s, counts) // its last generation is to come
			s, id = world.Must2(begin(s))
			assert.Equal(t, last, id.Generation())
			agrees(t, s, counts)
			s = world.Must(world.Dispose(s, id))
			agrees(t, s, counts) // it is retired
			s, next := world.Must2(begin(s))
			assert.NotEqual(t, id.Index(), next.Index())
			agrees(t, s, counts)
		})
	}
}

func TestASaverSavesWhatTheWorldWas(t *testing.T) {
	s, c := busy(t)
	path := filepath.Join(t.TempDir(), "a.flat")
	o := options()
	v := world.Must(save.NewSaver(path, s, o))
	for i := range 5 {
		s = stir(t, s, 3)
		digest, tick := world.Digest(s), world.Tick(s)
		require.NoError(t, v.Offer(s))
		s = stir(t, s, 3) // while it is written
		require.NoError(t, v.Wait())
		assert.Equal(t, save.SaverCounts{Saved: uint64(i + 1)}, v.Counts())
		back, report := world.Must2(save.Load(path, c, o))
		assert.Equal(t, tick, report.Tick)
		assert.Equal(t, digest, world.Digest(back))
		world.Close(back)
	}
	require.NoError(t, v.Close())
}

// A gate is a codec that waits until it may go on.
func gated(gate chan struct{}) save.Options {
	o := options()
	o.Codecs[0] = save.Values(label,
		func(dst []byte, _ string) ([]byte, error) { <-gate; return dst, nil },
		func([]byte) (string, error) { return "", nil })
	return o
}

// TestAClosedSaverSavesNothing: closing twice is closing once, and an offer is refused.
func TestAClosedSaverSavesNothing(t *testing.T) {
	s, _ := busy(t)
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, options()))
	require.NoError(t, v.Close())
	require.NoError(t, v.Close())
	require.ErrorIs(t, v.Offer(s), save.ErrClosed)
	require.NoError(t, v.Wait())
}

func TestALateSaveIsTold(t *testing.T) {
	s, _ := busy(t)
	gate := make(chan struct{})
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, gated(gate)))
	require.NoError(t, v.Offer(s))
	s = world.Advance(s)
	err := v.Offer(s)
	require.ErrorIs(t, err, save.ErrLate)
	require.ErrorContains(t, err, "at tick 902: the previous save is still being written, that of tick 901")
	close(gate)
	require.NoError(t, v.Wait())
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
	assert.Equal(t, save.SaverCounts{Saved: 2, Late: 1}, v.Counts())
}

func TestASaveThatFailsIsTold(t *testing.T) {
	s, _ := busy(t)
	dir := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(dir, 0o755))
	v := world.Must(save.NewSaver(filepath.Join(dir, "a.flat"), s, options()))
	require.NoError(t, os.Remove(dir))
	require.NoError(t, v.Offer(s))
	require.ErrorIs(t, v.Wait(), os.ErrNotExist)
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
	assert.Equal(t, save.SaverCounts{Saved: 1, Failed: 1}, v.Counts())
	_, err := save.NewSaver(filepath.Join(dir, "no", "a.flat"), s, options())
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestWhatIsNotSettledIsNotSaved(t *testing.T) {
	s, _ := busy(t)
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, options()))
	for range world.NewQuery(world.Write(heroes.Position)).In(s) {
		require.ErrorIs(t, v.Offer(s), world.ErrWalking)
	}
	world.Record(s).Create()
	require.ErrorIs(t, v.Offer(s), tool.ErrUnapplied)
	require.EqualError(t, save.Write(nil, s, options()),
		"flatecs: 1 commands are recorded and not applied; call Apply first")
	s = world.Must(world.Apply(s))
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
}

func TestAllocsOffer(t *testing.T) {
	s, _ := busy(t)
	gate := make(chan struct{})
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, gated(gate)))
	p := world.Must(world.NewSnapshot(s))
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		require.NoError(t, p.Take(s)) // what Offer does in the loop's time
	}))
	close(gate)
	require.NoError(t, v.Close())
}

// The kinds of a world that has something of everything.
var (
	velocity3 = layout.NewField("velocity", [3]float32{1, 2, 3})
	team      = layout.NewField[uint8]("team", 7)
	body      = layout.NewKind("body", velocity3, team)
	charge    = layout.NewField[[2]int16]("charge")
	cell      = layout.NewKind("cell", charge)
	frozen    = layout.NewMark("frozen")
	label     = layout.NewValues("label", "nothing")
	limit     = layout.NewField[float64]("limit", 9.5)
	settings  = world.NewResource("settings", limit)
	title     = world.NewShared("title", []string{"no title"})
	force     = layout.NewField[int32]("force", 3)
	hits      = world.NewEvents("hits", force)
	ears      = hits.NewReader("ears")
	tree      = world.NewRecipe("tree", body, heroes.Position)
	bullet    = world.NewRecipe("bullet", heroes.Position, heroes.Velocity)
	standing  = world.NewWatcher(world.NewQuery(world.With(body), world.Without(frozen)))
	anybody   = world.NewWatcher(world.NewQuery())
)

func busyCounts() world.Counts {
	return world.Counts{
		GameObjects: 3000, Kinds: []layout.Count{
			body.Count(3000),
			{Kind: cell, Rows: 400, Packed: true},
			frozen.Count(0),
			label.Count(200), heroes.Position.Count(2900), heroes.Velocity.Count(2000),
			heroes.MaxVelocity.Count(50),
		},
		Recipes: []world.Recipe{tree, bullet}, Watchers: []world.Watcher{standing, anybody},
		Names: 40, Resources: []world.ResourceKind{settings, title.Kind()},
		Events: []world.EventCount{hits.Count(6, ears)}, Seed: 5,
	}
}

// labels and titles are the codecs of the busy world.
func options() save.Options {
	return save.Options{Codecs: []save.Codec{
		save.Values(label,
			func(dst []byte, value string) ([]byte, error) { return append(dst, value...), nil },
			func(b []byte) (string, error) { return string(b), nil }),
		save.Shared(title,
			func(dst []byte, value []string) ([]byte, error) {
				b, err := json.Marshal(value)
				return append(dst, b...), err
			},
			func(b []byte) (value []string, err error) {
				err = json.Unmarshal(b, &value)
				return value, err
			}),
	}}
}

// busy returns a world that has something of everything, and its counts.
func busy(tb testing.TB) (world.State, world.Counts) {
	tb.Helper()
	c := busyCounts()
	return stir(tb, world.Must(world.CreateState(c)), 900), c
}

// stir does n things to the busy world.
func stir(tb testing.TB, s world.State, n int) world.State {
	tb.Helper()
	var err error
	do := func(next world.State, e error) { s, err = next, e; require.NoError(tb, e) }
	for i := range n {
		s = world.Advance(s)
		var id world.GameObject
		switch s, id, err = world.Spawn(s, []world.Recipe{tree, bullet}[i%2]); {
		case i%5 == 0:
			s, id = world.Must2(world.Create(s))
			s = world.Must(world.Add(s, id, cell))
			var p *[2]int16
			s, p = world.Must2(world.Edit(s, id, charge))
			p[1] = int16(i)
		case i%3 == 0:
			do(world.Dispose(s, id))
		case i%4 == 0:
			s = world.Must(world.Add(s, id, label))
			do(world.SetValue(s, id, label, fmt.Sprint("label ", i)))
		case i%7 == 0:
			s, err = world.Add(s, id, frozen)
		}
		require.NoError(tb, err)
		if i%37 == 0 && i/37 < 30 {
			s, id = world.Must2(worldtest.CreateNamed(s, fmt.Sprint("name ", i%5)))
			s = world.Must(world.Add(s, id, body))
			if i%2 == 0 {
				do(world.Suspend(s, id, body))
			}
		}
		var b world.EventBatch
		s, b = hits.Send(s)
		world.EventColumn(b, force)[0] = int32(i)
		if i%4 == 0 {
			s, _, _ = ears.Receive(s)
		}
		if i%50 == 0 {
			s = standing.Look(s)
			s = anybody.Look(s)
		}
	}
	s = heroes.MoveAll(s)
	s = world.SetResource(s, limit, float64(n))
	s = title.Set(s, []string{"a", fmt.Sprint(n)})
	require.NoError(tb, tool.Verify(s))
	return s
}

// same goes on with two worlds, and compares what no digest sees.
func same(t *testing.T, a, b world.State) {
	t.Helper()
	assert.Equal(t, title.Of(a), title.Of(b))
	for id := range world.GameObjects(a) {
		x, errX := world.ValueOf(a, id, label)
		y, errY := world.ValueOf(b, id, label)
		assert.Equal(t, errX == nil, errY == nil)
		if errX == nil {
			assert.Equal(t, x, y)
		}
	}
	a, b = stir(t, a, 60), stir(t, b, 60)
	assert.Equal(t, world.Digest(a), world.Digest(b), "they go on alike")
}
