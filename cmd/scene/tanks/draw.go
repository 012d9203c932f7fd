package tanks

import (
	"image/color"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/stage"
)

// The size of the canvas in plane units: as wide as the field, for any size in world units.
const width, height = 960, 640

// Look returns the look of tanks from above.
func Look() render.Look {
	return render.Look{
		Sky:    [2]color.RGBA{render.RGB(0x6f7a52), render.RGB(0x5d6845)},
		Line:   render.RGB(0xffe08a),
		Camera: render.Flat{W: width, H: height},
		Images: pictures(),
		W:      width, H: height,
		Margin: render.RGB(0x0b1020),
	}
}

// scaleOf returns the number of plane units per world unit.
func scaleOf(s world.State) float32 { return width / world.Resource(s, wide) }

// draw draws every object as its picture: turrets over guns over hulls.
func draw(s world.State, c render.Canvas) world.State {
	scale := scaleOf(s)
	for b := range drawn.In(s) {
		at, sides := world.Column(b, pose.Global2), world.Column(b, side)
		parts, until := world.Column(b, part), world.Column(b, left)
		for i := range at {
			of, size := min(int(parts[i]), partCount-1), scale
			if of == Blasts {
				size = float32(scale * min(until[i]/flame, 1))
			}
			p := at[i].Position()
			c.DrawSprite(Sprite(of, sides[i], times(p, scale), at[i].Rotation.Angle(), size))
		}
	}
	return s
}

// called names an object by its side and its part; "": it does not belong to the battle, or is
// dead.
func called(s world.State, id world.GameObject) string {
	of, err := world.Get(s, id, part)
	if err != nil {
		return ""
	}
	whose, _ := world.Get(s, id, side)
	return sideNames[whose%most] + " " + partNames[min(int(of), partCount-1)]
}

// Sprite returns the picture of a part of a side, at a place of the plane; scale is in plane units
// per world unit.
func Sprite(of int, side uint8, at [2]float32, angle, scale float32) render.Sprite {
	w, h := float32(sizes[of].w*scale), float32(sizes[of].h*scale)
	return render.Sprite{
		Image: of*most + int(side)%most, Z: sizes[of].z, W: w, H: h,
		X: at[0] - float32(w/2), Y: at[1] - float32(h/2), Angle: angle,
	}
}

// drawTargets draws a line from each turret to its target.
func drawTargets(s world.State, g *stage.Gizmos) world.State {
	scale, places := scaleOf(s), world.ReaderOf(s, heroes.Position)
	for b := range spotting.In(s) {
		at, targets := world.Column(b, pose.Global2), world.Column(b, Target)
		for i := range at {
			if target, ok := places.Get(targets[i]); ok {
				g.Line(solid(times(at[i].Position(), scale)), solid(times(flat(target), scale)))
			}
		}
	}
	return s
}
