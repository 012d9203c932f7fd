//go:build browser

package server_test

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the pictures of the pages anew")

// The README's picture of the page is what the page shows.
func TestPictureOfTheReadme(t *testing.T) {
	b := visit(t, serving(t, start("heroes"))+"?count=10000&paused", spying, 800, 450)
	value[bool](b, `(flatecs.step(240), true)`)
	b.Until(`!document.getElementById("timeline").hidden`)
	b.frames(20) // the exposure has settled
	if *update { // the figures of a while in which nothing happened
		b.frames(124)
		b.Until(`performance.now() > 8000`)
	}
	isPicture(t, "browser.png", coarse(b.Shot("browser")), image.Rectangle{})
}

// The README's picture of the inspector shows a world that goes on, 60 steps a second. All in it are
// figures and times, so that only its size is compared; the tests of the inspector look at the rest.
func TestPictureOfTheInspector(t *testing.T) {
	w := inspecting(t, "heroes", 5_000, 60)
	b := open(t, w.url, "", 1200, 740)
	if *update {
		defer w.goOn()()
		time.Sleep(15 * time.Second) // 900 steps; the figures are of 600
	} else {
		w.until(b, `document.body.textContent.includes("orbit")`)
	}
	shot := b.Shot("inspector")
	isPicture(t, "inspector.png", shot, shot.Bounds())
}

// goOn plays the world until the function that it returns is called.
func (w *inspected) goOn() (end func()) {
	ending, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		beat := time.NewTicker(time.Second / 60)
		defer beat.Stop()
		for {
			select {
			case <-ending:
				return
			case <-beat.C:
				w.state = w.play.Step(w.state, 0)
				_ = w.inspector.Publish(w.state)
			}
		}
	}()
	return func() { close(ending); <-ended }
}

// isPicture requires that a picture of docs/pictures is one that was taken, or writes it: light and
// dark are where they are there, but for a part that is not looked at. Letters and figures may be
// others, as fonts and processors are.
func isPicture(t *testing.T, name string, got image.Image, but image.Rectangle) {
	t.Helper()
	path := "../../../docs/pictures/" + name
	if *update {
		f, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, got))
		require.NoError(t, f.Close())
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	want, err := png.Decode(f)
	require.NoError(t, err)
	require.Equal(t, want.Bounds(), got.Bounds())
	const block = 25 // pixels
	far, all := 0, 0
	for y := 0; y+block <= got.Bounds().Dy(); y += block {
		for x := 0; x+block <= got.Bounds().Dx(); x += block {
			r := image.Rect(x, y, x+block, y+block)
			if r.Overlaps(but) {
				continue
			}
			all++
			if d := light(want, r) - light(got, r); d > 16 || d < -16 {
				far++
			}
		}
	}
	assert.LessOrEqual(t, far, all/28, "of %d blocks of %s; if it is meant, on an idle machine: "+
		".ci/pictures", all, name)
}

// coarse returns a picture with 32 shades of each colour, which takes half the bytes in a file.
func coarse(m image.Image) image.Image {
	shade := func(v uint32) uint8 { return uint8(min(v>>8+4, 255)) &^ 7 }
	c := image.NewRGBA(m.Bounds())
	for y := c.Rect.Min.Y; y < c.Rect.Max.Y; y++ {
		for x := c.Rect.Min.X; x < c.Rect.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			c.SetRGBA(x, y, color.RGBA{shade(r), shade(g), shade(b), 255})
		}
	}
	return c
}

// light returns the mean of a part of a picture, from 0 to 255.
func light(m image.Image, part image.Rectangle) int {
	sum := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			sum += int(r+g+b) / 3 >> 8
		}
	}
	return sum / (part.Dx() * part.Dy())
}
