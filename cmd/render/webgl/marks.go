//go:build js && wasm

package webgl

import (
	"image"
	"image/draw"
	"math"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// pictures are the textures of sprites.
type pictures struct {
	*context
	sprites map[*image.RGBA]js.Value
}

func newPictures(c *context) pictures {
	return pictures{context: c, sprites: map[*image.RGBA]js.Value{}}
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
		draw.Draw(whole, whole.Rect, picture, picture.Rect.Min, draw.Src)
		picture = whole
	}
	texture := p.Call("createTexture")
	p.bindTexture.Invoke(texture2D, texture)
	p.heap.image.Invoke(p.Value, size.X, size.Y,
		address(picture.Pix[picture.PixOffset(picture.Rect.Min.X, picture.Rect.Min.Y):]))
	p.filter(linearMipmapLinear, linear)
	p.Call("generateMipmap", texture2D)
	return texture
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
	for i := range marks {
		if m := &marks[i]; m.Text.Text == "" {
			c.drawSprite(&m.Sprite, p)
		}
	}
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

func round(x float32) float32 { return float32(math.Round(float64(x))) }
