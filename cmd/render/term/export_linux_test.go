package term

import (
	"image/color"
	"os"
	"strings"
	"testing"
)

// A Shown is a terminal in a window, for tests of other packages that draw into it.
type Shown struct {
	*emulator
	*watcher
	Program *os.File // what a program draws into
}

// Show opens a terminal with a size in characters.
func Show(t *testing.T, cols, rows int) *Shown {
	t.Helper()
	program, window := openTerminal(t)
	setSize(t, window, cols, rows)
	return &Shown{newEmulator(t, cols, rows), watch(window), program}
}

// Until waits until a row has a text.
func (s *Shown) Until(t *testing.T, row int, text string) {
	t.Helper()
	s.until(t, s.emulator, text, func() bool { return strings.Contains(s.line(row), text) })
}

// At returns the character at a place, and its colours.
func (s *Shown) At(col, row int) (sign rune, ink, paper color.RGBA) {
	c := s.cells[row*s.cols+col]
	return c.sign, color.RGBA{c.upper[0], c.upper[1], c.upper[2], 255},
		color.RGBA{c.lower[0], c.lower[1], c.lower[2], 255}
}
