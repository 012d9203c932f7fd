package arena

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/world"
)

// Scale is the size of a world unit in plane units.
const Scale = 2.2

const (
	planeHigh = 640 // shorter side of a picture, in plane units
	grid      = 70  // world units between tufts of grass
)

// The arena's own pictures, after those of tanks.
const (
	ground = tanks.Pictures + iota // visible ground
	tuft
	ring // marks the own tank
	outside
)

// Look returns the look of an arena: invisible parts are dark.
func Look() render.Look {
	l, fog := tanks.Look(), render.RGB(0x1d2117)
	l.Sky = [2]color.RGBA{fog, fog}
	l.Images = append(slices.Clip(l.Images),
		disc(512, -1, render.RGB(0x6a744d)), disc(8, -1, render.RGB(0x4d5637)),
		disc(96, .88, render.RGB(0xffffff)), disc(1, -1, l.Margin))
	Fit(&l, 3, 2)
	return l
}

// disc paints a disc of size pixels, with a hole of the given fraction.
func disc(size int, hole float64, c color.RGBA) *image.RGBA {
	half := float64(size) / 2
	return render.Paint(size, size, func(x, y float64) color.RGBA {
		far := math.Hypot(x-half, y-half)
		a := min(max(min(half-far, far-float64(hole*half))+.5, 0), 1)
		part := func(of uint8) uint8 { return uint8(a * float64(of)) }
		return color.RGBA{part(c.R), part(c.G), part(c.B), part(255)}
	})
}

// Fit adapts a look to a picture of width × height pixels. The longer side must be at most twice
// the shorter one: players receive only what is within that.
func Fit(l *render.Look, width, height int) {
	if width <= 0 || height <= 0 {
		return
	}
	ratio := min(float32(width)/float32(height), 2)
	l.W = max(planeHigh*ratio, .75*planeHigh)
	l.H = min(l.W/ratio, 2*planeHigh)
	l.Camera = render.Flat{W: l.W, H: l.H}
}

// A Canvas has a look.
type Canvas interface {
	render.Canvas
	Look() *render.Look
}

// shown matches the actors to draw, at the displayed tick.
var shown = world.NewQuery(world.Read(place, heading, part, side, armour))

// A window is the part of the world that a canvas shows.
type window struct {
	render.Canvas
	middle, half [2]float32 // world units; plane units
}

// on converts a place to the plane.
func (w *window) on(at [2]float32) [2]float32 {
	return [2]float32{
		w.half[0] + float32((at[0]-w.middle[0])*Scale),
		w.half[1] + float32((at[1]-w.middle[1])*Scale),
	}
}

// put draws a picture below all tanks, in a box of wide × high world units around a place.
func (w *window) put(of int, at [2]float32, wide, high float32) {
	p := w.on(at)
	w.DrawSprite(render.Sprite{
		Image: of, Z: -1, X: p[0] - float32(wide*Scale/2), Y: p[1] - float32(high*Scale/2),
		W: wide * Scale, H: high * Scale,
	})
}

// label writes a text above the tank at a place.
func (w *window) label(text string, at [2]float32, size float32) {
	p := w.on(at)
	w.DrawText(render.Text{
		Text: text, X: p[0] - float32(render.TextWidth(text)*size/2), Y: p[1] - 24 - size,
		Size: size, Colour: render.RGB(0xffffff), Z: 9,
	})
}

// Draw draws what the player sees, centred on its own tank.
func (p *Player) Draw(c Canvas) {
	l := c.Look()
	w := window{Canvas: c, half: [2]float32{l.W / 2, l.H / 2}}
	w.middle = [2]float32{fieldWide / 2, fieldHigh / 2}
	own, ok := p.Tank()
	if ok {
		w.middle = world.Must(world.Get(p.state, own, place))
		w.ground(p.state, world.Must(world.Get(p.state, own, side)))
		w.put(ring, w.middle, 34, 34)
		w.label("you", w.middle, 20)
	}
	w.actors(p.state)
}

// ground draws the visible ground near the tanks of a side, and the surroundings of the field.
func (w *window) ground(s world.State, of uint8) {
	for b := range actors.In(s) {
		at, sides, parts := world.Column(b, place), world.Column(b, side), world.Column(b, part)
		for i := range at {
			if sides[i] == of && parts[i] == Tank {
				w.put(ground, at[i], 2*Sight, 2*Sight)
			}
		}
	}
	for x := float32(grid / 2); x < fieldWide; x += grid {
		for y := float32(grid / 2); y < fieldHigh; y += grid {
			if at := w.on([2]float32{x, y}); at[0] > 0 && at[0] < 2*w.half[0] &&
				at[1] > 0 && at[1] < 2*w.half[1] {
				w.put(tuft, [2]float32{x, y}, 4, 4)
			}
		}
	}
	for _, aside := range [...]float32{-.5, 1.5} {
		w.put(outside, [2]float32{fieldWide * aside, fieldHigh / 2}, fieldWide, 3*fieldHigh)
		w.put(outside, [2]float32{fieldWide / 2, fieldHigh * aside}, fieldWide, fieldHigh)
	}
}

// actors draws the actors of a world. A wreck has no turret.
func (w *window) actors(s world.State) {
	for b := range shown.In(s) {
		at, angles, parts := world.Column(b, place), world.Column(b, heading), world.Column(b, part)
		sides, strong := world.Column(b, side), world.Column(b, armour)
		for i := range at {
			way := ahead(angles[i], 1)
			sprite := func(of int, along, aside float32) {
				w.DrawSprite(tanks.Sprite(of, sides[i], w.on([2]float32{
					at[i][0] + float32(along*way[0]) - float32(aside*way[1]),
					at[i][1] + float32(along*way[1]) + float32(aside*way[0]),
				}), angles[i], Scale))
			}
			switch {
			case parts[i] == Bullet:
				sprite(tanks.Shells, 0, 0)
			case parts[i] == Blast:
				sprite(tanks.Blasts, 0, 0)
			case strong[i] == 0:
				sprite(tanks.Hulls, 0, 0)
			default:
				sprite(tanks.Hulls, 0, 0)
				sprite(tanks.Turrets, -1.5, 0)
				sprite(tanks.Guns, 6, -1.5)
				sprite(tanks.Guns, 6, 1.5)
			}
		}
	}
}
