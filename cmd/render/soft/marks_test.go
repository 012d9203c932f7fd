package soft_test

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

func at(c *soft.Canvas, x, y int) color.RGBA { return c.Image().RGBAAt(x, y) }

// What a frame drew is cleared before the next one.
func TestSeed_E9_FramesAreCleared(t *testing.T) {
	c := canvas(t, everythingLook(), 160, 90, 2)
	empty := canvas(t, everythingLook(), 160, 90, 2)
	everything(t, c, 1)
	frame(t, c, func() {})
	frame(t, empty, func() {})
	assert.Equal(t, empty.Image().Pix, c.Image().Pix)
}

// Higher ones cover lower ones; equal ones are drawn in the order of the calls.
func TestSeed_E9_OrderByZIsStable(t *testing.T) {
	palette := []*image.RGBA{plain(red, 1, 1), plain(green, 1, 1), plain(blue, 1, 1)}
	shades := []color.RGBA{red, green, blue}
	c := canvas(t, render.Look{Images: palette, Sky: night}, 10, 10, 2)
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var sprites []render.Sprite
		for range 1 + r.IntN(30) {
			sprites = append(sprites, render.Sprite{
				Image: r.IntN(3), X: float32(r.IntN(8)), Y: float32(r.IntN(8)),
				W: float32(1 + r.IntN(5)), H: float32(1 + r.IntN(5)), Z: r.IntN(4) - 2,
			})
		}
		frame(t, c, func() {
			for _, s := range sprites {
				c.DrawSprite(s)
			}
		})
		// The naive model: sort a copy and paint pixel by pixel.
		slices.SortStableFunc(sprites, func(a, b render.Sprite) int { return a.Z - b.Z })
		want := plain(black, 10, 10)
		for _, s := range sprites {
			for y := int(s.Y); y < min(int(s.Y+s.H), 10); y++ {
				for x := int(s.X); x < min(int(s.X+s.W), 10); x++ {
					want.SetRGBA(x, y, shades[s.Image])
				}
			}
		}
		require.Equal(t, want.Pix, c.Image().Pix)
	}
}

// Sprites and texts share one order.
func TestSeed_E9_TextsAmongSprites(t *testing.T) {
	look := render.Look{Images: []*image.RGBA{plain(red, 1, 1)}, Sky: night}
	for name, test := range map[string]struct {
		sprite, text int
		first        string
		covered      bool
	}{
		"text above": {0, 1, "text", false}, "text below": {1, 0, "sprite", true},
		"text later": {0, 0, "sprite", false}, "text earlier": {0, 0, "text", true},
	} {
		t.Run(name, func(t *testing.T) {
			c := canvas(t, look, 40, 40, 1)
			sprite := func() { c.DrawSprite(render.Sprite{W: 40, H: 40, Z: test.sprite}) }
			frame(t, c, func() {
				if test.first == "sprite" {
					sprite()
				}
				c.DrawText(render.Text{Text: "H", X: 8, Y: 36, Size: 40, Colour: white, Z: test.text})
				if test.first == "text" {
					sprite()
				}
			})
			assert.Equal(t, test.covered, colours(c.Image()) == 1)
		})
	}
}

