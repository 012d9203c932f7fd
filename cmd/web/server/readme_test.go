//go:build browser

package server_test

import (
	"flag"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the README's picture of the page anew")

// The README's picture of the page is what the page shows: light and dark are where they are there.
// Letters and figures may be others, as fonts and processors are.
func TestPictureOfTheReadme(t *testing.T) {
	const path = "../../../docs/pictures/browser.png"
	b := visit(t, serving(t, start("heroes"))+"?count=10000&paused", spying, 800, 450)
	value[bool](b, `(flatecs.step(240), true)`)
	b.Until(`!document.getElementById("timeline").hidden`)
	b.frames(20) // the exposure has settled
	got := b.Shot("browser")
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
	far := 0
	for y := 0; y < 450; y += block {
		for x := 0; x < 800; x += block {
			r := image.Rect(x, y, x+block, y+block)
			if d := light(want, r) - light(got, r); d > 16 || d < -16 {
				far++
			}
		}
	}
	assert.LessOrEqual(t, far, 20, "of 576 blocks; if it is meant: "+
		"go test -tags=browser ./cmd/web/server -run Readme -update")
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
