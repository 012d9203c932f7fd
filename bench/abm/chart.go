package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/flatecs/flatecs/bench/charts"
	"github.com/flatecs/flatecs/bench/turns"
)

const chartName = "models.svg"

// others are the columns beside that of flatecs.
var others = []struct {
	name, style string
	times       func(r *result) []float64
}{
	{"plain Go", "slices", func(r *result) []float64 { return r.Plain }},
	{"Ark", "ark", func(r *result) []float64 { return r.Ark }},
	{"MASON", "mason", func(r *result) []float64 { return r.Mason }},
}

// draw writes a chart of the medians over those of flatecs: a row for each contest.
func draw(name string, results []result) error {
	chart := charts.New("Time of a run, as a multiple of that of flatecs\n" +
		"a place to the right is slower; the scale is logarithmic")
	chart.X.Label.Text = "× flatecs"
	labels := make([]string, len(results))
	for i, r := range results {
		labels[len(results)-1-i] = r.Name // the first one is at the top
	}
	chart.NominalY(labels...)
	chart.Y.Scale = plot.LinearScale{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = charts.Faint, charts.Faint
	chart.Add(grid)
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -.5}, {X: 1, Y: float64(len(results)) - .5}})
	if err != nil {
		return err
	}
	line.Color, line.Width = charts.Styles["flatecs"].Color, vg.Points(1.6)
	chart.Add(line)
	chart.Legend.Add("flatecs", line)
	for _, o := range others {
		points := multiples(results, o.times)
		if len(points) == 0 {
			continue // it was not measured
		}
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		style := charts.Styles[o.style]
		dots.Color, dots.Shape, dots.Radius = style.Color, style.Shape, vg.Points(4.5)
		chart.Add(dots)
		chart.Legend.Add(o.name, dots)
	}
	chart.X.Min = math.Pow(10, math.Floor(math.Log10(chart.X.Min)))
	chart.X.Max = math.Pow(10, math.Ceil(math.Log10(chart.X.Max)))
	return charts.Save(name, chart)
}

// multiples are medians over those of flatecs, of the contests that were measured.
func multiples(results []result, times func(r *result) []float64) (points plotter.XYs) {
	for i := range results {
		r := &results[i]
		ratio := turns.Median(times(r)) / turns.Median(r.Flatecs)
		if ratio > 0 && !math.IsInf(ratio, 0) {
			points = append(points, plotter.XY{X: ratio, Y: float64(len(results) - 1 - i)})
		}
	}
	return points
}
