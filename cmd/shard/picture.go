package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world/shard/report"
)

// Size of the maps of shards in cells. A terminal or a page merges or enlarges them.
const (
	mapWidth  = 96
	mapHeight = 32
)

const (
	shades     = 6  // of a shard's colour
	shallowest = 4  // fewest lines of a picture
	blank      = -1 // a cell without objects
)

// A point is a cell of the picture: the number of objects, and the shard of most of them.
type point struct {
	shard int
	count float64 // per cell of the maps
}

// picture returns lines that show the objects, with a colour per shard. Shards that do not run are
// grey. With colours a line shows two rows of cells; without, one row with shard numbers.
func picture(all []report.Report, width, height int, depth terminal.Depth) []string {
	width, height = min(width, mapWidth), min(height, mapHeight/2)
	if width < 1 || height < shallowest {
		return nil
	}
	each := 2
	if depth == terminal.Plain {
		each = 1
	}
	points := pointsOf(all, width, height*each)
	if points == nil {
		return nil
	}
	most := 0.
	for _, p := range points {
		most = max(most, p.count)
	}
	lines := make([]string, height)
	for y := range lines {
		top := (height - 1 - y) * each // rows count upwards
		if each == 1 {
			lines[y] = plainLine(all, points[top*width:][:width])
			continue
		}
		c := colours{all: all, most: most, depth: depth}
		for x := range width {
			c.put(points[(top+1)*width+x], points[top*width+x])
		}
		lines[y] = c.text.String() + noColor
	}
	return lines
}

// pointsOf returns the cells of a picture; nil: no report has a map.
func pointsOf(all []report.Report, width, height int) (points []point) {
	for i := range all {
		m := all[i].Map
		if m == nil || len(m.Counts) != mapWidth*mapHeight {
			continue
		}
		if points == nil {
			points = slices.Repeat([]point{{shard: blank}}, width*height)
		}
		for y := range height {
			for x := range width {
				p := &points[y*width+x]
				if n := mean(m, x, y, width, height); n > p.count {
					*p = point{i, n}
				}
			}
		}
	}
	return points
}

// mean returns the mean of the map's cells that a cell of the picture covers.
func mean(m *report.Map, x, y, width, height int) float64 {
	sum, cells := 0, 0
	for v := y * mapHeight / height; v < (y+1)*mapHeight/height; v++ {
		for u := x * mapWidth / width; u < (x+1)*mapWidth/width; u++ {
			sum += int(m.Counts[v*mapWidth+u])
			cells++
		}
	}
	return float64(sum) / float64(max(cells, 1))
}

func plainLine(all []report.Report, points []point) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	text := make([]byte, len(points))
	for i, p := range points {
		switch {
		case p.shard == blank:
			text[i] = ' '
		case all[p.shard].State == restarts:
			text[i] = '.'
		default:
			text[i] = digits[p.shard%len(digits)]
		}
	}
	return string(text)
}

// A colours writes a line of cells, and emits colours only where they change.
type colours struct {
	all   []report.Report
	most  float64 // largest number of objects in a cell
	depth terminal.Depth
	text  strings.Builder
	last  string
}

func (c *colours) put(upper, lower point) {
	codes := "\x1b[" + c.code(3, upper) + ";" + c.code(4, lower) + "m"
	if codes != c.last {
		c.text.WriteString(codes)
		c.last = codes
	}
	c.text.WriteString("▀")
}

// code returns the parameters for the foreground (3) or background (4) colour of a point.
func (c *colours) code(what int, p point) string {
	if p.shard == blank {
		return fmt.Sprint(what, "9") // the default colour
	}
	shade := math.Ceil(p.count / c.most * shades)
	light := .2 + .4*shade/shades
	rgb := hsl(p.shard, light)
	if c.all[p.shard].State == restarts {
		grey := uint8(light*.6*255 + .5)
		rgb = [3]uint8{grey, grey, grey}
	}
	if c.depth == terminal.TrueColour {
		return fmt.Sprintf("%d8;2;%d;%d;%d", what, rgb[0], rgb[1], rgb[2])
	}
	return fmt.Sprintf("%d8;5;%d", what, terminal.Index256(rgb))
}

// hsl returns a shard's colour, as on the page: neighbours have distant hues.
func hsl(shard int, light float64) [3]uint8 {
	const first, golden, saturation = 200, 137.5, .65
	hue := math.Mod(first+float64(shard)*golden, 360) / 30
	part := func(n float64) uint8 {
		k := math.Mod(n+hue, 12)
		x := light - saturation*min(light, 1-light)*max(-1, min(k-3, 9-k, 1))
		return uint8(x*255 + .5)
	}
	return [3]uint8{part(0), part(8), part(4)}
}
