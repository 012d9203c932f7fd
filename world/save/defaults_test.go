package save_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A coast is a program that has values beside its objects, of which each may have a field more than
// yesterday: a singleton, events in their ring, and a component that is on no object.
type coast struct {
	score, best, damage layout.Field[int32]
	armour, speed, fuel layout.Field[int32]
	boat                layout.Kind
	hits                world.Events
	reader, more        world.EventReader
	counts              world.Counts
}

func newCoast(later bool) (p coast) {
	p.score, p.damage = layout.NewField[int32]("score", 1), layout.NewField[int32]("damage", 2)
	p.best, p.armour = layout.NewField[int32]("best", 77), layout.NewField[int32]("armour", 88)
	p.speed, p.fuel = layout.NewField[int32]("speed", 3), layout.NewField[int32]("fuel", 99)
	game, hit := []layout.AnyField{p.score}, []layout.AnyField{p.damage}
	boat := []layout.AnyField{p.speed}
	if later {
		game, hit, boat = append(game, p.best), append(hit, p.armour), append(boat, p.fuel)
	}
	p.boat = layout.NewKind("boat", boat...)
	p.hits = world.NewEvents("hits", hit...)
	p.reader, p.more = p.hits.NewReader("first"), p.hits.NewReader("second")
	p.counts = world.Counts{
		Kinds:     layout.Kinds(p.boat),
		Resources: []world.ResourceKind{world.NewResource("game", game...)},
		Events:    []world.EventCount{p.hits.Count(8, p.reader)},
	}
	return p
}

func TestANewFieldOutsideObjects(t *testing.T) {
	defer closeOpened()
	old := newCoast(false)
	s, err := create(old.counts)
	require.NoError(t, err)
	s, loose := world.Must2(world.CreateComponent(s, old.boat))
	s = world.SetResource(s, old.score, 10)
	for i := range int32(11) {
		var b world.EventBatch
		s, b = old.hits.Send(s)
		world.EventColumn(b, old.damage)[0] = i
	}
	p := newCoast(true)
	file := saved(t, s, save.Options{})
	back, report, err := read(file, p.counts, save.Options{})
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	assert.Equal(t, []string{"boat.fuel", "game.best", "hits.armour"}, report.New)
	assert.Equal(t, int32(99), world.View(back, p.fuel)[loose])
	assert.Equal(t, int32(10), world.Resource(back, p.score))
	assert.Equal(t, int32(77), world.Resource(back, p.best))
	check := func(s world.State, n int) {
		t.Helper()
		s, got, missed := p.reader.Receive(s)
		assert.Equal(t, 11-n, missed)
		next := int32(11 - n)
		for _, b := range got.Batches() {
			damage, armour := world.EventColumn(b, p.damage), world.EventColumn(b, p.armour)
			for i := range damage {
				assert.Equal(t, next, damage[i])
				assert.Equal(t, int32(88), armour[i])
				next++
			}
		}
		assert.Equal(t, int32(11), next)
		for range 20 {
			var b world.EventBatch
			s, b = p.hits.Send(s)
			assert.Equal(t, int32(88), world.EventColumn(b, p.armour)[0])
			assert.Equal(t, int32(2), world.EventColumn(b, p.damage)[0])
		}
	}
	check(back, 8)

	p.counts.Events[0] = p.hits.Count(16, p.reader, p.more)
	back, _ = world.Must2(read(file, p.counts, save.Options{}))
	require.NoError(t, tool.Verify(back))
	check(back, 8)
}

// TestRowsOfValuesThatAreFree: they are not decoded, and hold the default of the program.
func TestRowsOfValuesThatAreFree(t *testing.T) {
	defer closeOpened()
	counted(t, func(t *testing.T, counted bool) {
		t.Helper()
		declare := func(first string) (layout.Values[string], world.Counts, save.Options) {
			v := layout.NewValues("title", first)
			strict := save.Values(v,
				func(dst []byte, v string) ([]byte, error) { return append(append(dst, '='), v...), nil },
				func(b []byte) (string, error) {
					if len(b) == 0 || b[0] != '=' {
						return "", errors.New("no title")
					}
					return string(b[1:]), nil
				})
			return v, countsOf(counted, v.Kind()), save.Options{Codecs: []save.Codec{strict}}
		}
		title, counts, o := declare("none")
		s, err := create(counts)
		require.NoError(t, err)
		var ids []world.GameObject
		for range 9 {
			var id world.GameObject
			s, id = world.Must2(world.CreateWith(s, title))
			s = world.Must(world.SetValue(s, id, title, "Sir"))
			ids = append(ids, id)
		}
		s = world.Must(world.Dispose(s, ids[2]))
		s = world.Must(world.Suspend(s, ids[3], title))
		file := saved(t, s, o)
		kept, _, err := read(file, world.Counts{GameObjects: 3000}, save.Options{})
		require.NoError(t, err)
		kept = world.Must(world.Dispose(kept, ids[4]))
		for name, file := range map[string][]byte{"as saved": file, "kept": saved(t, kept, save.Options{})} {
			title, counts, o := declare("new")
			s, _, err := read(file, counts, o)
			require.NoError(t, err, name)
			require.NoError(t, tool.Verify(s))
			s = world.Must(world.Add(s, ids[3], title))
			for _, i := range []int{0, 1, 3, 5, 8} {
				v, err := world.ValueOf(s, ids[i], title)
				require.NoError(t, err)
				assert.Equal(t, "Sir", v)
			}
			for range 4 {
				var id world.GameObject
				s, id = world.Must2(world.CreateWith(s, title))
				v, err := world.ValueOf(s, id, title)
				require.NoError(t, err)
				assert.Equal(t, "new", v, name)
			}
		}
	})
}