// A sprite turns about its own centre, clockwise.
func TestSeed_E9_TurnAboutTheCentre(t *testing.T) {
	m := plain(red, 40, 20) // red on the left, green on the right
	for y := range 20 {
		for x := 20; x < 40; x++ {
			m.SetRGBA(x, y, green)
		}
	}
	c := canvas(t, render.Look{Images: []*image.RGBA{m}, Sky: night}, 100, 100, 2)
	for name, test := range map[string]struct {
		angle      float64
		red, green image.Point
		dark       image.Point
	}{
		"not":          {0, image.Pt(42, 60), image.Pt(68, 60), image.Pt(55, 75)},
		"a quarter":    {math.Pi / 2, image.Pt(55, 47), image.Pt(55, 73), image.Pt(42, 60)},
		"a half":       {math.Pi, image.Pt(68, 60), image.Pt(42, 60), image.Pt(55, 75)},
		"back":         {-math.Pi / 2, image.Pt(55, 73), image.Pt(55, 47), image.Pt(68, 60)},
		"an eighth":    {math.Pi / 4, image.Pt(46, 51), image.Pt(64, 69), image.Pt(66, 52)},
		"many times":   {math.Pi*20 + math.Pi, image.Pt(68, 60), image.Pt(42, 60), image.Pt(55, 75)},
		"hardly, left": {-.01, image.Pt(42, 60), image.Pt(68, 60), image.Pt(55, 75)},
	} {
		t.Run(name, func(t *testing.T) {
			frame(t, c, func() {
				c.DrawSprite(render.Sprite{X: 35, Y: 50, W: 40, H: 20, Angle: float32(test.angle)})
			})
			assert.Equal(t, red, at(c, test.red.X, test.red.Y))
			assert.Equal(t, green, at(c, test.green.X, test.green.Y))
			assert.Equal(t, black, at(c, test.dark.X, test.dark.Y))
			x, y, n := 0, 0, 0 // the middle of what is lit stays the middle
			for i := 0; i < len(c.Image().Pix); i += 4 {
				if c.Image().Pix[i]|c.Image().Pix[i+1] > 127 {
					x, y, n = x+i/4%100, y+i/400, n+1
				}
			}
			assert.InDelta(t, 54.5, float64(x)/float64(n), .3)
			assert.InDelta(t, 59.5, float64(y)/float64(n), .3)
			assert.InDelta(t, 800, n, 30)
		})
	}
}

func TestImagesKeepTheirPixels(t *testing.T) {
	m := checks(16, 12, 3)
	c := canvas(t, render.Look{Images: []*image.RGBA{m}, Sky: night}, 30, 30, 1)
	frame(t, c, func() { c.DrawSprite(render.Sprite{X: 5, Y: 7, W: 16, H: 12}) })
	for y := range 12 {
		for x := range 16 {
			require.Equal(t, m.RGBAAt(x, y), at(c, x+5, y+7))
		}
	}
	part := checks(40, 40, 5).SubImage(image.Rect(5, 5, 15, 15)).(*image.RGBA)
	c = canvas(t, render.Look{Images: []*image.RGBA{part}, Sky: night}, 10, 10, 1)
	frame(t, c, func() { c.DrawSprite(render.Sprite{W: 10, H: 10}) })
	assert.Equal(t, part.RGBAAt(5, 5), at(c, 0, 0))
	assert.Equal(t, part.RGBAAt(14, 14), at(c, 9, 9))
}

func TestImagesSeeThrough(t *testing.T) {
	half := plain(color.RGBA{128, 0, 0, 128}, 4, 4)
	nothing := plain(color.RGBA{}, 4, 4)
	look := render.Look{Images: []*image.RGBA{half, nothing, plain(blue, 1, 1)}, Sky: night}
	c := canvas(t, look, 8, 8, 1)
	frame(t, c, func() {
		c.DrawSprite(render.Sprite{Image: 2, W: 8, H: 4})
		c.DrawSprite(render.Sprite{Image: 0, W: 8, H: 8})
		c.DrawSprite(render.Sprite{Image: 1, W: 8, H: 8})
	})
	assert.Equal(t, color.RGBA{128, 0, 127, 255}, at(c, 4, 2))
	assert.Equal(t, color.RGBA{128, 0, 0, 255}, at(c, 4, 6))
}

// Small sprites show the mean of their image, not some pixels of it.
func TestSmallSpritesDoNotFlicker(t *testing.T) {
	c := canvas(t, render.Look{Images: []*image.RGBA{plainChecks(64, 1)}, Sky: night}, 20, 20, 1)
	for x := range 8 {
		frame(t, c, func() { c.DrawSprite(render.Sprite{X: float32(x), Y: 3, W: 8, H: 8}) })
		assert.InDelta(t, 128, int(at(c, x+4, 7).R), 3)
	}
}

func plainChecks(size, each int) *image.RGBA {
	m := plain(black, size, size)
	for y := range size {
		for x := range size {
			if x/each%2 == y/each%2 {
				m.SetRGBA(x, y, white)
			}
		}
	}
	return m
}

