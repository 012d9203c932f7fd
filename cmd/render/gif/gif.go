package gif

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"slices"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

// Colour values below dark are dithered, not repeated: they may belong to a wide sky.
const dark = 48

// Options configure a GIF.
type Options struct {
	Path    string
	Delay   int // between frames, 1/100 s; viewers slow down below 2; 0: 4
	Colours int // most colours, 3 to 255; 0: 255
	Loss    int // tolerated difference in colour of 255, for a smaller file; 0: none

	// Flat disables dithering: wide areas get bands, and motion in front of them takes fewer bytes.
	Flat bool
}

// A Canvas draws with a soft canvas and writes the frames. The first frame determines the size.
type Canvas struct {
	*soft.Canvas
	options Options
	kept    [][]uint8 // pixels of the frames before the palette exists
	size    image.Point
	palette *palette
	file    *file.File
	film    gif.GIF
	shown   shown
	failed  error
}

// A shown is the picture after the frames so far.
type shown struct {
	numbers []uint8 // colour number per pixel
	pix     []uint8 // exact pixels of the last frame
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that writes a file when it is closed.
func New(canvas *soft.Canvas, options Options) *Canvas {
	if options.Delay <= 0 {
		options.Delay = 4
	}
	if options.Colours <= 0 {
		options.Colours = maxColours
	}
	options.Colours = max(min(options.Colours, maxColours), 3)
	return &Canvas{Canvas: canvas, options: options}
}

// End implements [render.Canvas]. End and Close return write errors.
func (c *Canvas) End() (render.Report, error) {
	const studied = 12 // frames for computing the palette
	report, err := c.Canvas.End()
	if err != nil || c.failed != nil {
		return report, errors.Join(err, c.failed)
	}
	picture := c.Image()
	if c.size == (image.Point{}) {
		c.size = picture.Rect.Size()
		f, err := file.Create(c.options.Path) // early, to report a bad path
		if err != nil {
			c.fail(err)
			return report, c.failed
		}
		c.file = f
	}
	switch {
	case picture.Rect.Size() != c.size:
		c.fail(fmt.Errorf("frames changed from %v to %v pixels; keep their size", c.size,
			picture.Rect.Size()))
	case c.palette != nil:
		c.add(picture.Pix)
	default:
		c.kept = append(c.kept, append([]uint8(nil), picture.Pix...))
		if len(c.kept) == studied {
			c.develop()
		}
	}
	return report, c.failed
}

// develop computes the palette, and adds the stored frames.
func (c *Canvas) develop() {
	c.palette = newPalette(c.kept, c.options.Colours)
	c.palette.flat = c.options.Flat
	c.film.Config = image.Config{ColorModel: c.palette.Palette, Width: c.size.X, Height: c.size.Y}
	for _, pix := range c.kept {
		c.add(pix)
	}
	c.kept = nil
}

// add adds a frame: the whole first frame, or the changed area of a later one.
func (c *Canvas) add(pix []uint8) {
	m := image.NewPaletted(image.Rectangle{Max: c.size}, c.palette.Palette)
	if c.shown.pix == nil {
		for i := range m.Pix {
			m.Pix[i] = c.palette.number(pix[i*4:], i%c.size.X, i/c.size.X)
		}
		c.shown = shown{slices.Clone(m.Pix), slices.Clone(pix)}
	} else {
		m = cropped(m, c.compare(pix, m.Pix))
		copy(c.shown.pix, pix)
	}
	c.film.Image = append(c.film.Image, m)
	c.film.Delay = append(c.film.Delay, c.options.Delay)
	c.film.Disposal = append(c.film.Disposal, gif.DisposalNone)
}

// cropped returns a copy of an area, so that the rest can be freed.
func cropped(m *image.Paletted, area image.Rectangle) *image.Paletted {
	part := image.NewPaletted(area, m.Palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := m.Pix[m.PixOffset(area.Min.X, y):][:area.Dx()]
		copy(part.Pix[part.PixOffset(area.Min.X, y):], row)
	}
	return part
}

// compare updates shown to a frame's pixels, and sets changes to their numbers, or to the
// transparent number for unchanged pixels. It returns the changed area, of at least one pixel.
//
// Pixels at rest get their exact colours, and occasionally all pixels do: an approximation that is
// invisible in motion would remain visible as a trace.
func (c *Canvas) compare(pix, changes []uint8) image.Rectangle {
	const refreshed = 20 // frames from one exact frame to the next
	fresh := len(c.film.Image)%refreshed == 0
	transparent := uint8(len(c.palette.Palette) - 1)
	area := image.Rectangle{Min: c.size}
	for y := range c.size.Y {
		left := c.shown.numbers[y*c.size.X]
		for x := range c.size.X {
			i := y*c.size.X + x
			has := c.shown.numbers[i]
			p := pix[i*4:][:3]
			if fresh || bytes.Equal(p, c.shown.pix[i*4:][:3]) {
				left = c.palette.number(p, x, y)
			} else {
				left = c.step(p, x, y, has, left)
			}
			if left == has {
				changes[i] = transparent
				continue
			}
			c.shown.numbers[i], changes[i] = left, left
			area.Min.X, area.Max.X = min(area.Min.X, x), max(area.Max.X, x+1)
			area.Min.Y, area.Max.Y = min(area.Min.Y, y), max(area.Max.Y, y+1)
		}
	}
	if area.Min.Y >= area.Max.Y {
		return image.Rect(0, 0, 1, 1)
	}
	return area
}

// step returns the colour number for a pixel: its current number or its left neighbour's if that is
// near enough, because repetition compresses well.
func (c *Canvas) step(p []uint8, x, y int, has, left uint8) uint8 {
	// Dark pixels are exact: traces would be visible on them.
	light := int(max(p[0], p[1], p[2]))
	limit := 9 * c.options.Loss * c.options.Loss * light / 256
	if limit > 0 && c.palette.distance(p, has) <= limit {
		return has
	}
	if light > dark && limit > 0 && c.palette.distance(p, left) <= limit {
		return left
	}
	return c.palette.number(p, x, y)
}

func (c *Canvas) fail(err error) {
	c.failed = fmt.Errorf("gif: %s could not be written: %w", c.options.Path, err)
	if c.file != nil {
		c.file.Discard()
		c.file = nil
	}
}

// Close writes the file. Without frames, or after an error, no file is written.
func (c *Canvas) Close() error {
	if c.file != nil && c.failed == nil {
		if c.palette == nil {
			c.develop()
		}
		if err := c.write(); err != nil {
			c.fail(err)
		}
		c.file = nil
	}
	return errors.Join(c.failed, c.Canvas.Close())
}

func (c *Canvas) write() error {
	out := bufio.NewWriterSize(c.file, 1<<16)
	if err := cmp.Or(gif.EncodeAll(out, &c.film), out.Flush()); err != nil {
		return err
	}
	file := c.file
	c.file = nil
	return file.Commit()
}
