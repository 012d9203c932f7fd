package gif_test

import (
	"encoding/binary"
	"image"
	draws "image/draw"
	stdgif "image/gif"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/gif"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

// ring returns n positions on rings that turn.
func ring(n int, turn float64) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	put := func(x float64) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x))) }
	for range n {
		d := 3 + math.Abs(r.NormFloat64())*3
		a := r.Float64()*2*math.Pi + turn*8/d
		put(d * math.Cos(a))
		put(r.NormFloat64() * .2)
		put(d * math.Sin(a))
	}
	return b
}

func draw(t *testing.T, c render.Canvas, frames, n int) error {
	t.Helper()
	c.Init()
	for i := range frames {
		c.Begin()
		c.DrawInstances("instance", ring(n, float64(i)*.05))
		for k := range 5 {
			c.DrawOne(uint32(k), ring(5, float64(i)*.05)[k*12:])
		}
		if _, err := c.End(); err != nil {
			return err
		}
	}
	return nil
}

func TestFrames(t *testing.T) {
	for name, frames := range map[string]int{"one": 1, "few": 5, "many": 20} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.gif")
			c := gif.New(soft.New(render.Look{}, soft.Options{Width: 64, Height: 48}),
				gif.Options{Path: path, Delay: 3})
			require.NoError(t, draw(t, c, frames, 500))
			require.NoError(t, c.Close())
			require.NoError(t, c.Close(), "again")
			all := decoded(t, path)
			assert.Len(t, all.Image, frames)
			assert.Equal(t, 64, all.Config.Width)
			assert.Equal(t, 48, all.Config.Height)
			assert.Equal(t, 3, all.Delay[0])
		})
	}
}

// blank is a canvas of one colour that is cheap to draw.
func blank(w, h int) *soft.Canvas {
	return soft.New(render.Look{}, soft.Options{Width: w, Height: h})
}

func TestWhatStandsStillIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gif")
	c := gif.New(blank(64, 48), gif.Options{Path: path})
	for i := range 20 {
		c.Begin()
		if i == 15 {
			c.DrawText(render.Text{Text: "-", X: 20, Y: 30, Size: 20, Colour: render.RGB(0xffffff)})
		}
		_, err := c.End()
		require.NoError(t, err)
	}
	require.NoError(t, c.Close())
	all := decoded(t, path)
	require.Len(t, all.Image, 20)
	for i, m := range all.Image {
		switch i {
		case 0:
			assert.Equal(t, image.Pt(64, 48), m.Rect.Size())
		case 15, 16:
			assert.Greater(t, m.Rect.Dx(), 4)
			assert.Less(t, m.Rect.Dx(), 20)
		default:
			assert.Equal(t, image.Rect(0, 0, 1, 1), m.Rect, i)
		}
	}
}

func TestColoursStayNear(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gif")
	c := gif.New(blank(160, 120), gif.Options{Path: path})
	require.NoError(t, draw(t, c, 20, 300))
	last := append([]uint8(nil), c.Image().Pix...)
	require.NoError(t, c.Close())
	all := decoded(t, path)
	shown := image.NewRGBA(image.Rect(0, 0, 160, 120))
	for _, m := range all.Image {
		draws.Draw(shown, m.Rect, m, m.Rect.Min, draws.Over)
	}
	off := 0
	for i, v := range last {
		off += max(int(v)-int(shown.Pix[i]), int(shown.Pix[i])-int(v))
	}
	assert.Less(t, float64(off)/float64(len(last)), 4., "mean difference per colour value")
}

func decoded(t *testing.T, path string) *stdgif.GIF {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	all, err := stdgif.DecodeAll(f)
	require.NoError(t, err)
	return all
}

// filmed returns every picture that a film of the rings shows, and the pixels that were drawn.
func filmed(t *testing.T, o gif.Options) (shown, drawn [][]uint8) {
	t.Helper()
	o.Path = filepath.Join(t.TempDir(), "a.gif")
	c := gif.New(blank(64, 48), o)
	for i := range 60 {
		c.Begin()
		c.DrawInstances("instance", ring(40, float64(max(0, i-i%3))*.05)) // rests two frames of three
		_, err := c.End()
		require.NoError(t, err)
		drawn = append(drawn, slices.Clone(c.Image().Pix))
	}
	require.NoError(t, c.Close())
	all := decoded(t, o.Path)
	picture := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for _, m := range all.Image {
		draws.Draw(picture, m.Rect, m, m.Rect.Min, draws.Over)
		shown = append(shown, slices.Clone(picture.Pix))
	}
	return shown, drawn
}

// far returns how far two colours are from each other, where they differ most.
func far(a, b []uint8) (d int) {
	for i := range 3 {
		d = max(d, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}

// The film without loss is the model: one with much loss shows the same where nothing moved since
// the frame before, and everywhere each 20th frame.
func TestNothingStaysOfEarlierFrames(t *testing.T) {
	for _, flat := range []bool{false, true} {
		want, drawn := filmed(t, gif.Options{Flat: flat})
		got, _ := filmed(t, gif.Options{Flat: flat, Loss: 60})
		const near = 12 // shades that look alike share a colour, that of the first one
		lost := 0
		for i := range want {
			for p := 0; p < len(want[i]); p += 4 {
				rests := i == 0 || slices.Equal(drawn[i][p:p+4], drawn[i-1][p:p+4])
				if far(want[i][p:], got[i][p:]) > near {
					require.False(t, rests || i%20 == 0, "frame %d, pixel %d", i, p/4)
					lost++
				}
			}
		}
		assert.Positive(t, lost)
	}
}

// Flat colours have no pattern: what is drawn in one colour is one colour.
func TestFlatColoursAreNotDithered(t *testing.T) {
	for _, flat := range []bool{false, true} {
		shown, drawn := filmed(t, gif.Options{Flat: flat, Colours: 8})
		several, given := 0, map[[4]uint8][4]uint8{}
		for p := 0; p < len(drawn[0]); p += 4 {
			c, s := [4]uint8(drawn[0][p:]), [4]uint8(shown[0][p:])
			if before, known := given[c]; known && before != s {
				several++
			}
			given[c] = s
		}
		assert.Equal(t, flat, several == 0)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ path, want string }{
		"no such directory": {filepath.Join(dir, "no", "a.gif"), "no such file or directory"},
		"a directory":       {dir, "is a folder; name a file"},
		"a full disk":       {"/dev/full", "no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			c := gif.New(blank(64, 48), gif.Options{Path: test.path})
			_ = draw(t, c, 14, 500)
			err := c.Close()
			require.ErrorContains(t, err, "gif: "+test.path+" could not be written: ")
			require.ErrorContains(t, err, test.want)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, entries)
		})
	}
}

func TestSizeMustStay(t *testing.T) {
	dir := t.TempDir()
	c := gif.New(blank(64, 48), gif.Options{Path: filepath.Join(dir, "a.gif")})
	require.NoError(t, draw(t, c, 1, 1))
	c.Resize(32, 32)
	require.ErrorContains(t, draw(t, c, 1, 1), "keep their size")
	require.Error(t, c.Close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

func TestNoFrameNoFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, gif.New(blank(8, 8), gif.Options{Path: filepath.Join(dir, "a.gif")}).Close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}
