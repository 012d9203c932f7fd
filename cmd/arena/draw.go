package arena

import (
	"fmt"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/world"
)

// The canvas, in plane units, of which a world unit has some.
const (
	planeWide, planeHigh = 960, 640
	scale                = 2.2
)

// Look is how an arena looks.
func Look() render.Look {
	l := tanks.Look()
	l.W, l.H, l.Camera = planeWide, planeHigh, render.Flat{W: planeWide, H: planeHigh}
	return l
}

// Fit has a look fill a picture of so many pixels, which is at most 2.4 times as wide as high.
func Fit(l *render.Look, width, height int) {
	if width <= 0 || height <= 0 {
		return
	}
	l.W = min(float32(planeHigh*float32(width)/float32(height)), 2.4*planeHigh)
	l.Camera = render.Flat{W: l.W, H: l.H}
}

// shown are what is drawn, as of the tick that is shown.
var shown = world.NewQuery(world.Read(place, heading, part, side))

// Draw draws what the player sees, from above its own tank.
func (p *Player) Draw(c render.Canvas) error {
	s, middle := p.state, [2]float32{fieldWide / 2, fieldHigh / 2}
	own, ok := p.Tank()
	if ok {
		middle = world.Must(world.Get(s, own, place))
	}
	on := placed(c, middle, scale)
	a, b := on([2]float32{0, 0}), on([2]float32{fieldWide, fieldHigh})
	for _, edge := range [...][4]float32{
		{a[0], a[1], b[0], a[1]},
		{a[0], b[1], b[0], b[1]},
		{a[0], a[1], a[0], b[1]},
		{b[0], a[1], b[0], b[1]},
	} {
		p.edges.Line([3]float32{edge[0], edge[1]}, [3]float32{edge[2], edge[3]})
	}
	err := p.edges.Draw(c)
	draw(s, c, middle, scale)
	text := "joining"
	if ok {
		text = fmt.Sprintf("%s   armour %d   sees %d", []string{"red", "blue"}[world.Must(
			world.Get(s, own, side))%sides], world.Must(world.Get(s, own, armour)), world.Len(s)-1)
	}
	c.DrawText(render.Text{Text: text, X: 12, Y: 28, Size: 20, Colour: render.RGB(0xffffff)})
	return err
}

// placed returns where places are on a canvas, in whose middle one is.
func placed(c render.Canvas, middle [2]float32, scale float32) func(at [2]float32) [2]float32 {
	wide := float32(planeWide)
	if l, ok := c.(interface{ Look() *render.Look }); ok {
		wide = l.Look().W
	}
	return func(at [2]float32) [2]float32 {
		return [2]float32{
			float32(wide/2) + float32((at[0]-middle[0])*scale),
			planeHigh/2 + float32((at[1]-middle[1])*scale),
		}
	}
}

// draw draws the actors of a world.
func draw(s world.State, c render.Canvas, middle [2]float32, scale float32) {
	on := placed(c, middle, scale)
	for b := range shown.In(s) {
		at, angles := world.Column(b, place), world.Column(b, heading)
		parts, sides := world.Column(b, part), world.Column(b, side)
		for i := range at {
			way := ahead(angles[i], 1)
			sprite := func(of int, along, aside float32) {
				c.DrawSprite(tanks.Sprite(of, sides[i], on([2]float32{
					at[i][0] + float32(along*way[0]) - float32(aside*way[1]),
					at[i][1] + float32(along*way[1]) + float32(aside*way[0]),
				}), angles[i], scale))
			}
			switch parts[i] {
			case Bullet:
				sprite(tanks.Shells, 0, 0)
			case Blast:
				sprite(tanks.Blasts, 0, 0)
			default:
				sprite(tanks.Hulls, 0, 0)
				sprite(tanks.Turrets, -1.5, 0)
				sprite(tanks.Guns, 6, -1.5)
				sprite(tanks.Guns, 6, 1.5)
			}
		}
	}
}
