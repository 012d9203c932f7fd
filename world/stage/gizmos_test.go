package stage_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

// A liner is a recorder that draws lines too.
type liner struct {
	worldtest.Recorder
	frames [][][6]float32 // lines of each DrawLines
}

func (l *liner) DrawLines(lines []byte) {
	var frame [][6]float32
	for ; len(lines) > 0; lines = lines[24:] {
		var line [6]float32
		for i := range line {
			line[i] = math.Float32frombits(binary.LittleEndian.Uint32(lines[4*i:]))
		}
		frame = append(frame, line)
	}
	l.frames = append(l.frames, frame)
}

func TestGizmosOverflowIsTold(t *testing.T) {
	g, l := stage.NewGizmos(2), &liner{}
	for i := range 5 {
		g.Line([3]float32{float32(i)}, [3]float32{1, 2, 3})
	}
	assert.Equal(t, 2, g.Len())
	assert.Len(t, g.Bytes(), 48)
	err := g.Draw(l)
	require.ErrorIs(t, err, stage.ErrLines)
	require.EqualError(t, err, "stage: gizmos: too many lines: 2 were drawn, 3 found no room; "+
		"raise the number given to NewGizmos to 5")
	g.Line([3]float32{7}, [3]float32{8})
	require.NoError(t, g.Draw(l), "each frame begins anew")
	require.NoError(t, g.Draw(l))
	assert.Equal(t, [][][6]float32{
		{{0, 0, 0, 1, 2, 3}, {1, 0, 0, 1, 2, 3}}, {{7, 0, 0, 8}}, nil,
	}, l.frames)
	assert.Empty(t, l.Log, "nothing else is drawn")
}

var gizmoQuery = world.NewQuery(world.Read(heroes.Position))

// drawForward draws a line of 100 world units from each position along z.
func drawForward(s world.State, g *stage.Gizmos) world.State {
	for b := range gizmoQuery.In(s) {
		for _, from := range world.Column(b, heroes.Position) {
			g.Line(from, [3]float32{from[0], from[1], from[2] + 100})
		}
	}
	return s
}

// TestSeed_B6_LinesFromPositions: a system draws lines, which a renderer gets once a frame, and for
// which nothing is allocated.
func TestSeed_B6_LinesFromPositions(t *testing.T) {
	s, g, l := flock(t), stage.NewGizmos(10), &liner{}
	root := rootOf(t, stage.EnterUpdateLeave, stage.System{Name: "forward", DrawGizmos: drawForward})
	launcher := stage.Launcher{Stages: []stage.Stage{{
		Fixed:      func(s world.State, _ float32) world.State { return heroes.MoveAll(s) },
		DrawGizmos: func(s world.State) world.State { return root.DrawGizmos(s, g) },
	}}}
	for frame := range 2 {
		s = launcher.DrawGizmos(s)
		require.NoError(t, g.Draw(l))
		at := float32(frame)
		assert.Equal(t, slices.Repeat([][6]float32{{at, at, at, at, at, at + 100}}, 10), l.frames[frame])
		s = launcher.FixedUpdate(s, 0.02)
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		if s = root.DrawGizmos(s, g); g.Len() != 10 || g.Draw(&l.Recorder) != nil {
			t.Fail()
		}
	}))
}
