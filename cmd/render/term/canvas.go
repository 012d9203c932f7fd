package term

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J" // alternate screen, no cursor, no wrapping
	leave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"

	mouseOn  = "\x1b[?1000h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1000l"

	drawn = 14 // height in pixels from which texts are drawn as pixels
)

// Options configure a canvas.
type Options struct {
	Out   *os.File
	In    *os.File // source of keys, if it is a terminal; nil: no keys
	Depth Depth    // Text, if Out is not a terminal
	// Cols and Rows are the size if there is no terminal; 0: 80 × 24.
	Cols, Rows int
	// Signal receives the signals that ask the program to end (interrupt, terminate, hang up),
	// including Ctrl-C, after the terminal has been restored. If it is nil, they end the program.
	Signal func(os.Signal)
	// Footer is written below the picture, one row per line, if the window has enough rows; low
	// windows show only the last line. Lines consist of parts separated by " · "; parts that do not
	// fit are omitted.
	Footer string
}

// ErrGone is the error of a terminal that was closed.
var ErrGone = errors.New("the terminal is gone")

// A Canvas draws in a terminal.
type Canvas struct {
	*soft.Canvas
	options Options
	screen  *screen
	texts   []render.Text
	keys    chan Key
	resized func() bool    // reports whether the window may have changed its size
	signals chan os.Signal // receives requested signals; nil: none

	// mu guards the terminal while it is taken, restored or drawn on, because signals do so too; it
	// also guards changes of screen.
	mu     sync.Mutex
	taken  bool        // the alternate screen
	closed bool        // nothing more is written
	cooked *term.State // state of In before keys were read; nil: no keys
	drew   bool        // a frame was drawn, for Text
}

// A Part is the part of the picture that a frame fills.
type Part uint8

// Parts: the whole picture, or one half of it, with a gap between the halves.
const (
	Whole Part = iota
	LeftHalf
	RightHalf
)

// Fill selects the part that later frames fill. The terminal shows a left half together with the
// next right half.
func (c *Canvas) Fill(part Part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.screen.part
	c.screen.part = part
	if (was == Whole) != (part == Whole) {
		c.Resize(c.screen.wide(), 2*c.screen.high())
	}
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that draws look.
func New(look render.Look, options Options) *Canvas {
	if !term.IsTerminal(int(options.Out.Fd())) {
		options.Depth = Text
	}
	c := &Canvas{
		options: options,
		screen:  &screen{depth: options.Depth},
		keys:    make(chan Key, 64),
		resized: func() bool { return false },
	}
	c.screen.footer = options.Footer
	if options.Depth == Text {
		c.screen.footer = ""
	}
	c.screen.resize(c.options.Size())
	c.Canvas = soft.New(look, soft.Options{Width: c.screen.cols, Height: 2 * c.screen.high()})
	return c
}

// Footer changes the footer immediately. It must have as many lines as in New.
func (c *Canvas) Footer(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.screen.footer
	if was == "" || text == was || strings.Count(text, "\n") != strings.Count(was, "\n") {
		return
	}
	c.screen.footer = text
	if c.drew && c.taken && !c.closed {
		c.screen.writeFooter()
		_, _ = c.options.Out.Write(c.screen.update())
	}
}

// Size returns the window's size in characters.
func (o *Options) Size() (cols, rows int) {
	cols, rows, err := term.GetSize(int(o.Out.Fd()))
	if err != nil || cols <= 0 || rows <= 0 {
		cols, rows = o.Cols, o.Rows
	}
	if cols <= 0 || rows <= 0 {
		return 80, 24
	}
	return cols, rows
}

// Keys returns the typed keys after Init. Ctrl-C interrupts and Ctrl-Z stops the program instead.
// The channel is closed when no more keys can come. Until then a goroutine waits for the next key,
// even after Close.
func (c *Canvas) Keys() <-chan Key { return c.keys }

// Init takes over the terminal.
func (c *Canvas) Init() {
	c.Canvas.Init()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken || c.closed {
		return
	}
	if c.options.Depth == Text {
		close(c.keys)
		return
	}
	c.listen()
	c.take()
	if c.cooked == nil {
		close(c.keys)
		return
	}
	go c.readKeys(c.options.In)
}

// take enters the alternate screen, and makes the terminal pass on single keys. It may be called
// again after other programs used the terminal. In the background it waits: the system stops a
// program that configures the terminal there.
func (c *Canvas) take() {
	if out := int(c.options.Out.Fd()); term.IsTerminal(out) {
		if now, err := term.GetState(out); err == nil {
			_ = term.Restore(out, now)
		}
	}
	c.taken = true
	command := enter
	if in := c.options.In; in != nil && term.IsTerminal(int(in.Fd())) {
		if before, err := term.MakeRaw(int(in.Fd())); err == nil {
			command += mouseOn
			if c.cooked == nil {
				c.cooked = before
			}
		}
	}
	_, _ = c.options.Out.WriteString(command)
}

// Leave restores a terminal after a program that used it was killed.
const Leave = mouseOff + leave

// give leaves the alternate screen, and restores the handling of keys.
func (c *Canvas) give() {
	if !c.taken {
		return
	}
	c.taken = false
	_, _ = c.options.Out.WriteString(mouseOff + leave)
	if c.cooked != nil {
		_ = term.Restore(int(c.options.In.Fd()), c.cooked)
	}
}

// retake takes over the terminal again, and redraws it.
func (c *Canvas) retake() {
	c.take()
	c.screen.stale = true
	if c.drew {
		_, _ = c.options.Out.Write(c.screen.update())
	}
}

// suspend restores the terminal while the program is stopped. stopped returns when the program
// continues.
func (c *Canvas) suspend(stopped func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.taken
	c.give()
	stopped()
	if taken {
		c.retake()
	}
}

// Pause restores the terminal for another program until Resume.
func (c *Canvas) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give()
}

