package main

import "github.com/flatecs/flatecs/cmd/ebiten/swarm"

// A View says where in the window the world is. The window's size is no part of the world, so it
// may change at any time.
type View struct {
	X, Y  float32 // the middle of the world, in pixels
	Scale float32 // pixels per world unit
}

// Fit shows all of the world in the middle of the window.
func Fit(width, height int) View {
	return View{
		X: float32(width) / 2, Y: float32(height) / 2,
		Scale: float32(min(width, height)) / (2 * swarm.Reach),
	}
}

// World returns what place of the world is at a pixel.
func (v View) World(x, y int) [2]float32 {
	if v.Scale == 0 {
		return [2]float32{} // no frame was laid out yet
	}
	return [2]float32{(float32(x) - v.X) / v.Scale, (float32(y) - v.Y) / v.Scale}
}
