package render

import (
	"image"
	"image/color"
	"math"
)

// A Shape is the shape of instances or single objects.
type Shape uint8

// Shapes.
const (
	Dot  Shape = iota // a round light; overlapping dots add up
	Cube              // a shaded, axis-aligned cube, which hides what is behind it
)

// A Style is the appearance of objects of a kind.
type Style struct {
	Shape  Shape
	Size   float32    // diameter or edge, world units; 0: chosen by picture and number
	Colour color.RGBA // in the middle of the camera's view
	Rim    color.RGBA // at the rim of the view; the zero colour: Colour
}

// A Look declares the appearance of everything before anything is drawn. Canvases read it, and move
// its camera. [Look.Complete] fills in zeros.
type Look struct {
	Styles map[string]Style // by kind
	Other  Style            // for other kinds
	Single Style            // for objects drawn one by one
	Line   color.RGBA       // of lines
	Sky    [2]color.RGBA    // background at the top and at the bottom
	Camera Camera           // nil: an Orbit that fits the objects
	Images []*image.RGBA    // of sprites
	W, H   float32          // size of the plane of sprites and texts in plane units; 0: pixels
	Margin color.RGBA       // around the plane; the zero colour: transparent
}

// Complete returns the look with defaults in place of zeros. Canvases call it.
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

// Style returns the style of a kind. A zero Rim becomes Colour.
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

// HasCubes reports whether a style has cubes.
func (l *Look) HasCubes() bool {
	for _, style := range l.Styles {
		if style.Shape == Cube {
			return true
		}
	}
	return l.Other.Shape == Cube
}

// Light converts a colour to light: linear red, green and blue; 1 is white.
func Light(c color.RGBA) [3]float32 {
	curve := func(v uint8) float32 { return float32(math.Pow(float64(v)/255, 2.2)) }
	return [3]float32{curve(c.R), curve(c.G), curve(c.B)}
}

// RGB returns the opaque colour 0xrrggbb.
func RGB(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Paint returns a picture of width × height pixels; colour gives the colour at the centre of each.
func Paint(width, height int, colour func(x, y float64) color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, colour(float64(x)+.5, float64(y)+.5))
		}
	}
	return m
}