// Resume takes over the terminal again after Pause, and redraws it.
func (c *Canvas) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.taken && !c.closed && c.options.Depth != Text {
		c.retake()
	}
}

// goOn takes over the terminal again after the program was stopped without notice.
func (c *Canvas) goOn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken {
		c.retake()
	}
}

// Begin implements [render.Canvas].
func (c *Canvas) Begin() {
	if c.resized() {
		c.resize()
	}
	c.texts = c.texts[:0]
	c.Canvas.Begin()
}

// resize adapts to the window's size, and redraws everything.
func (c *Canvas) resize() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cols, rows := c.options.Size(); cols != c.screen.cols || rows != c.screen.rows {
		c.screen.resize(cols, rows)
		c.Resize(c.screen.wide(), 2*c.screen.high())
	}
	c.screen.stale = true
}

// DrawText implements [render.Canvas].
func (c *Canvas) DrawText(text render.Text) {
	scale := c.Look().Plane(c.Width, c.Height).Scale
	if text.Size*scale >= drawn && c.options.Depth < Plain {
		c.Canvas.DrawText(text)
		return
	}
	c.Ledger.DrawText(text)
	if text.Text != "" {
		c.texts = append(c.texts, text)
	}
}

// End implements [render.Canvas].
func (c *Canvas) End() (render.Report, error) {
	report, err := c.Canvas.End()
	if err != nil {
		return report, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := 0 // column
	if c.screen.part == RightHalf {
		at = c.screen.cols - c.Width
	}
	c.screen.picture(c.Image(), at)
	for i := range c.texts {
		c.place(&c.texts[i], at)
	}
	if c.screen.part == LeftHalf {
		return report, nil
	}
	c.screen.writeFooter()
	c.drew = true
	if !c.taken || c.closed {
		return report, nil
	}
	if changes := c.screen.update(); len(changes) > 0 {
		if _, err := c.options.Out.Write(changes); err != nil {
			return report, fmt.Errorf("term: %w: %w", ErrGone, err)
		}
	}
	return report, nil
}

// place writes a text in cells of fixed size, at the proportional distance from the left and right
// of the plane that it would have if drawn; the plane begins at column first.
func (c *Canvas) place(t *render.Text, first int) {
	p := c.Look().Plane(c.Width, c.Height)
	scale, left, top := p.Scale, p.Left, p.Top
	plane := float32(c.Width) - 2*left // cells
	wide := render.TextWidth(t.Text) * t.Size
	if t.MaxWidth > 0 {
		wide = min(wide, t.MaxWidth)
	}
	cells := textWidth(t.Text)
	col := left + t.X*scale
	if room := plane - wide*scale; room > 0 {
		col = left + t.X*scale/room*(plane-float32(cells))
	}
	row := (top + (t.Y-.35*t.Size)*scale) / 2
	if limit := float32(4 * (c.screen.cols + c.screen.rows)); max(col, -col, row, -row) < limit {
		at := max(min(int(col), c.Width-cells), 0)
		c.screen.write(t.Text, first+at, int(row), rgb{t.Colour.R, t.Colour.G, t.Colour.B})
	}
}

// end restores the terminal and passes a signal on.
func (c *Canvas) end(s os.Signal) {
	c.Restore()
	if c.options.Signal != nil {
		c.options.Signal(s)
	} else {
		die(s)
	}
}

// Restore restores the terminal, and prevents further drawing. It may be called at any time, from
// any goroutine, more than once.
func (c *Canvas) Restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.give()
}

// Close restores the terminal. In depth Text it writes the last frame.
func (c *Canvas) Close() error {
	var err error
	if c.options.Depth == Text && c.drew && !c.closed {
		if _, err = c.options.Out.Write(c.screen.text()); err != nil {
			err = fmt.Errorf("term: the last frame could not be written: %w", err)
		}
	}
	c.Restore()
	if c.signals != nil {
		signal.Stop(c.signals)
		close(c.signals)
		c.signals = nil
	}
	return errors.Join(err, c.Canvas.Close())
}
