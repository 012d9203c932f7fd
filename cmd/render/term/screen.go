package term

import (
	"image"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A cell is a character of the terminal.
type cell struct {
	sign  rune // 0: the right half of a wide sign
	upper rgb  // colour of the sign
	lower rgb  // colour behind it
}

type rgb [3]uint8

const (
	halfBlock = '▀'
	ramp      = " .:-=+*#%@" // from dark to bright
	near      = 3            // smaller differences in colour are not sent
)

// A screen is the current and the wanted content of a terminal.
type screen struct {
	depth       Depth
	cols, rows  int
	want, shown []cell
	stale       bool // the terminal shows other content
	out         []byte
	upper       rgb // current colours of the terminal
	lower       rgb
	unset       bool   // no colours are set
	footer      string // lines of the last rows; empty: the picture takes these rows
	part        Part   // filled by the picture
}

const fewRows = 6 // windows with fewer rows have no footer, below twice as many only the last line

// footers returns the footer's lines for which the window has rows.
func (s *screen) footers() []string {
	if s.footer == "" || s.rows < fewRows {
		return nil
	}
	lines := strings.Split(s.footer, "\n")
	if s.rows < 2*fewRows {
		return lines[len(lines)-1:]
	}
	return lines
}

// high returns the number of rows of the picture.
func (s *screen) high() int { return s.rows - len(s.footers()) }

// wide returns the number of columns of the picture.
func (s *screen) wide() int {
	if s.part == Whole {
		return s.cols
	}
	return max((s.cols-1)/2, 1)
}

// writeFooter writes as many parts of each line of the footer as fit.
func (s *screen) writeFooter() {
	for i, text := range s.footers() {
		s.writeLine(s.want[(s.high()+i)*s.cols:][:s.cols], text)
	}
}

func (s *screen) writeLine(line []cell, text string) {
	for i := range line {
		line[i] = cell{' ', footerInk, footerPaper}
	}
	col := 1
	for i, part := range strings.Split(text, footerGap) {
		if i > 0 {
			part = footerGap + part
		}
		if col+textWidth(part) >= s.cols {
			return
		}
		for _, r := range part {
			line[col].sign = r
			col += width(r)
		}
	}
}

const footerGap = " · "

var footerInk, footerPaper = rgb{0xb4, 0xbe, 0xd8}, rgb{0x12, 0x19, 0x2e}

func (s *screen) resize(cols, rows int) {
	s.cols, s.rows = cols, rows
	s.want, s.shown = make([]cell, cols*rows), make([]cell, cols*rows)
	s.stale = true
}

// picture sets cells from column at on to a picture that is 2 · high() pixels high, and clears the
// gap to an equally wide picture at column 0.
func (s *screen) picture(m *image.RGBA, at int) {
	for row := range s.high() {
		a, b := m.Pix[2*row*m.Stride:], m.Pix[(2*row+1)*m.Stride:]
		for col := range m.Rect.Dx() {
			upper, lower := rgb(a[col*4:col*4+3]), rgb(b[col*4:col*4+3])
			s.want[row*s.cols+at+col] = s.cellOf(upper, lower)
		}
		for col := m.Rect.Dx(); col < at; col++ {
			s.want[row*s.cols+col] = cell{' ', footerInk, footerPaper}
		}
	}
}

func (s *screen) cellOf(upper, lower rgb) cell {
	if s.depth >= Plain {
		light := max(brightness(upper), brightness(lower))
		return cell{sign: rune(ramp[light*len(ramp)/256])}
	}
	return cell{halfBlock, upper, lower}
}

func brightness(c rgb) int { return (int(c[0])*54 + int(c[1])*183 + int(c[2])*19) >> 8 }

// write writes a text over the picture from col on, in a readable colour.
func (s *screen) write(text string, col, row int, colour rgb) {
	if row < 0 || row >= s.rows {
		return
	}
	line := s.want[row*s.cols:][:s.cols]
	inside := func(col int) int { return max(min(col, s.cols), 0) }
	colour = readable(colour, line[inside(col):inside(col+textWidth(text))])
	for _, r := range text {
		wide := width(r)
		if col >= 0 && col+wide <= s.cols {
			line[col] = s.letter(r, colour, line[col])
			if wide == 2 {
				line[col+1] = cell{0, line[col].upper, line[col].lower}
			}
		}
		col += wide
	}
}

// readable returns a colour, or black or white if the colour would be hard to read.
func readable(colour rgb, under []cell) rgb {
	light := 0
	for i := range under {
		light += brightness(under[i].upper) + brightness(under[i].lower)
	}
	light /= max(2*len(under), 1)
	const enough = 70 // difference in brightness
	if own := brightness(colour); max(light-own, own-light) >= enough {
		return colour
	}
	if light > 128 {
		return rgb{}
	}
	return rgb{255, 255, 255}
}

// letter returns a sign on the mean colour of a cell, shifted away from the sign's brightness.
func (s *screen) letter(r rune, colour rgb, under cell) cell {
	if s.depth >= Plain {
		return cell{sign: r}
	}
	away := 255
	if brightness(colour) > 128 {
		away = 0
	}
	var behind rgb
	for i := range behind {
		mean := (int(under.upper[i]) + int(under.lower[i])) / 2
		behind[i] = uint8((mean*2 + away) / 3)
	}
	return cell{r, colour, behind}
}

// width returns the number of cells of a rune: two for East Asian runes.
func width(r rune) int {
	if r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xff60 {
		return 2
	}
	return 1
}

// textWidth returns the number of cells of a text.
func textWidth(text string) int {
	cells := 0
	for _, r := range text {
		cells += width(r)
	}
	return cells
}

// update returns the bytes that update the terminal to the wanted content.
func (s *screen) update() []byte {
	s.out = append(s.out[:0], "\x1b[?2026h"...) // synchronized output, if the terminal supports it
	header := len(s.out)
	if s.stale {
		s.out = append(s.out, "\x1b[0m\x1b[2J"...)
	}
	s.unset = true
	for row := range s.rows {
		s.updateRow(row)
	}
	s.stale = false
	if len(s.out) == header {
		return nil
	}
	s.out = append(s.out, "\x1b[0m\x1b[?2026l"...)
	return s.out
}

func (s *screen) updateRow(row int) {
	want, shown := s.want[row*s.cols:][:s.cols], s.shown[row*s.cols:][:s.cols]
	at := -1 // column of the cursor
	for col := range s.cols {
		w := &want[col]
		if w.sign == 0 || !s.stale && same(w, &shown[col]) && s.sameRight(want, shown, col) {
			continue
		}
		if at != col {
			s.out = append(s.out, "\x1b["...)
			s.out = strconv.AppendInt(s.out, int64(row+1), 10)
			s.out = append(s.out, ';')
			s.out = strconv.AppendInt(s.out, int64(col+1), 10)
			s.out = append(s.out, 'H')
		}
		s.put(w, col, row)
		shown[col] = *w
		at = col + width(w.sign)
		if at == col+2 {
			shown[col+1] = want[col+1]
		}
	}
}

// sameRight reports whether the right half of a wide sign is shown if wanted, and not left over
// from an earlier wide sign otherwise.
func (s *screen) sameRight(want, shown []cell, col int) bool {
	return col+1 >= len(want) || (want[col+1].sign == 0) == (shown[col+1].sign == 0)
}

// same reports whether two cells look equal or nearly equal.
func same(a, b *cell) bool {
	return a.sign == b.sign && alike(a.upper, b.upper) && alike(a.lower, b.lower)
}

func alike(a, b rgb) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d >= near || d <= -near {
			return false
		}
	}
	return true
}

