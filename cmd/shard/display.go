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

// A display shows the progress of a run. In a terminal it redraws a table below the log; elsewhere
// it writes the table's title at intervals.
type display struct {
	out   io.Writer
	table bool                       // stdout is a terminal
	depth terminal.Depth             // its colours
	size  func() (width, height int) // of the terminal
	now   func() time.Time           // for tests
	fresh refresh                    // returns the table

	mu    sync.Mutex
	title string    // of the table
	rest  []byte    // an incomplete line
	drawn int       // current number of lines of the table
	next  time.Time // time of the next drawing
}

// A tableLine is a line of the table. A painted line has colours and is not clipped.
type tableLine struct {
	text         string
	red, painted bool
}

// A refresh returns the lines of the table for a terminal of this size.
type refresh func(title string, width, height int, depth terminal.Depth) []tableLine

const (
	redraw  = 200 * time.Millisecond
	goUp    = "\x1b[%dA" // by %d lines
	erase   = "\x1b[J"   // to the end of the screen
	inRed   = "\x1b[31m"
	noColor = "\x1b[0m"
)

// newDisplay returns a display. The environment describes the terminal.
func newDisplay(out io.Writer, fresh refresh, getenv func(string) string) *display {
	d := &display{out: out, fresh: fresh, now: time.Now, next: time.Now()}
	file, ok := out.(*os.File)
	if depth := terminal.DepthOf(getenv); ok && depth != terminal.Text {
		d.table, d.depth = term.IsTerminal(int(file.Fd())), depth
		d.size = (&terminal.Options{Out: file}).Size
	}
	return d
}

// Write writes the complete lines of b above the table. Several processes may call it at once.
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

// show draws the table with a title, or writes only the title, if an update is due.
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

// end leaves the final table on the screen.
func (d *display) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.table {
		return
	}
	if len(d.rest) > 0 {
		b := append(d.takeAway(nil), d.rest...)
		_, _ = d.out.Write(append(b, '\n')) // the terminal may be closed
		d.rest = nil
	}
	d.draw()
	d.table = false
}

// draw redraws the table.
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
	_, _ = d.out.Write(b) // a closed terminal ends the program
	d.drawn, d.next = len(lines), d.now().Add(redraw)
}

// takeAway appends the sequence that removes the table.
func (d *display) takeAway(b []byte) []byte {
	if d.drawn > 0 {
		b = fmt.Appendf(b, goUp+erase, d.drawn)
		d.drawn = 0
	}
	return b
}

// clip shortens a line so that it ends before the last column: terminals would wrap it.
func clip(line string, width int) string {
	line = strings.TrimRight(line, " ")
	if utf8.RuneCountInString(line) < width {
		return line
	}
	return string([]rune(line)[:max(width-1, 0)])
}
