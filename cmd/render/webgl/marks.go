//go:build js && wasm

package webgl

import (
	"image"
	"image/color"
	"math"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// pictures are the textures of sprites and letters.
type pictures struct {
	*context
	sprites map[*image.RGBA]js.Value
	letters map[render.Face]letter
}

// A letter is a texture, and the pixels that it covers relative to the letter's origin.
type letter struct {
	texture js.Value
	area    image.Rectangle
}

const (
	mostFaces  = 2048 // letters in the cache
	scissoring = 0x0C11
)

func newPictures(c *context) pictures {
	return pictures{context: c, sprites: map[*image.RGBA]js.Value{}, letters: map[render.Face]letter{}}
}

// sprite returns the texture of an image. The first call uploads it.
func (p *pictures) sprite(picture *image.RGBA) js.Value {
	texture, ok := p.sprites[picture]
	if !ok {
		texture = p.upload(picture)
		p.sprites[picture] = texture
	}
	return texture
}

// upload creates a texture of an image with mipmaps, so that small sprites do not flicker.
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
	p.heap.image.Invoke(p.Value, size.X, size.Y, address(picture.Pix))
	p.filter(linearMipmapLinear, linear)
	p.Call("generateMipmap", texture2D)
	return texture
}

// letter returns the texture of a letter. The first call draws it.
func (p *pictures) letter(f render.Face) letter {
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
	mask := f.Draw()
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

// drawMarks draws sprites and texts.
func (c *Canvas) drawMarks() {
	o := c.overlay
	marks := c.Over.Marks()
	if len(marks) == 0 {
		return
	}
	c.blendFunc.Invoke(one, oneMinusSrcAlpha)
	o.mark.use()
	o.mark.set2("pixel", 2/float32(c.Width), 2/float32(c.Height))
	c.bindVertexArray.Invoke(o.marked)
	p := c.Look().Plane(c.Width, c.Height)
	c.enable.Invoke(scissoring)
	left, top := int(round(p.Left)), int(round(p.Top))
	c.Call("scissor", left, top, c.Width-2*left, c.Height-2*top)
	for i := range marks {
		if m := &marks[i]; m.Text.Text == "" {
			c.drawSprite(&m.Sprite, &p)
		} else {
			p.Letters(&m.Text, c.Height, c.drawLetter)
		}
	}
	c.disable.Invoke(scissoring)
}

func (c *Canvas) drawSprite(s *render.Sprite, p *render.Plane) {
	if s.Image < 0 || s.Image >= len(c.Look().Images) || c.Look().Images[s.Image].Rect.Empty() {
		return
	}
	x0, y0, x1, y1 := p.Edges(s)
	sin, cos := math.Sincos(float64(s.Angle))
	mark := c.overlay.mark
	c.bindTexture.Invoke(texture2D, c.overlay.pictures.sprite(c.Look().Images[s.Image]))
	mark.set4("place", (x0+x1)/2, (y0+y1)/2, (x1-x0)/2, (y1-y0)/2)
	mark.set2("turn", float32(cos), float32(sin))
	mark.set4("paint", 1, 1, 1, 1)
	c.drawArrays.Invoke(triangleStrip, 0, 4)
}

// drawLetter draws a letter with its origin at a pixel.
func (c *Canvas) drawLetter(f render.Face, x, y int, colour color.RGBA) {
	l := c.overlay.pictures.letter(f)
	if l.area.Empty() {
		return
	}
	mark, ink, a := c.overlay.mark, share(colour), float32(colour.A)/255
	mark.set2("turn", 1, 0)
	mark.set4("paint", ink[0]*a, ink[1]*a, ink[2]*a, a)
	w, h := float32(l.area.Dx())/2, float32(l.area.Dy())/2
	c.bindTexture.Invoke(texture2D, l.texture)
	mark.set4("place", float32(x+l.area.Min.X)+w, float32(y+l.area.Min.Y)+h, w, h)
	c.drawArrays.Invoke(triangleStrip, 0, 4)
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }
