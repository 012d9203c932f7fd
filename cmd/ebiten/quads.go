package main

import (
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"
)

// atOnce is how many quads one call draws at most: indices are uint16, and a quad has four corners.
const atOnce = (1 << 16) / 4

// Quads draws one square per object, straight from columns. Of a vertex only the place changes from
// frame to frame, so the rest is written once.
type Quads struct {
	image    *ebiten.Image
	half     float32 // of a side, in pixels
	vertices []ebiten.Vertex
	indices  []uint16
}

// NewQuads returns quads of one colour, so many pixels wide.
func NewQuads(look color.RGBA, side float32) *Quads {
	white := ebiten.NewImage(3, 3) // of which the middle is used, so that no edge is smoothed
	white.Fill(color.White)
	q := &Quads{
		image:    white.SubImage(image.Rect(1, 1, 2, 2)).(*ebiten.Image),
		half:     side / 2,
		vertices: make([]ebiten.Vertex, 4*atOnce),
		indices:  make([]uint16, 0, 6*atOnce),
	}
	for i := range q.vertices {
		q.vertices[i] = ebiten.Vertex{
			SrcX: 1, SrcY: 1,
			ColorR: float32(look.R) / 255, ColorG: float32(look.G) / 255,
			ColorB: float32(look.B) / 255, ColorA: float32(look.A) / 255,
		}
	}
	for first := 0; first < len(q.vertices); first += 4 {
		a := uint16(first)
		q.indices = append(q.indices, a, a+1, a+2, a+1, a+2, a+3)
	}
	return q
}

// Draw draws a square for each place, moved on by ahead seconds of its speed.
func (q *Quads) Draw(screen *ebiten.Image, places, speeds [][2]float32, ahead float32, view View) {
	for len(places) > 0 {
		n := min(len(places), atOnce)
		q.put(places[:n], speeds[:n], ahead, view)
		screen.DrawTriangles(q.vertices[:4*n], q.indices[:6*n], q.image, nil)
		places, speeds = places[n:], speeds[n:]
	}
}

// put writes the corners of the squares.
func (q *Quads) put(places, speeds [][2]float32, ahead float32, view View) {
	for i, place := range places {
		speed := speeds[i]
		x := view.X + view.Scale*(place[0]+speed[0]*ahead)
		y := view.Y + view.Scale*(place[1]+speed[1]*ahead)
		left, right, top, bottom := x-q.half, x+q.half, y-q.half, y+q.half
		corners := q.vertices[4*i : 4*i+4]
		corners[0].DstX, corners[0].DstY = left, top
		corners[1].DstX, corners[1].DstY = right, top
		corners[2].DstX, corners[2].DstY = left, bottom
		corners[3].DstX, corners[3].DstY = right, bottom
	}
}
