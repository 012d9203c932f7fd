// Package scenetest contains helpers for tests of scenes: [Open] opens a scene, and [Canvas]
// records what it draws.
package scenetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// Open opens a scene, and closes its schedule when the test is over.
func Open(tb testing.TB, sc *scene.Scene, o scene.Options) (*scene.Play, world.State) {
	tb.Helper()
	p, err := sc.Open(o)
	require.NoError(tb, err)
	tb.Cleanup(p.Schedule.Close)
	return p, p.First
}

// A Canvas draws nothing. It stores the items of a frame, like [render.Frame], and its batches.
type Canvas struct {
	render.Frame
	Objects []uint32 // objects drawn one by one
	Batches []Batch
}

// A Batch is a call of DrawInstances, even without instances.
type Batch struct {
	Kind      string
	Positions []byte
}

// NewCanvas returns a canvas that begins a frame.
func NewCanvas() *Canvas { return &Canvas{Frame: render.NewFrame(render.Look{})} }

// Begin implements [render.Canvas].
func (c *Canvas) Begin() { *c = *NewCanvas() }

// DrawOne implements [render.Canvas].
func (c *Canvas) DrawOne(object uint32, position []byte) {
	c.Frame.DrawOne(object, position)
	c.Objects = append(c.Objects, object)
}

// DrawInstances implements [render.Canvas].
func (c *Canvas) DrawInstances(kind string, positions []byte) {
	c.Frame.DrawInstances(kind, positions)
	c.Batches = append(c.Batches, Batch{kind, slices.Clone(positions)})
}
