package main

import (
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/flatecs/flatecs/bench/charts"
	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// Dashes tell the ways of a library apart.
var dashes = [][]vg.Length{
	nil,
	{vg.Points(6), vg.Points(3)},
	{vg.Points(2), vg.Points(2)},
	{vg.Points(8), vg.Points(3), vg.Points(2), vg.Points(3)},
	{vg.Points(1), vg.Points(3)},
}

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
		if err := charts.Save(filepath.Join(dir, p.Name+".svg"), chart); err != nil {
			return err
		}
	}
	return nil
}

func (r *report) hasChart(p play) bool { return len(r.sizes(p)) > 2 && p.Unit == suite.Nanoseconds }

// chart draws the time per object over the number of objects, both on logarithmic axes.
func (r *report) chart(p play) (*plot.Plot, error) {
	chart := charts.New(p.Title + "\nlower is better; both scales are logarithmic")
	chart.X.Label.Text, chart.Y.Label.Text = "objects", "ns per "+p.Per
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = charts.Faint, charts.Faint
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
		style := charts.Styles[c.Peer]
		line.Color, dots.Color = style.Color, style.Color
		line.Width, line.Dashes = vg.Points(1.6), dashes[ways[c.Peer]%len(dashes)]
		dots.Shape, dots.Radius = style.Shape, vg.Points(3)
		ways[c.Peer]++
		chart.Add(line, dots)
		chart.Legend.Add(name, line, dots)
	}
	chart.Y.Min, chart.Y.Max = chart.Y.Min/1.2, chart.Y.Max*1.2
	return chart, nil
}
