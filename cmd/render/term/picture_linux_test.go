package term_test

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/cmd/scene/heroes"
)

var update = flag.Bool("update", false, "write the README's picture of the terminal anew")

// The picture of the terminal in the README is what cmd/heroes shows there: the same heroes, and the
// same line of keys.
func TestPictureOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 100,000 heroes")
	}
	const cols, rows, steps = 108, 32, 240
	footer := console.Footer(heroes.Scene)
	shown := term.Show(t, cols, rows)
	canvas := term.New(heroes.Scene.Look(), term.Options{
		Out: shown.Program, Depth: term.TrueColour, Footer: footer,
	})
	play, err := heroes.Scene.Open(heroes.Scene.Defaults)
	require.NoError(t, err)
	state := play.First
	defer func() { play.Close(state) }()
	keys := console.New(play.Scene, canvas)
	canvas.Init()
	for range steps {
		state = play.Step(state, 0)
	}
	state, _, err = keys.Draw(state)
	require.NoError(t, err)
	_, last, _ := strings.Cut(footer, "\n")
	shown.Until(t, rows-1, last) // the last row, which is sent last
	got := photograph(shown, cols, rows)
	require.NoError(t, canvas.Close())

	const path = "../../../docs/pictures/terminal.png"
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
	require.Equal(t, want.Bounds(), got.Bounds(), "go test ./cmd/render/term -run Readme -update")
	compare(t, want.(*image.RGBA), got, image.Rect(0, 0, cols*cellW, (rows-2)*cellH), .01)
	compare(t, want.(*image.RGBA), got, image.Rect(0, (rows-2)*cellH, cols*cellW, rows*cellH), .001)
}

// compare allows for processors that fuse products and sums, by the share of values that differ.
func compare(t *testing.T, want, got *image.RGBA, part image.Rectangle, share float64) {
	t.Helper()
	far, all := 0, 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for i := want.PixOffset(part.Min.X, y); i < want.PixOffset(part.Max.X, y); i++ {
			all++
			if d := int(want.Pix[i]) - int(got.Pix[i]); d > 16 || d < -16 {
				far++
			}
		}
	}
	assert.LessOrEqual(t, float64(far), share*float64(all),
		"if it is meant: go test ./cmd/render/term -run Readme -update")
}

const cellW, cellH, letter = 10, 20, 15 // pixels

// photograph draws what a terminal shows, with the letters of canvases.
func photograph(s *term.Shown, cols, rows int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, cols*cellW, rows*cellH))
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	for row := range rows {
		for col := range cols {
			sign, ink, paper := s.At(col, row)
			x, y := col*cellW, row*cellH
			fill(image.Rect(x, y, x+cellW, y+cellH), paper)
			if sign == '▀' {
				fill(image.Rect(x, y, x+cellW, y+cellH/2), ink)
				continue
			}
			if sign == '−' {
				sign = '-' // the only one of them that letters have
			}
			shift := (cellW - letter*render.TextWidth(string(sign))) / 2
			whole := float32(math.Floor(float64(shift)))
			a := render.NewFace(sign, letter, 1, shift-whole, 0).Draw()
			at := a.Rect.Add(image.Pt(x+int(whole), y+cellH-6))
			draw.DrawMask(m, at, image.NewUniform(ink), image.Point{}, a, a.Rect.Min, draw.Over)
		}
	}
	return m
}
