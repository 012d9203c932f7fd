package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
)

// A display is where a run writes what happens. In a terminal a table stands below that, which is
// drawn again in its place; elsewhere the table's title is written now and then.
type display struct {
	out   io.Writer
	table bool                       // there is one
	depth terminal.Depth             // its colours
	size  func() (width, height int) // of the terminal
	now   func() time.Time           // for tests
	fresh refresh                    // the table

	mu    sync.Mutex
	title string    // of the table
	rest  []byte    // of a line that has not ended
	drawn int       // lines that the table has now
	next  time.Time // when it is to be drawn again
}

// A tableLine is one of the table. A painted one has colours, and fits.
type tableLine struct {
	text         string
	red, painted bool
}

// A refresh returns the lines of the table for a terminal.
type refresh func(title string, width, height int, depth terminal.Depth) []tableLine

const (
	redraw  = 200 * time.Millisecond
	goUp    = "\x1b[%dA" // so many lines
	erase   = "\x1b[J"   // from here on
	inRed   = "\x1b[31m"
	noColor = "\x1b[0m"
)

// newDisplay returns a display; the environment says what a terminal can.
func newDisplay(out io.Writer, fresh refresh, getenv func(string) string) *display {
	d := &display{out: out, fresh: fresh, now: time.Now, next: time.Now()}
	file, ok := out.(*os.File)
	if depth := terminal.DepthOf(getenv); ok && depth != terminal.Text {
		d.table, d.depth = term.IsTerminal(int(file.Fd())), depth
		d.size = (&terminal.Options{Out: file}).Size
	}
	return d
}

// Write writes the whole lines of b above the table. Several processes may do so at once.
func (d *display) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.table {
		return d.out.Write(b)
	}
	d.rest = append(d.rest, b...)
	end := bytes.LastIndexByte(d.rest, '\n') + 1
	if end == 0 {
		return len(b), nil
	}
	whole := d.rest[:end]
	_, err := d.out.Write(append(d.takeAway(nil), whole...))
	d.rest = append([]byte(nil), d.rest[end:]...)
	d.next = time.Time{}
	return len(b), err
}

// show draws the table with a title, or writes that alone, if it is time to.
func (d *display) show(title string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.title = title
	switch now := d.now(); {
	case now.Before(d.next):
	case d.table:
		d.draw()
	default:
		d.next = now.Add(logEvery)
		fmt.Fprintln(d.out, title)
	}
}

// end leaves the table as it is at last.
func (d *display) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.table {
		return
	}
	if len(d.rest) > 0 {
		b := append(d.takeAway(nil), d.rest...)
		_, _ = d.out.Write(append(b, '\n')) // there is nobody to tell
		d.rest = nil
	}
	d.draw()
	d.table = false
}

// draw draws the table in its place.
func (d *display) draw() {
	width, height := d.size()
	lines := d.fresh(d.title, width, height, d.depth)
	if most := max(height-1, 2); len(lines) > most {
		left := len(lines) - most + 1
		lines = append(lines[:most-1:most-1], tableLine{text: fmt.Sprintf("… and %d more", left)})
	}
	b := d.takeAway(nil)
	for _, l := range lines {
		text := l.text
		if !l.painted {
			text = clip(text, width)
		}
		if l.red && d.depth < terminal.Plain {
			text = inRed + text + noColor
		}
		b = append(append(b, text...), '\n')
	}
	_, _ = d.out.Write(b) // a terminal that is gone ends the program
	d.drawn, d.next = len(lines), d.now().Add(redraw)
}

// takeAway appends what removes the table.
func (d *display) takeAway(b []byte) []byte {
	if d.drawn > 0 {
		b = fmt.Appendf(b, goUp+erase, d.drawn)
		d.drawn = 0
	}
	return b
}

// clip returns what of a line fits into a width, in which it does not reach the last column:
// terminals would wrap it.
func clip(line string, width int) string {
	line = strings.TrimRight(line, " ")
	if utf8.RuneCountInString(line) < width {
		return line
	}
	return string([]rune(line)[:max(width-1, 0)])
}
