package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	gizmoForward = layout.NewField("fixedForward", [3]float32{0, 0, 1}) // x, y, z of a unit vector
	gizmoFacing  = layout.NewKind("facing", gizmoForward)
	gizmoQuery   = world.NewQuery(world.Read(heroes.Position, gizmoForward))
)

// drawForward draws a line of 100 world units from each position along its fixedForward.
func drawForward(s world.State, g *stage.Gizmos) world.State {
	for b := range gizmoQuery.In(s) {
		p, f := world.Column(b, heroes.Position), world.Column(b, gizmoForward)
		for i := range p {
			to := p[i]
			for axis := range to {
				to[axis] += float32(f[i][axis] * 100)
			}
			g.Line(p[i], to)
		}
	}
	return s
}

func facingWorld(tb testing.TB, n int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(gizmoFacing.Count(n), heroes.Position.Count(n)),
	}))
	for i := range n {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, heroes.Position, gizmoFacing))
		s = world.Must(world.Set(s, id, heroes.Position, [3]float32{float32(i), 2, 3}))
	}
	return s
}

// TestSeed_B6_LinesFromPositions: a system draws lines, which a renderer gets once a frame.
func TestSeed_B6_LinesFromPositions(t *testing.T) {
	s, g, l := facingWorld(t, 2), stage.NewGizmos(10), &liner{}
	root := rootOf(t, stage.EnterUpdateLeave, stage.System{Name: "forward", DrawGizmos: drawForward})
	launcher := stage.Launcher{Stages: []stage.Stage{{
		Fixed:      root.Update,
		DrawGizmos: func(s world.State) world.State { return root.DrawGizmos(s, g) },
	}}}
	for range 2 {
		s = launcher.FixedUpdate(s, 0.02)
		s = launcher.DrawGizmos(s)
		require.NoError(t, g.Draw(l))
		s = world.Must(world.Set(s, firstObject(s), gizmoForward, [3]float32{0, -1, 0}))
	}
	assert.Equal(t, [][][6]float32{
		{{0, 2, 3, 0, 2, 103}, {1, 2, 3, 1, 2, 103}},
		{{0, 2, 3, 0, -98, 3}, {1, 2, 3, 1, 2, 103}},
	}, l.frames)
}

// firstObject returns the live object with the lowest index.
func firstObject(s world.State) world.GameObject {
	for id := range world.GameObjects(s) {
		return id
	}
	panic("nobody lives")
}

func TestAllocsGizmos(t *testing.T) {
	s, g, l := facingWorld(t, 100), stage.NewGizmos(100), &worldtest.Recorder{}
	root := rootOf(t, stage.EnterUpdateLeave, stage.System{DrawGizmos: drawForward})
	frame := func() {
		s = root.DrawGizmos(s, g)
		if g.Len() != 100 || g.Draw(l) != nil {
			t.Fail()
		}
	}
	frame()
	assert.Zero(t, testing.AllocsPerRun(20, frame))
}
