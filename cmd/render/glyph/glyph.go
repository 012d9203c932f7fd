package glyph

import (
	"image"
	"math"
	"strconv"
	"strings"
)

const (
	em      = 20  // units
	bearing = 2.1 // room to each side of a letter, units
	blank   = 5.5 // a space's width, units
	digit   = 8.6 // a digit's ink, so that numbers keep their width, units
	pen     = .95 // half a stroke's width, units
	finePen = .74 // of squares
	bends   = 10  // straight lines per curve
	unknown = "M0 0L0 14L9 14L9 0L0 0"
)

// A point is a place in units; y up.
type point struct{ x, y float64 }

// A letter is its strokes, how far the next letter is, and half its strokes' width, in units.
type letter struct {
	strokes      [][]point
	advance, pen float64
}

var (
	table   = makeTable()
	missing = newLetter(unknown)
)

func makeTable() map[rune]letter {
	all := map[rune]letter{' ': {advance: blank}}
	for r, strokes := range letters {
		l := newLetter(strokes)
		if r >= '0' && r <= '9' {
			l.advance = digit + 2*bearing
		}
		all[r] = l
	}
	for r, strokes := range signs {
		all[r] = newLetter(strokes)
	}
	for r, strokes := range squares {
		all[r] = letter{parse(strokes, 0), em, finePen}
	}
	return all
}

// newLetter returns a letter as wide as its ink.
func newLetter(strokes string) letter {
	l := letter{parse(strokes, bearing), 0, pen}
	for _, stroke := range l.strokes {
		for _, p := range stroke {
			l.advance = max(l.advance, p.x+bearing)
		}
	}
	return l
}

// parse turns the text of strokes into points, shifted to the right.
func parse(text string, shift float64) (strokes [][]point) {
	var at point
	for text != "" {
		command, rest := text[0], text[1:]
		end := strings.IndexAny(rest, "MLQ")
		if end < 0 {
			end = len(rest)
		}
		var v [4]float64
		if n := numbers(&v, rest[:end]); n != 2 && command != 'Q' || n != 4 && command == 'Q' {
			panic("glyph: bad strokes " + text)
		}
		next := point{v[0] + shift, v[1]}
		switch command {
		case 'M':
			strokes = append(strokes, nil)
		case 'Q':
			control := next
			next = point{v[2] + shift, v[3]}
			strokes[len(strokes)-1] = bend(strokes[len(strokes)-1], at, control, next)
		}
		strokes[len(strokes)-1] = append(strokes[len(strokes)-1], next)
		at, text = next, rest[end:]
	}
	return strokes
}

// numbers reads numbers of up to two decimals between spaces and returns how many there were; -1 if
// any is none. [strconv.ParseFloat] would add 24 kB to a page's program.
func numbers(dst *[4]float64, text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		whole, decimals, _ := strings.Cut(word, ".")
		x, err := strconv.Atoi(whole + decimals)
		if err != nil || n == len(dst) || len(decimals) > 2 {
			return -1
		}
		dst[n] = float64(x) / [...]float64{1, 10, 100}[len(decimals)]
		n++
	}
	return n
}

// bend adds the points between the ends of a quadratic curve.
func bend(dst []point, from, control, to point) []point {
	for i := 1; i < bends; i++ {
		t := float64(i) / bends
		a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
		dst = append(dst, point{
			a*from.x + b*control.x + c*to.x, a*from.y + b*control.y + c*to.y,
		})
	}
	return dst
}

func letterOf(r rune) letter {
	if l, ok := table[r]; ok {
		return l
	}
	return missing
}

// Advance returns how far the next letter is, in ems.
func Advance(r rune) float32 { return float32(letterOf(r).advance / em) }

// Width returns how wide a text is, in ems.
func Width(text string) float32 {
	sum := float32(0)
	for _, r := range text {
		sum += Advance(r)
	}
	return sum
}

// A Face is what a drawn letter depends on. There are few of them, so that they can be kept.
type Face struct {
	letter        rune
	size, stretch uint16 // quarters of a pixel; 1/64
	shift         uint8  // quarters of a pixel
	more          uint8  // quarters of a pixel, that strokes are wider to each side
}

const shifts = 4 // places within a pixel that letters are drawn at

// NewFace returns that of a letter size pixels to the em, stretched sideways, whose left end is
// shift of a pixel to the right; its strokes are more quarters of a pixel wider to each side.
func NewFace(letter rune, size, stretch, shift float32, more uint8) Face {
	return Face{letter, uint16(size * 4), uint16(stretch * 64), uint8(shift * shifts), more}
}

// Draw draws the letter.
func (f Face) Draw() *image.Alpha {
	return Draw(f.letter, float32(f.size)/4, float32(f.stretch)/64,
		(float32(f.shift)+.5)/shifts, float32(f.more)/4)
}

// Draw returns a letter size pixels to the em, stretched sideways, with its left end shift pixels
// to the right of x 0, on a line whose y is 0. Its strokes reach so many pixels more to each side
// than they usually do. A letter without ink has an empty picture.
func Draw(r rune, size, stretch, shift, more float32) *image.Alpha {
	l := letterOf(r)
	unit := float64(size) / em
	radius := max(l.pen*unit, .5) + float64(more)
	sx := unit * float64(stretch)
	var low, high point
	first := true
	for _, stroke := range l.strokes {
		for _, p := range stroke {
			x, y := p.x*sx+float64(shift), -p.y*unit
			if first {
				low, high, first = point{x, y}, point{x, y}, false
			}
			low = point{min(low.x, x), min(low.y, y)}
			high = point{max(high.x, x), max(high.y, y)}
		}
	}
	if first {
		return image.NewAlpha(image.Rectangle{})
	}
	pad := radius + 1
	dst := image.NewAlpha(image.Rect(int(math.Floor(low.x-pad)), int(math.Floor(low.y-pad)),
		int(math.Ceil(high.x+pad)), int(math.Ceil(high.y+pad))))
	for _, stroke := range l.strokes {
		for i := 1; i < len(stroke); i++ {
			a, b := stroke[i-1], stroke[i]
			ink(dst, point{a.x*sx + float64(shift), -a.y * unit},
				point{b.x*sx + float64(shift), -b.y * unit}, radius)
		}
	}
	return dst
}

// ink draws a straight line with round ends; what is darker already stays.
func ink(dst *image.Alpha, a, b point, radius float64) {
	reach := radius + 1
	area := image.Rect(
		int(math.Floor(min(a.x, b.x)-reach)), int(math.Floor(min(a.y, b.y)-reach)),
		int(math.Ceil(max(a.x, b.x)+reach)), int(math.Ceil(max(a.y, b.y)+reach)),
	).Intersect(dst.Rect)
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
