//go:build js && wasm

package webgl

import (
	"image"
	"image/color"
	"math"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/glyph"
)

// pictures are the textures of sprites and letters.
type pictures struct {
	*context
	sprites map[*image.RGBA]js.Value
	letters map[face]letter
}

// A face is what a letter's texture depends on.
type face struct {
	letter        rune
	size, stretch uint16 // quarters of a pixel; 1/64
	shift         uint8
	more          uint8 // quarters of a pixel, that strokes are wider to each side
}

// A letter is a texture, and the pixels that it covers around the place where the letter begins.
type letter struct {
	texture js.Value
	area    image.Rectangle
}

const (
	shifts     = 4    // places within a pixel that letters are drawn at
	mostFaces  = 2048 // letters that are kept
	scissoring = 0x0C11
)

func newPictures(c *context) pictures {
	return pictures{context: c, sprites: map[*image.RGBA]js.Value{}, letters: map[face]letter{}}
}

// sprite returns the texture of an image, which is sent to the card when it is first drawn.
func (p *pictures) sprite(picture *image.RGBA) js.Value {
	texture, ok := p.sprites[picture]
	if !ok {
		texture = p.upload(picture)
		p.sprites[picture] = texture
	}
	return texture
}

// upload makes a texture of an image, and of its halves, so that small sprites do not flicker.
func (p *pictures) upload(picture *image.RGBA) js.Value {
	size := picture.Rect.Size()
	if picture.Stride != 4*size.X {
		whole := image.NewRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			copy(whole.Pix[y*whole.Stride:][:whole.Stride], picture.Pix[y*picture.Stride:])
		}
		picture = whole
	}
	texture := p.Call("createTexture")
	p.bindTexture.Invoke(texture2D, texture)
	p.heap.image.Invoke(p.Value, size.X, size.Y,
		address(picture.Pix))
	p.filter(linearMipmapLinear, linear)
	p.Call("generateMipmap", texture2D)
	return texture
}

// letter returns the texture of a letter, which is drawn when it is first asked for.
func (p *pictures) letter(f face) letter {
	l, ok := p.letters[f]
	if ok {
		return l
	}
	if len(p.letters) == mostFaces {
		for f, l := range p.letters {
			p.Call("deleteTexture", l.texture)
			delete(p.letters, f)
		}
	}
	mask := glyph.Draw(f.letter, float32(f.size)/4, float32(f.stretch)/64,
		(float32(f.shift)+.5)/shifts, float32(f.more)/4)
	l.area = mask.Rect
	if !l.area.Empty() {
		white := image.NewRGBA(mask.Rect)
		for i, a := range mask.Pix {
			copy(white.Pix[4*i:], []byte{a, a, a, a})
		}
		l.texture = p.upload(white)
	}
	p.letters[f] = l
	return l
}

// A plane is where the plane of sprites and texts lies on the element.
type plane struct{ scale, left, top float32 }

// drawMarks draws sprites and texts.
func (c *Canvas) drawMarks() {
	o := c.overlay
	marks := o.queue.Marks()
	if len(marks) == 0 {
		return
	}
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.mark.use()
	o.mark.set2("pixel", 2/float32(c.width), 2/float32(c.height))
	c.bindVertexArray.Invoke(o.marked)
	var p plane
	p.scale, p.left, p.top = c.look.Plane(c.width, c.height)
	c.enable.Invoke(scissoring)
	left, top := int(round(p.left)), int(round(p.top))
	c.Call("scissor", left, top, c.width-2*left, c.height-2*top)
	for i := range marks {
		if m := &marks[i]; m.Text.Text == "" {
			c.drawSprite(&m.Sprite, p)
		} else {
			c.drawText(&m.Text, p)
		}
	}
	c.disable.Invoke(scissoring)
}

func (c *Canvas) drawSprite(s *render.Sprite, p plane) {
	if s.Image < 0 || s.Image >= len(c.look.Images) || c.look.Images[s.Image].Rect.Empty() {
		return
	}
	x0, y0 := p.left+s.X*p.scale, p.top+s.Y*p.scale
	x1, y1 := x0+s.W*p.scale, y0+s.H*p.scale
	if s.Angle == 0 { // whole pixels, so that sprites side by side show no seam
		x0, y0, x1, y1 = round(x0), round(y0), round(x1), round(y1)
	}
	sin, cos := math.Sincos(float64(s.Angle))
	mark := c.overlay.mark
	c.bindTexture.Invoke(texture2D, c.overlay.pictures.sprite(c.look.Images[s.Image]))
	mark.set4("place", (x0+x1)/2, (y0+y1)/2, (x1-x0)/2, (y1-y0)/2)
	mark.set2("turn", float32(cos), float32(sin))
	mark.set4("paint", 1, 1, 1, 1)
	c.drawArrays.Invoke(triangleStrip, 0, 4)
}

// drawText draws a text letter by letter, as wide as it may be.
func (c *Canvas) drawText(t *render.Text, p plane) {
	size := t.Size * p.scale
	if !(size >= 1) || size > float32(4*c.height) {
		return
	}
	stretch := float32(1)
	if wide := glyph.Width(t.Text) * t.Size; t.MaxWidth > 0 && wide > t.MaxWidth {
		stretch = t.MaxWidth / wide
	}
	if t.Outline.A > 0 {
		wider := uint8(min(size*4*render.OutlineWidth+1, 255))
		c.drawLetters(t, p, size, stretch, t.Outline, wider)
	}
	c.drawLetters(t, p, size, stretch, t.Colour, 0)
}

// drawLetters draws a text in a colour, with strokes as much wider as faces tell.
func (c *Canvas) drawLetters(
	t *render.Text, p plane, size, stretch float32, colour color.RGBA, more uint8,
) {
	mark := c.overlay.mark
	ink, a := share(colour), float32(colour.A)/255
	mark.set2("turn", 1, 0)
	mark.set4("paint", ink[0]*a, ink[1]*a, ink[2]*a, a)
	x, y := p.left+t.X*p.scale, round(p.top+t.Y*p.scale)
	for _, r := range t.Text {
		whole := float32(math.Floor(float64(x)))
		l := c.overlay.pictures.letter(face{
			r, uint16(size * 4), uint16(stretch * 64), uint8((x - whole) * shifts), more,
		})
		x += glyph.Advance(r) * size * stretch
		if l.area.Empty() {
			continue
		}
		w, h := float32(l.area.Dx())/2, float32(l.area.Dy())/2
		c.bindTexture.Invoke(texture2D, l.texture)
		mark.set4("place",
			whole+float32(l.area.Min.X)+w, y+float32(l.area.Min.Y)+h, w, h)
		c.drawArrays.Invoke(triangleStrip, 0, 4)
	}
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }
