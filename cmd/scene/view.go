package scene

import (
	"errors"
	"math"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// A View shows a scene on a canvas, with the scene's camera, which a user can turn.
type View struct {
	Lines  bool          // also draw the scene's gizmos
	Gizmos *stage.Gizmos // their lines; nil: created when first drawn

	scene  *Scene
	canvas render.Canvas
	look   *render.Look
	orbit  *render.Orbit // nil: the camera cannot be turned
	aimed  render.Bearing
	turned render.Bearing
}

// NewView returns a view of a scene on a canvas. The camera can be turned if the canvas has a look.
func NewView(sc *Scene, canvas render.Canvas) *View {
	v := &View{scene: sc, canvas: canvas, look: &render.Look{}}
	if c, ok := canvas.(interface{ Look() *render.Look }); ok {
		v.look = c.Look()
	}
	if orbit, ok := v.look.Camera.(*render.Orbit); ok {
		v.orbit, v.aimed = orbit, orbit.Bearing()
	}
	v.Back()
	return v
}

// Circle returns an Aim that circles around the objects, by turns radians per step.
func Circle(turns float32) func(world.State, *render.Look) {
	return func(s world.State, l *render.Look) {
		if orbit, ok := l.Camera.(*render.Orbit); ok {
			orbit.Yaw = float32(float32(world.Tick(s)) * turns)
		}
	}
}

// Turn turns the camera: yaws and pitches are added, zooms multiplied.
func (v *View) Turn(by render.Bearing) {
	v.turned.Yaw += by.Yaw
	v.turned.Pitch = min(max(v.turned.Pitch+by.Pitch, -math.Pi), math.Pi)
	v.turned.Zoom = min(max(v.turned.Zoom*by.Zoom, .1), 50)
}

// Back resets the camera to the scene's.
func (v *View) Back() { v.turned = render.Bearing{Zoom: 1} }

// Draw draws a frame. Despite an error, it draws as much of the frame as possible.
func (v *View) Draw(s world.State) (world.State, render.Report, error) {
	if v.orbit != nil {
		v.orbit.Set(v.aimed)
	}
	if v.scene.Aim != nil {
		v.scene.Aim(s, v.look)
	}
	if v.orbit != nil {
		v.orbit.Turn(v.turned)
	}
	v.canvas.Begin()
	s = v.scene.Draw(s, v.canvas)
	var lines error
	if v.Lines && v.scene.DrawGizmos != nil {
		if v.Gizmos == nil {
			v.Gizmos = stage.NewGizmos(max(world.Len(s), 1))
		}
		s = v.scene.DrawGizmos(s, v.Gizmos)
		lines = v.Gizmos.Draw(v.canvas)
	}
	report, err := v.canvas.End()
	return s, report, errors.Join(err, lines)
}