func TestTheMarginOfAPlane(t *testing.T) {
	for _, size := range []image.Point{{100, 40}, {40, 100}, {40, 40}, {41, 33}} {
		look := render.Look{
			W: 10, H: 10, Images: []*image.RGBA{plain(red, 1, 1)}, Margin: white,
		}
		c := canvas(t, look, size.X, size.Y, 2)
		frame(t, c, func() { c.DrawSprite(render.Sprite{X: -50, Y: -50, W: 100, H: 100}) })
		side := min(size.X, size.Y)
		for y := range size.Y {
			for x := range size.X {
				within := max(2*x+1-size.X, size.X-2*x-1, 2*y+1-size.Y, size.Y-2*y-1) < side
				want := map[bool]color.RGBA{true: red, false: white}[within]
				require.Equal(t, want, at(c, x, y), "%d, %d of %v", x, y, size)
			}
		}
	}
}

// An outline reaches beyond the letters, and leaves them as they are.
func TestOutlines(t *testing.T) {
	c := canvas(t, render.Look{Sky: night}, 300, 80, 2)
	text := render.Text{Text: "Hi", X: 20, Y: 60, Size: 50, Colour: white}
	frame(t, c, func() { c.DrawText(text) })
	letters := ink(c)
	text.Outline = red
	frame(t, c, func() { c.DrawText(text) })
	all := ink(c)
	reach := int(50*.09 + .5)
	assert.Equal(t, letters.Inset(-reach).Min, all.Min)
	middle := letters.Min.Add(image.Pt(3, letters.Dy()/2))
	assert.Equal(t, white, at(c, middle.X, middle.Y))
	assert.Equal(t, red, at(c, letters.Min.X-2, middle.Y))
	assert.Equal(t, black, at(c, letters.Min.X-reach-2, middle.Y))
}

// Sprites side by side leave no seam, wherever they are.
func TestNoSeams(t *testing.T) {
	look := render.Look{W: 37, H: 23, Images: []*image.RGBA{plain(red, 3, 3)}, Sky: night}
	c := canvas(t, look, 101, 63, 1)
	for i := range 20 {
		frame(t, c, func() {
			for k := range 20 {
				c.DrawSprite(render.Sprite{X: float32(k*4) - float32(i)*.37, Y: 0, W: 4, H: 23})
			}
		})
		for x := 1; x < 100; x++ {
			require.Equal(t, red, at(c, x, 30), "x %d, frame %d", x, i)
		}
	}
}

