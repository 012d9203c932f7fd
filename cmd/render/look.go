package render

import (
	"image"
	"image/color"
	"math"
)

// A Shape is what an instance or a single object looks like.
type Shape uint8

// Shapes.
const (
	Dot  Shape = iota // a round light; many at one place shine brighter
	Cube              // a shaded cube along the axes, which hides what lies behind it
)

// A Style says how objects of a kind look.
type Style struct {
	Shape  Shape
	Size   float32    // diameter or edge, world units; 0: a size that suits picture and number
	Colour color.RGBA // in the middle of what the camera sees
	Rim    color.RGBA // at its rim; the zero colour: Colour
}

// A Look declares how everything looks, before anything is drawn. Canvases read it, and move its
// camera. What is zero is filled in by [Look.Complete].
type Look struct {
	Styles map[string]Style // by kind
	Other  Style            // of kinds that Styles does not name
	Single Style            // of objects drawn one by one
	Line   color.RGBA       // of lines
	Sky    [2]color.RGBA    // background at the top and at the bottom
	Camera Camera           // an Orbit that fits what it sees
	Images []*image.RGBA    // of sprites
	W, H   float32          // the plane of sprites and texts, its units; 0: a unit is a pixel
	Margin color.RGBA       // around that plane; the zero colour: what is behind it
}

// Complete returns the look with what is zero filled in. Canvases call it.
func (l Look) Complete() Look {
	if l.Other.Colour.A == 0 {
		l.Other.Colour, l.Other.Rim = RGB(0xd4efff), RGB(0x3d5cff)
	}
	if l.Single.Colour.A == 0 {
		l.Single.Colour = RGB(0xffb62e)
	}
	if l.Line.A == 0 {
		l.Line = RGB(0x4de3b0)
	}
	if l.Sky[0].A == 0 {
		l.Sky = [2]color.RGBA{RGB(0x0b1020), RGB(0x04050a)}
	}
	if l.Camera == nil {
		l.Camera = &Orbit{Pitch: .35, Fit: true}
	}
	return l
}

// Style returns how instances of a kind look. A style's zero Rim becomes its Colour.
func (l *Look) Style(kind string) Style {
	style, ok := l.Styles[kind]
	if !ok {
		style = l.Other
	}
	if style.Rim.A == 0 {
		style.Rim = style.Colour
	}
	return style
}

// HasCubes reports whether some style asks for cubes.
func (l *Look) HasCubes() bool {
	for _, style := range l.Styles {
		if style.Shape == Cube {
			return true
		}
	}
	return l.Other.Shape == Cube
}

// Light returns a colour as light: linear red, green and blue; 1 is white.
func Light(c color.RGBA) [3]float32 {
	curve := func(v uint8) float32 { return float32(math.Pow(float64(v)/255, 2.2)) }
	return [3]float32{curve(c.R), curve(c.G), curve(c.B)}
}

// RGB returns the opaque colour 0xrrggbb.
func RGB(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Paint returns a picture so many pixels large, each in the colour of the place in its middle.
func Paint(width, height int, colour func(x, y float64) color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, colour(float64(x)+.5, float64(y)+.5))
		}
	}
	return m
}
