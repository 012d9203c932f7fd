package tool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

func TestFieldsByName(t *testing.T) {
	depth, err := layout.FieldSpec{Name: "depth", Parts: []layout.Part{{Type: "float32", Lanes: 1}}, Default: []byte{0, 0, 128, 63}}.Foreign()
	require.NoError(t, err)
	rust := layout.KindSpec{Name: "rust"}.Foreign(0, depth)
	place := layout.NewComponent[struct{ X, Y int16 }]("named place")
	under := layout.NewRelation("named under", layout.Relation{})
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(rust, place, under)}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.CreateWith(s, rust, place, under))
	text := world.Must(tool.Get(s, id, "rust.depth"))
	assert.Equal(t, "1", text)
	tick := world.Tick(s)
	s = world.Advance(s)
	s = world.Must(tool.Set(s, id, "rust.depth", "2.5"))
	assert.Equal(t, "2.5", world.Must(tool.Get(s, id, "rust.depth")))
	changed := world.NewQuery(world.With(rust), world.Changed(rust))
	found := 0
	for b := range changed.Since(s, tick) {
		found += b.Len()
	}
	assert.Equal(t, 1, found, "it is stamped")
	s = world.Must(tool.Set(s, id, "named place", "{Y:7}"))
	assert.Equal(t, "{X:0 Y:7}", world.Must(tool.Get(s, id, "named place")))

	_, err = tool.Get(s, id, "rust")
	require.ErrorIs(t, err, systems.ErrNoKind)
	s, bare := world.Must2(world.Create(s))
	_, err = tool.Get(s, bare, "rust.depth")
	require.ErrorIs(t, err, systems.ErrAbsent)
	s = world.Must(world.Dispose(s, bare))
	s, err = tool.Set(s, bare, "rust.depth", "1")
	require.ErrorIs(t, err, systems.ErrDead)
	var wrong *tool.TextError
	s, err = tool.Set(s, id, "named place", "{X:1 Y:deep}")
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "{X:0 Y:7}", world.Must(tool.Get(s, id, "named place")))
	s, err = tool.Set(s, id, "named under", "nobody")
	require.ErrorContains(t, err, "relation")
	for range world.NewQuery(world.With(rust)).In(s) {
		_, err = tool.Set(s, id, "rust.depth", "1")
		require.ErrorIs(t, err, systems.ErrWalking)
	}
}