func ink(c *soft.Canvas) (area image.Rectangle) {
	b := c.Image().Rect
	for y := range b.Max.Y {
		for x := range b.Max.X {
			if at(c, x, y).R > 100 {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return area
}

func TestTexts(t *testing.T) {
	c := canvas(t, render.Look{Sky: night}, 300, 80, 2)
	put := func(text render.Text) image.Rectangle {
		text.X, text.Y, text.Colour = 10, 60, white
		frame(t, c, func() { c.DrawText(text) })
		return ink(c)
	}
	letter := put(render.Text{Text: "H", Size: 40})
	assert.InDelta(t, 28+4, letter.Dy(), 2, "capitals are .7 of the size, and a stroke")
	assert.InDelta(t, 60, letter.Max.Y, 3, "it stands on the line")
	assert.InDelta(t, 14, letter.Min.X, 3)
	wide := put(render.Text{Text: "HHHHHH", Size: 40})
	squeezed := put(render.Text{Text: "HHHHHH", Size: 40, MaxWidth: 60})
	assert.Greater(t, wide.Dx(), 150)
	assert.InDelta(t, 57, squeezed.Dx(), 6)
	assert.Equal(t, wide.Dy(), squeezed.Dy())
	assert.Equal(t, wide, put(render.Text{Text: "HHHHHH", Size: 40, MaxWidth: 1000}))
	assert.True(t, put(render.Text{Text: "   ", Size: 40}).Empty())
	assert.False(t, put(render.Text{Text: "【ECS实现】得分:12", Size: 18}).Empty())
}

var update = flag.Bool("update", false, "write the golden pictures anew")

// Pictures may differ a little between processors, which may fuse multiplications and additions.
const (
	meanTolerance = .25  // mean difference of colour values
	farTolerance  = .004 // share of colour values that may differ by more than 16
)

var goldens = map[string]struct {
	look   render.Look
	w, h   int
	frames int
	draw   func(c *soft.Canvas)
}{
	"few dots": {
		render.Look{},
		160, 90, 1,
		func(c *soft.Canvas) { c.DrawInstances("instance", galaxy(60)) },
	},
	"many dots": {
		render.Look{},
		160, 90, 3,
		func(c *soft.Canvas) { c.DrawInstances("instance", galaxy(20_000)) },
	},
	"heroes": {
		render.Look{},
		160, 90, 1,
		func(c *soft.Canvas) {
			c.DrawInstances("instance", galaxy(3000))
			for i := range 9 {
				c.DrawOne(uint32(i), galaxy(9)[i*12:])
			}
		},
	},
	"cubes": {
		render.Look{
			Other: render.Style{
				Shape: render.Cube, Size: .7,
				Colour: render.RGB(0xff9d5c), Rim: render.RGB(0x5c7cff),
			},
			Camera: &render.Orbit{Pitch: .5, Yaw: .4, Fit: true},
		},
		160, 90, 1,
		func(c *soft.Canvas) { c.DrawInstances("instance", waves(12)) },
	},
	"lines": {
		render.Look{Camera: &render.Orbit{Pitch: .4, Yaw: .7, Radius: 1.5, Height: 1}},
		160, 90, 1,
		func(c *soft.Canvas) { c.DrawLines(box()) },
	},
	"flat": {
		render.Look{
			W: 80, H: 45, Images: []*image.RGBA{checks(24, 20, 4)}, Camera: render.Flat{W: 80, H: 45},
		},
		160, 90, 1,
		func(c *soft.Canvas) {
			c.DrawInstances("instance", positions(10, 10, 0, 20, 10, 0, 10, 20, 0))
			c.DrawSprite(render.Sprite{X: 30, Y: 12, W: 24, H: 20, Angle: .4})
			c.DrawSprite(render.Sprite{X: 60, Y: 20, W: 12, H: 10})
			c.DrawText(render.Text{Text: "【ECS实现】得分:12", X: 4, Y: 42, Size: 8, Colour: white})
		},
	},
	"everything": {everythingLook(), 160, 90, 2, nil},
}

// box is the twelve edges of a cube.
func box() (b []byte) {
	for axis := range 3 {
		for corner := range 4 {
			from := [3]float64{-1, -1, -1}
			from[(axis+1)%3], from[(axis+2)%3] = float64(corner&1*2-1), float64(corner&2-1)
			to := from
			to[axis] = 1
			b = append(b, positions(append(from[:], to[:]...)...)...)
		}
	}
	return b
}

func TestGoldenPictures(t *testing.T) {
	for name, test := range goldens {
		t.Run(name, func(t *testing.T) {
			c := canvas(t, test.look, test.w, test.h, 2)
			for range test.frames {
				if test.draw == nil {
					everything(t, c, .5)
					continue
				}
				frame(t, c, func() { test.draw(c) })
			}
			path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".png")
			if *update {
				write(t, path, c.Image())
			}
			compare(t, read(t, path), c.Image())
		})
	}
}

func write(t *testing.T, path string, m image.Image) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, m))
}

func read(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	m, err := png.Decode(f)
	require.NoError(t, err)
	return m.(*image.RGBA)
}

func compare(t *testing.T, want, got *image.RGBA) {
	t.Helper()
	require.Equal(t, want.Rect, got.Rect)
	sum, far := 0, 0
	for i, v := range want.Pix {
		d := max(int(v)-int(got.Pix[i]), int(got.Pix[i])-int(v))
		sum += d
		if d > 16 {
			far++
		}
	}
	n := float64(len(want.Pix))
	assert.LessOrEqual(t, float64(sum)/n, meanTolerance)
	assert.LessOrEqual(t, float64(far)/n, farTolerance)
}
