package fork

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
)

// A sheet is a drawing of one world or two, and below them a strip with a slider and texts.
//
//	plane  gap  plane
//	strip
type sheet struct {
	canvas       render.Canvas
	look         render.Look
	w, h         float32 // of a world's plane, plane units
	unit         float32 // a hundredth of the sheet's width, plane units
	images       int     // of the scene; their ghosts follow, and then:
	night, light int     // plain colours
	ring         int
}

const (
	ghostly  = .6 // opacity of a ghost
	over     = 90 // Z above all scenes
	strip    = 8  // height in units
	nightHue = 0x0b1020
	inkHue   = 0xe8ecf8
)

// halves are the titles of two worlds side by side.
var halves = [2]string{"PAST", "ANOTHER FUTURE"}

func newSheet(look render.Look, two bool) *sheet {
	s := &sheet{look: look, w: look.W, h: look.H, images: len(look.Images)}
	if two {
		s.look.W = 2*s.w + s.w/50
	}
	s.unit = s.look.W / 100
	s.look.H = s.h + float32(strip*s.unit)
	s.look.Margin = render.RGB(nightHue)
	var ghosts []*image.RGBA
	for _, m := range look.Images {
		ghosts = append(ghosts, faded(m))
	}
	n := 2 * s.images
	s.night, s.light, s.ring = n, n+1, n+2
	s.look.Images = slices.Concat(look.Images, ghosts, []*image.RGBA{
		plain(render.RGB(nightHue)), plain(render.RGB(inkHue)), ring(),
	})
	return s
}

// draw draws a world, the ghost of another, and the progress.
func (s *sheet) draw(now frame, share float32, caption string, ghost []render.Mark) error {
	s.canvas.Begin()
	s.world(now.marks, 0)
	for _, m := range ghost {
		m.Sprite.Image += s.images
		m.Sprite.Z += over / 2
		s.canvas.DrawSprite(m.Sprite)
	}
	s.box(s.night, 0, s.h, s.look.W, s.look.H-s.h)
	left, wide := 2*s.unit, 96*s.unit
	s.box(s.light, left, s.h+2*s.unit, wide, .3*s.unit)
	knob := left + float32(share*wide) - float32(.6*s.unit)
	s.box(s.light, knob, s.h+float32(1.2*s.unit), 1.2*s.unit, 1.9*s.unit)
	s.text(caption, left, 6.6)
	s.text(fmt.Sprintf("digest %016x", now.digest), 52*s.unit, 6.6)
	_, err := s.canvas.End()
	return err
}

// drawBoth draws two worlds, rings around the differences, and the first difference as text.
func (s *sheet) drawBoth(left, right frame, words string) error {
	s.canvas.Begin()
	second := s.look.W - s.w
	s.world(left.marks, 0)
	s.world(right.marks, second)
	s.rings(different(left.marks, right.marks), 0)
	s.rings(different(right.marks, left.marks), second)
	s.box(s.night, s.w, 0, second-s.w, s.h)
	s.box(s.night, 0, s.h, s.look.W, s.look.H-s.h)
	for i, f := range []frame{left, right} {
		x := float32(float32(i)*second) + s.unit
		s.text(fmt.Sprintf("digest %016x", f.digest), x, 2.6)
		s.canvas.DrawText(render.Text{
			Text: halves[i], X: x, Y: 4 * s.unit, MaxWidth: s.w, Size: 3.2 * s.unit,
			Colour: render.RGB(inkHue), Outline: render.RGB(nightHue), Z: over,
		})
	}
	s.text(words, s.unit, 6)
	_, err := s.canvas.End()
	return err
}

// world draws a world's marks, shifted right by dx.
func (s *sheet) world(marks []render.Mark, dx float32) {
	for _, m := range marks {
		if m.Text.Text != "" {
			m.Text.X += dx
			s.canvas.DrawText(m.Text)
			continue
		}
		m.Sprite.X += dx
		s.canvas.DrawSprite(m.Sprite)
	}
}

// rings draws a ring around each sprite that is not inside an earlier ring.
func (s *sheet) rings(marks []render.Mark, dx float32) {
	var done [][2]float32
next:
	for _, m := range marks {
		p := &m.Sprite
		x, y, r := p.X+float32(p.W/2), p.Y+float32(p.H/2), float32(1.9*s.unit)
		for _, d := range done {
			if math.Hypot(float64(x-d[0]), float64(y-d[1])) < float64(r) {
				continue next
			}
		}
		done = append(done, [2]float32{x, y})
		s.canvas.DrawSprite(render.Sprite{
			Image: s.ring, X: x - r + dx, Y: y - r, W: 2 * r, H: 2 * r, Z: over / 2,
		})
	}
}

func (s *sheet) box(image int, x, y, w, h float32) {
	s.canvas.DrawSprite(render.Sprite{Image: image, X: x, Y: y, W: w, H: h, Z: over})
}

// text writes on the strip, below units below its top.
func (s *sheet) text(text string, x, below float32) {
	s.canvas.DrawText(render.Text{
		Text: text, X: x, Y: s.h + float32(below*s.unit), MaxWidth: s.look.W - x - s.unit,
		Size: 2.8 * s.unit, Colour: render.RGB(inkHue), Z: over,
	})
}

// faded returns the ghost of an image.
func faded(m *image.RGBA) *image.RGBA {
	dst := image.NewRGBA(m.Rect)
	for y := range m.Rect.Dy() {
		row := m.Pix[y*m.Stride:][:dst.Stride]
		for i, x := range row {
			dst.Pix[y*dst.Stride+i] = uint8(float32(x) * ghostly)
		}
	}
	return dst
}

func plain(c color.RGBA) *image.RGBA {
	return render.Paint(1, 1, func(_, _ float64) color.RGBA { return c })
}

// ring returns the image of a ring.
func ring() *image.RGBA {
	const size, radius, wide = 64, 28, 3
	return render.Paint(size, size, func(x, y float64) color.RGBA {
		a := min(max(wide+.5-math.Abs(math.Hypot(x-size/2, y-size/2)-radius), 0), 1)
		part := func(share float64) uint8 { return uint8(255 * share * a) }
		return color.RGBA{part(1), part(.9), part(.35), part(1)}
	})
}
