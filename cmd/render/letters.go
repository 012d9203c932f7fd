package render

import (
	_ "embed"
	"image"
	"math"
	"strconv"
	"strings"
)

// Letters are strokes of a pen. Each line of letters.txt is a letter and its strokes, separated by
// "/". A stroke is a sequence of places: "x,y" ends a straight line, and "x,y~x,y" is the control
// point and the end of a curve. Units: 20 per em; capitals are 14 high, small letters 10; y points
// up from the baseline. East Asian letters fill a square of one em.
//
//go:embed letters.txt
var strokesOfLetters string

const (
	em      = 20  // units
	bearing = 2.1 // room to each side of a letter, units
	blank   = 5.5 // a space's width, units
	digit   = 8.6 // width of a digit, so that numbers keep their width, units
	pen     = .95 // half a stroke's width, units
	finePen = .74 // for square letters
	bends   = 10  // straight lines per curve
	unknown = '□' // drawn for unknown letters
	squares = 0x2e80
)

// A point is a place in units; y up.
type point struct{ x, y float64 }

// A letter is its strokes, its advance, and half its strokes' width, in units.
type letter struct {
	strokes      [][]point
	advance, pen float64
}

var letters = parseLetters(strokesOfLetters)

func parseLetters(lines string) map[rune]letter {
	all := map[rune]letter{' ': {advance: blank}}
	for line := range strings.Lines(lines) {
		name, strokes, _ := strings.Cut(line, " ")
		r := []rune(name)[0]
		if r >= squares {
			all[r] = letter{parseStrokes(strokes, 0), em, finePen}
			continue
		}
		l := letter{parseStrokes(strokes, bearing), 0, pen}
		for _, stroke := range l.strokes {
			for _, p := range stroke {
				l.advance = max(l.advance, p.x+bearing)
			}
		}
		if r >= '0' && r <= '9' {
			l.advance = digit + 2*bearing
		}
		all[r] = l
	}
	return all
}

// parseStrokes parses strokes, and shifts their points to the right.
func parseStrokes(text string, shift float64) [][]point {
	strokes := [][]point{nil}
	for word := range strings.FieldsSeq(text) {
		if word == "/" {
			strokes = append(strokes, nil)
			continue
		}
		last := &strokes[len(strokes)-1]
		control, end, curved := strings.Cut(word, "~")
		if curved {
			*last = curve(*last, parsePoint(control, shift), parsePoint(end, shift))
		} else {
			*last = append(*last, parsePoint(control, shift))
		}
	}
	return strokes
}

func parsePoint(text string, shift float64) point {
	x, y, _ := strings.Cut(text, ",")
	return point{parseUnits(x) + shift, parseUnits(y)}
}

// parseUnits parses a number with up to two decimals. [strconv.ParseFloat] would add 24 kB to the
// program of a page.
func parseUnits(text string) float64 {
	whole, decimals, _ := strings.Cut(text, ".")
	x, err := strconv.Atoi(whole + decimals)
	if err != nil || len(decimals) > 2 {
		panic("render: letters.txt has " + text)
	}
	return float64(x) / [...]float64{1, 10, 100}[len(decimals)]
}

// curve adds a quadratic curve from the last point.
func curve(dst []point, control, to point) []point {
	from := dst[len(dst)-1]
	for i := 1; i < bends; i++ {
		t := float64(i) / bends
		a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
		dst = append(dst, point{
			a*from.x + b*control.x + c*to.x, a*from.y + b*control.y + c*to.y,
		})
	}
	return append(dst, to)
}

func letterOf(r rune) letter {
	if l, ok := letters[r]; ok {
		return l
	}
	return letters[unknown]
}

// advance returns the advance of a letter, in ems.
func advance(r rune) float32 { return float32(letterOf(r).advance / em) }

// TextWidth returns the width of a text, in ems.
func TextWidth(text string) float32 {
	sum := float32(0)
	for _, r := range text {
		sum += advance(r)
	}
	return sum
}

// A Face is the key of a drawn letter. It has few distinct values, so drawn letters can be cached.
type Face struct {
	letter        rune
	size, stretch uint16 // quarters of a pixel; 1/64
	shift         uint8  // quarters of a pixel
	more          uint8  // quarters of a pixel by which strokes are wider on each side
}

const shifts = 4 // positions within a pixel at which letters are drawn

// NewFace returns the face of a letter with size pixels per em, stretched horizontally, whose left
// end is shift pixels to the right; its strokes are more quarters of a pixel wider on each side.
func NewFace(letter rune, size, stretch, shift float32, more uint8) Face {
	return Face{letter, uint16(size * 4), uint16(stretch * 64), uint8(shift * shifts), more}
}

// Draw draws the letter with its baseline at y 0. A letter without ink has an empty picture.
func (f Face) Draw() *image.Alpha {
	return drawLetter(f.letter, float32(f.size)/4, float32(f.stretch)/64,
		(float32(f.shift)+.5)/shifts, float32(f.more)/4)
}

// drawLetter draws a letter with size pixels per em, stretched horizontally, with its left end at
// shift pixels from x 0. Its strokes are more pixels wider on each side than usual.
func drawLetter(r rune, size, stretch, shift, more float32) *image.Alpha {
	l := letterOf(r)
	unit := float64(size) / em
	radius := max(l.pen*unit, .5) + float64(more)
	sx := unit * float64(stretch)
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	strokes := make([][]point, len(l.strokes)) // in pixels
	for i, stroke := range l.strokes {
		for _, p := range stroke {
			p = point{p.x*sx + float64(shift), -p.y * unit}
			strokes[i] = append(strokes[i], p)
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	if len(strokes) == 0 {
		return image.NewAlpha(image.Rectangle{})
	}
	dst := image.NewAlpha(around(low, high, radius+1))
	for _, stroke := range strokes {
		for i := 1; i < len(stroke); i++ {
			ink(dst, stroke[i-1], stroke[i], radius)
		}
	}
	return dst
}

// around returns the pixels within reach of a rectangle.
func around(low, high point, reach float64) image.Rectangle {
	return image.Rect(int(math.Floor(low.x-reach)), int(math.Floor(low.y-reach)),
		int(math.Ceil(high.x+reach)), int(math.Ceil(high.y+reach)))
}

// ink draws a straight line with round ends; darker pixels stay.
func ink(dst *image.Alpha, a, b point, radius float64) {
	area := around(point{min(a.x, b.x), min(a.y, b.y)}, point{max(a.x, b.x), max(a.y, b.y)},
		radius+1).Intersect(dst.Rect)
	dx, dy := b.x-a.x, b.y-a.y
	square := max(dx*dx+dy*dy, 1e-9)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			px, py := float64(x)+.5-a.x, float64(y)+.5-a.y
			t := max(min((px*dx+py*dy)/square, 1), 0)
			far := math.Hypot(px-t*dx, py-t*dy)
			dark := uint8(255*max(min(radius+.5-far, 1), 0) + .5)
			if at := dst.PixOffset(x, y); dark > dst.Pix[at] {
				dst.Pix[at] = dark
			}
		}
	}
}
