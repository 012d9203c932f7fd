package peers_test

import (
	"bytes"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// An orbit mixes types of both modules with its own.
type orbit struct {
	Centre world.GameObject
	Axis   r3.Vec
	Turn   mgl32.Quat
	Frozen bool
	Rest   [7]uint8
}

var (
	position = layout.NewComponent[mgl32.Vec3]("position of mgl32")
	velocity = layout.NewComponent("velocity of r3", r3.Vec{Y: -1})
	orbits   = layout.NewComponent("orbit", orbit{Turn: mgl32.QuatIdent()})
	falling  = world.NewQuery(world.Write(position), world.Read(velocity))
	body     = world.NewRecipe("body of vectors", position.Kind(), velocity.Kind(), orbits.Kind())
)

func counts() world.Counts {
	return world.Counts{GameObjects: 200, Kinds: layout.Kinds(position, velocity, orbits), Recipes: []world.Recipe{body}}
}

// fall adds velocities to positions by the methods of their modules.
func fall(s world.State) world.State {
	for b := range falling.In(s) {
		p, v := world.Column(b, position), world.Column(b, velocity)
		for i := range p {
			p[i] = p[i].Add(mgl32.Vec3{float32(v[i].X), float32(v[i].Y), float32(v[i].Z)})
		}
	}
	return s
}

func TestTypesOfOtherModulesAreComponents(t *testing.T) {
	assert.Equal(t, "float32 × 3", position.Spec().Shape())
	assert.Equal(t, "X float64 × 1, Y float64 × 1, Z float64 × 1", velocity.Spec().Shape())
	assert.Equal(t, "Centre id × 1, Axis.X float64 × 1, Axis.Y float64 × 1, Axis.Z float64 × 1, "+
		"Turn.W float32 × 1, Turn.V float32 × 3, Frozen bool × 1, Rest uint8 × 7",
		orbits.Spec().Shape())
	s := world.Must(world.CreateState(counts()))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, body, 100, nil))
	first := world.Must(tool.GameObjectAt(s, 0))
	s = world.Must(world.Set(s, first, velocity, r3.Scale(2, r3.Vec{X: 1})))
	s, err := world.Set(s, first, orbits, orbit{Centre: first, Axis: r3.Unit(r3.Vec{Z: 3}), Frozen: true})
	require.NoError(t, err)
	s = fall(fall(s))

	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	back, report, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), counts(), save.Options{})
	require.NoError(t, err)
	defer func() { world.Close(back) }()
	assert.Empty(t, append(report.Dropped, report.New...))
	assert.True(t, world.Equal(s, back))
	back = fall(back)
	for id := range world.GameObjects(back) {
		at := world.Must(world.Get(back, id, position))
		around := world.Must(world.Get(back, id, orbits))
		if id == first {
			assert.Equal(t, mgl32.Vec3{6, 0, 0}, at)
			assert.Equal(t, orbit{Centre: first, Axis: r3.Vec{Z: 1}, Frozen: true}, around)
			continue
		}
		assert.Equal(t, mgl32.Vec3{0, -3, 0}, at)
		assert.Equal(t, mgl32.QuatIdent(), around.Turn)
	}
	assert.Zero(t, world.Dangling(back))
}

func TestElementsOfVectors(t *testing.T) {
	assert.Equal(t, []float32{1, 2, 3}, layout.Flat[float32](position, []mgl32.Vec3{{1, 2, 3}}))
	assert.Equal(t, []float64{1, 2, 3}, layout.Flat[float64](velocity, []r3.Vec{{X: 1, Y: 2, Z: 3}}))
}
