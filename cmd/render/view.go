package render

import (
	"encoding/binary"
	"math"
)

// A View is a camera's view in one frame.
type View struct {
	Matrix [16]float32 // world units to clip space, column by column; y up, w is the depth
	Scale  float32     // height of a world unit at depth 1, in clip units
	Centre [3]float32  // the camera's target, world units
	Radius float32     // extent of the view around Centre, world units
}

// Project converts a place from world units to clip space: x and y from -w to w are on the picture,
// and w is the depth.
func (v *View) Project(p [3]float32) (x, y, w float32) {
	m := &v.Matrix
	x = float32(m[0]*p[0]) + float32(m[4]*p[1]) + float32(m[8]*p[2]) + m[12]
	y = float32(m[1]*p[0]) + float32(m[5]*p[1]) + float32(m[9]*p[2]) + m[13]
	w = float32(m[3]*p[0]) + float32(m[7]*p[1]) + float32(m[11]*p[2]) + m[15]
	return x, y, w
}

// PositionAt reads position i of many; x, y, z in world units.
func PositionAt(positions []byte, i int) [3]float32 {
	p := positions[i*PositionBytes:][:PositionBytes]
	return [3]float32{
		math.Float32frombits(binary.LittleEndian.Uint32(p)),
		math.Float32frombits(binary.LittleEndian.Uint32(p[4:])),
		math.Float32frombits(binary.LittleEndian.Uint32(p[8:])),
	}
}

// A Camera turns world units into places on a picture. It belongs to one canvas.
type Camera interface {
	// See shows the camera the positions that are drawn.
	See(positions []byte)
	// View returns the view for a picture of this size. Canvases call it once a frame, no later
	// than at the first instance; a camera that has seen nothing yet can use the positions of See.
	View(width, height int) View
}

// Flat is a camera for a plane of W × H world units: x to the right, y down from the top left
// corner, as large as the picture's proportions allow.
type Flat struct{ W, H float32 }

// See does nothing: a flat camera does not move.
func (Flat) See([]byte) {}

// View implements [Camera].
func (f Flat) View(width, height int) View {
	w, h := max(f.W, 1e-6), max(f.H, 1e-6)
	pixels := min(float32(width)/w, float32(height)/h) // per unit
	sx, sy := 2*pixels/float32(width), 2*pixels/float32(height)
	return View{
		Matrix: [16]float32{
			0: sx, 5: -sy, 15: 1,
			12: -sx * w / 2, 13: sy * h / 2,
		},
		Scale:  sy,
		Centre: [3]float32{w / 2, h / 2, 0},
		Radius: max(w, h) / 2,
	}
}
