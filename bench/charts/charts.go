// Package charts is how the charts of measuring commands look.
//
// A chart: [New], [Save]. Libraries are told apart by [Styles].
package charts

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a chart, of which the legend takes a part at the right.
const (
	width       = 7.2 * vg.Inch
	height      = 4 * vg.Inch
	legendWidth = 1.5 * vg.Inch
)

// Colors of text and of lines of the grid.
var (
	Ink   = color.RGBA{0x33, 0x3b, 0x47, 0xff}
	Faint = color.RGBA{0xdd, 0xe2, 0xe8, 0xff}
)

// A Style is how a library looks.
type Style struct {
	Color color.RGBA
	Shape draw.GlyphDrawer
}

// Styles are those of each library. Most colors are those of Okabe and Ito,
// https://jfly.uni-koeln.de/color/, which people tell apart who see no red, no green or no blue.
var Styles = map[string]Style{
	"flatecs": {color.RGBA{0x00, 0x72, 0xb2, 0xff}, draw.CircleGlyph{}},
	"ark":     {color.RGBA{0xd5, 0x5e, 0x00, 0xff}, draw.PyramidGlyph{}},
	"donburi": {color.RGBA{0xcc, 0x79, 0xa7, 0xff}, draw.BoxGlyph{}},
	"volt":    {color.RGBA{0x00, 0x9e, 0x73, 0xff}, draw.CrossGlyph{}},
	"uot":     {color.RGBA{0xe6, 0x9f, 0x00, 0xff}, draw.RingGlyph{}},
	"slices":  {color.RGBA{0x56, 0xb4, 0xe9, 0xff}, draw.SquareGlyph{}},
	"c":       {color.RGBA{0x00, 0x00, 0x00, 0xff}, draw.TriangleGlyph{}},
	"mason":   {color.RGBA{0x66, 0x33, 0x66, 0xff}, draw.PlusGlyph{}},
}

// New returns an empty chart with a title, whose axes are logarithmic.
func New(title string) *plot.Plot {
	chart := plot.New()
	chart.Title.Text = title
	chart.Title.TextStyle.Font.Variant = "Sans"
	chart.Title.TextStyle.Font.Size = vg.Points(12)
	chart.Title.TextStyle.Color = Ink
	chart.Title.Padding = vg.Points(8)
	for _, axis := range []*plot.Axis{&chart.X, &chart.Y} {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, shortTicks{}
		axis.Color, axis.Tick.Color = Faint, Faint
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = Ink, Ink
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = "Sans", "Sans"
		axis.Padding = vg.Points(3)
	}
	chart.Legend.TextStyle.Font.Variant = "Sans"
	chart.Legend.TextStyle.Font.Size = vg.Points(9)
	chart.Legend.TextStyle.Color = Ink
	chart.Legend.Top, chart.Legend.Left = true, true
	chart.Legend.Padding = vg.Points(3)
	return chart
}

// shortTicks marks powers of ten, and says 10k instead of 10000.
type shortTicks struct{}

// Ticks implements plot.Ticker.
func (shortTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		at := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: at, Label: short(at)})
		for m := 2.0; m < 10; m++ {
			ticks = append(ticks, plot.Tick{Value: m * at})
		}
	}
	return ticks
}

func short(x float64) string {
	switch {
	case x >= 1e6:
		return strconv.FormatFloat(x/1e6, 'g', 3, 64) + "M"
	case x >= 1e3:
		return strconv.FormatFloat(x/1e3, 'g', 3, 64) + "k"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Save writes a chart to a file, as SVG, its legend beside it.
func Save(name string, chart *plot.Plot) error {
	canvas := vgsvg.New(width, height)
	paint(chart, draw.New(canvas))
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(file); err != nil {
		_ = file.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return file.Close()
}

// paint draws the legend to the right of the chart, not in it.
func paint(chart *plot.Plot, canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Path())
	canvas = draw.Crop(canvas, vg.Points(6), -vg.Points(6), vg.Points(6), -vg.Points(8))
	split := canvas.Max.X - canvas.Min.X - legendWidth
	chart.Legend.Draw(draw.Crop(canvas, split, 0, 0, -vg.Points(26)))
	chart.Legend = plot.NewLegend()
	chart.Draw(draw.Crop(canvas, 0, -legendWidth-vg.Points(10), 0, 0))
}