// put writes a cell at the cursor, whose position is col, row.
func (s *screen) put(c *cell, col, row int) {
	upper, lower := c.upper, c.lower
	if s.depth == Colours256 && c.sign == halfBlock {
		upper, lower = dithered(upper, col, 2*row), dithered(lower, col, 2*row+1)
	}
	if s.depth < Plain {
		if s.unset || s.upper != upper {
			s.colour("\x1b[38;", upper)
		}
		if s.unset || s.lower != lower {
			s.colour("\x1b[48;", lower)
		}
		s.upper, s.lower, s.unset = upper, lower, false
	}
	s.out = utf8.AppendRune(s.out, c.sign)
}

func (s *screen) colour(command string, c rgb) {
	s.out = append(s.out, command...)
	number := func(before string, x int) {
		s.out = strconv.AppendInt(append(s.out, before...), int64(x), 10)
	}
	if s.depth == Colours256 {
		number("5;", Index256(c))
	} else {
		number("2;", int(c[0]))
		number(";", int(c[1]))
		number(";", int(c[2]))
	}
	s.out = append(s.out, 'm')
}

// Index256 returns the nearest of a terminal's 6 × 6 × 6 colours and 24 greys to a colour: red,
// green, blue.
func Index256(c [3]uint8) int {
	index, off := 16, 0
	for i, weight := range [3]int{36, 6, 1} {
		v := int(c[i])
		step := max((v-35)/40, 0) // levels 0, 95, 135, 175, 215, 255
		if v >= 48 && step == 0 {
			step = 1
		}
		level := 55 + 40*step
		if step == 0 {
			level = 0
		}
		index += weight * step
		off += (v - level) * (v - level)
	}
	mean := (int(c[0]) + int(c[1]) + int(c[2])) / 3
	grey := max(min((mean-3)/10, 23), 0)
	level, offGrey := 8+10*grey, 0
	for _, v := range c {
		offGrey += (int(v) - level) * (int(v) - level)
	}
	if offGrey < off {
		return 232 + grey
	}
	return index
}

// bayer is the order in which the pixels of a square switch from one colour to another.
var bayer = [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// dithered returns one of the terminal's two colours around c, depending on the pixel's place, so
// that the mean over a square is c: gradients have no edges.
func dithered(c rgb, x, y int) rgb {
	near := colour256(Index256(c))
	var beyond rgb // at the same distance on the other side of c
	for i := range c {
		beyond[i] = uint8(min(max(2*int(c[i])-int(near[i]), 0), 255))
	}
	far := colour256(Index256(beyond))
	part, whole := 0, 0 // fraction of the way from near to far
	for i := range c {
		d := int(far[i]) - int(near[i])
		part += (int(c[i]) - int(near[i])) * d
		whole += d * d
	}
	if 16*part > whole*(bayer[y&3][x&3]+1) {
		return far
	}
	return near
}

// colour256 returns the colour of an index, 16 or more.
func colour256(index int) rgb {
	if index >= 232 {
		grey := uint8(8 + 10*(index-232))
		return rgb{grey, grey, grey}
	}
	levels := [6]uint8{0, 95, 135, 175, 215, 255}
	index -= 16
	return rgb{levels[index/36], levels[index/6%6], levels[index%6]}
}

// text returns the cells as lines, without colours.
func (s *screen) text() []byte {
	s.out = s.out[:0]
	for row := range s.rows {
		end := len(s.out)
		for _, c := range s.want[row*s.cols:][:s.cols] {
			if c.sign == 0 {
				continue
			}
			s.out = utf8.AppendRune(s.out, c.sign)
			if c.sign != ' ' {
				end = len(s.out)
			}
		}
		s.out = append(s.out[:end], '\n')
	}
	return s.out
}
