package soft_test

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

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
