package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// Size of a chart, of which the legend takes a part at the right.
const (
	chartWidth  = 7.2 * vg.Inch
	chartHeight = 4 * vg.Inch
	legendWidth = 1.5 * vg.Inch
)

var (
	ink   = color.RGBA{0x33, 0x3b, 0x47, 0xff}
	faint = color.RGBA{0xdd, 0xe2, 0xe8, 0xff}

	// A color and a shape for each library; dashes tell its ways apart. The colors are those of
	// Okabe and Ito, https://jfly.uni-koeln.de/color/, which people tell apart who see no red, no
	// green or no blue.
	colors = map[string]color.RGBA{
		"flatecs": {0x00, 0x72, 0xb2, 0xff},
		"ark":     {0xd5, 0x5e, 0x00, 0xff},
		"donburi": {0xcc, 0x79, 0xa7, 0xff},
		"volt":    {0x00, 0x9e, 0x73, 0xff},
		"uot":     {0xe6, 0x9f, 0x00, 0xff},
		"slices":  {0x56, 0xb4, 0xe9, 0xff},
		"c":       {0x00, 0x00, 0x00, 0xff},
	}
	shapes = map[string]draw.GlyphDrawer{
		"flatecs": draw.CircleGlyph{},
		"ark":     draw.PyramidGlyph{},
		"donburi": draw.BoxGlyph{},
		"volt":    draw.CrossGlyph{},
		"uot":     draw.RingGlyph{},
		"slices":  draw.SquareGlyph{},
		"c":       draw.TriangleGlyph{},
	}
	dashes = [][]vg.Length{
		nil,
		{vg.Points(6), vg.Points(3)},
		{vg.Points(2), vg.Points(2)},
		{vg.Points(8), vg.Points(3), vg.Points(2), vg.Points(3)},
		{vg.Points(1), vg.Points(3)},
	}
)

// charts writes one for each definition that has several sizes.
func (r *report) charts(dir string, plays []play) error {
	for _, p := range plays {
		if !r.hasChart(p) {
			continue
		}
		chart, err := r.chart(p)
		if err != nil {
			return err
		}
		if err := saveChart(filepath.Join(dir, p.Name+".svg"), chart); err != nil {
			return err
		}
	}
	return nil
}

func (r *report) hasChart(p play) bool { return len(r.sizes(p)) > 2 && p.Unit == suite.Nanoseconds }

// chart draws the time per object over the number of objects, both on logarithmic axes.
func (r *report) chart(p play) (*plot.Plot, error) {
	chart := plot.New()
	plain(chart)
	chart.Title.Text = p.Title + "\nlower is better; both scales are logarithmic"
	chart.X.Label.Text, chart.Y.Label.Text = "objects", "ns per "+p.Per
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	chart.Add(grid)
	ways := map[string]int{} // of each library, so far
	for _, name := range p.who {
		var points plotter.XYs
		for _, n := range r.sizes(p) {
			if y := turns.Median(r.rounds(p.Name, n, name)); y > 0 {
				points = append(points, plotter.XY{X: float64(n), Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		c, _ := contenderNamed(name)
		line.Color, dots.Color = colors[c.Peer], colors[c.Peer]
		line.Width, line.Dashes = vg.Points(1.6), dashes[ways[c.Peer]%len(dashes)]
		dots.Shape, dots.Radius = shapes[c.Peer], vg.Points(3)
		ways[c.Peer]++
		chart.Add(line, dots)
		chart.Legend.Add(name, line, dots)
	}
	chart.Y.Min, chart.Y.Max = chart.Y.Min/1.2, chart.Y.Max*1.2
	return chart, nil
}

// plain sets fonts and axes.
func plain(chart *plot.Plot) {
	chart.Title.TextStyle.Font.Variant = "Sans"
	chart.Title.TextStyle.Font.Size = vg.Points(12)
	chart.Title.TextStyle.Color = ink
	chart.Title.Padding = vg.Points(8)
	for _, axis := range []*plot.Axis{&chart.X, &chart.Y} {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, shortTicks{}
		axis.Color, axis.Tick.Color = faint, faint
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = ink, ink
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = "Sans", "Sans"
		axis.Padding = vg.Points(3)
	}
	chart.Legend.TextStyle.Font.Variant = "Sans"
	chart.Legend.TextStyle.Font.Size = vg.Points(9)
	chart.Legend.TextStyle.Color = ink
	chart.Legend.Top, chart.Legend.Left = true, true
	chart.Legend.Padding = vg.Points(3)
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

func saveChart(name string, chart *plot.Plot) error {
	canvas := vgsvg.New(chartWidth, chartHeight)
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
