package term

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// An emulator is a terminal that knows what this package sends.
type emulator struct {
	t            *testing.T
	cols, rows   int
	cells        []cell
	col, row     int
	upper, lower rgb
	alternate    bool
	cursor       bool
	rest         string // the beginning of a sequence
	log          string // all that was fed
}

func newEmulator(t *testing.T, cols, rows int) *emulator {
	t.Helper()
	e := &emulator{t: t, cols: cols, rows: rows, cursor: true}
	e.clear()
	return e
}

func (e *emulator) clear() {
	e.cells = make([]cell, e.cols*e.rows)
	for i := range e.cells {
		e.cells[i].sign = ' '
	}
}

// feed interprets output.
func (e *emulator) feed(text string) {
	e.t.Helper()
	e.log += text
	text = e.rest + text
	e.rest = ""
	for text != "" {
		if text[0] == 0x1b {
			end := strings.IndexFunc(text, unicode.IsLetter)
			if end < 0 {
				e.rest = text
				return
			}
			e.command(strings.TrimPrefix(text[:end], "\x1b["), text[end])
			text = text[end+1:]
			continue
		}
		if !utf8.FullRuneInString(text) {
			e.rest = text
			return
		}
		r, size := utf8.DecodeRuneInString(text)
		e.put(r)
		text = text[size:]
	}
}

func (e *emulator) put(r rune) {
	e.t.Helper()
	if r == '\n' {
		e.row, e.col = e.row+1, 0
	}
	if !e.alternate && (r < ' ' || e.row >= e.rows || e.col >= e.cols) {
		return // other programs may write what they like
	}
	if e.row >= e.rows || e.col+width(r) > e.cols {
		e.t.Fatalf("%q written outside of the screen, at %d, %d", r, e.col, e.row)
	}
	at := e.row*e.cols + e.col
	if e.cells[at].sign == 0 && e.col > 0 {
		e.cells[at-1].sign = ' ' // half of a wide sign takes the other half with it
	}
	e.cells[at] = cell{r, e.upper, e.lower}
	after := at + 1
	if width(r) == 2 {
		e.cells[at+1] = cell{0, e.upper, e.lower}
		after++
	}
	if after < len(e.cells) && e.cells[after].sign == 0 {
		e.cells[after].sign = ' '
	}
	e.col += width(r)
}

func (e *emulator) command(parameters string, final byte) {
	e.t.Helper()
	var v []int
	for p := range strings.SplitSeq(strings.TrimPrefix(parameters, "?"), ";") {
		n, _ := strconv.Atoi(p)
		v = append(v, n)
	}
	switch {
	case final == 'H':
		e.row, e.col = v[0]-1, v[1]-1
	case final == 'J' || final == 'h' && v[0] == 1049:
		e.alternate = e.alternate || final == 'h'
		e.clear()
	case final == 'l' && v[0] == 1049:
		e.alternate = false
	case v[0] == 25:
		e.cursor = final == 'h'
	case final == 'm' && v[0] == 0:
		e.upper, e.lower = rgb{}, rgb{}
	case final == 'm' && v[1] == 2:
		c := rgb{uint8(v[2]), uint8(v[3]), uint8(v[4])}
		if v[0] == 38 {
			e.upper = c
		} else {
			e.lower = c
		}
	case final == 'm' && v[1] == 5, final == 'h', final == 'l':
	default:
		e.t.Fatalf("unknown sequence %q", parameters+string(final))
	}
}

// line returns the signs of a row.
func (e *emulator) line(row int) string {
	var b strings.Builder
	for _, c := range e.cells[row*e.cols:][:e.cols] {
		if c.sign != 0 {
			b.WriteRune(c.sign)
		}
	}
	return b.String()
}
