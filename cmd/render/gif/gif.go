package gif

import (
	"errors"
	"fmt"
	"image"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

// studied is how many frames are kept until there is a palette.
const studied = 12

// dark colour values are dithered, not repeated: they may be those of a wide sky.
const dark = 48

// Options say how a GIF is written.
type Options struct {
	Path    string
	Delay   int // between frames, 1/100 s; viewers slow down below 2; 0: 4
	Colours int // at most, 3 to 255; 0: 255
	Loss    int // differences in colour that need not be written, of 255, for less bytes; 0: none
}

// A Canvas draws with a soft canvas and writes what it draws. Its size stays that of the first
// frame.
type Canvas struct {
	*soft.Canvas
	options Options
	kept    [][]uint8 // pixels of frames before there is a palette
	size    image.Point
	palette *palette
	file    *file.File
	stream  *stream
	shown   []uint8 // colour number per pixel, after the frames written
	changes []uint8 // of the changed area
	failed  error
}

var _ render.Canvas = (*Canvas)(nil)

// New returns a canvas that writes a file, which is there when the canvas is closed.
func New(canvas *soft.Canvas, options Options) *Canvas {
	if options.Delay <= 0 {
		options.Delay = 4
	}
	if options.Colours <= 0 {
		options.Colours = maxEntries - 1
	}
	options.Colours = max(min(options.Colours, maxEntries-1), 3)
	return &Canvas{Canvas: canvas, options: options}
}

// End implements [render.Canvas]. An error of writing comes back from End and from Close.
func (c *Canvas) End() (render.Report, error) {
	report, err := c.Canvas.End()
	if err != nil || c.failed != nil {
		return report, errors.Join(err, c.failed)
	}
	picture := c.Image()
	if c.size == (image.Point{}) {
		c.size = picture.Rect.Size()
		c.start()
	}
	switch {
	case picture.Rect.Size() != c.size:
		c.fail(fmt.Errorf("frames changed from %v to %v pixels; keep their size", c.size,
			picture.Rect.Size()))
	case c.palette != nil:
		c.write(picture.Pix)
	default:
		c.kept = append(c.kept, append([]uint8(nil), picture.Pix...))
		if len(c.kept) == studied {
			c.develop()
		}
	}
	return report, c.failed
}

// start opens the file, so that a place that cannot be written is known at the first frame.
func (c *Canvas) start() {
	f, err := file.Create(c.options.Path)
	if err != nil {
		c.fail(err)
		return
	}
	c.file = f
}

// develop makes the palette and writes the frames kept so far.
func (c *Canvas) develop() {
	var colours census
	for _, pix := range c.kept {
		colours.count(pix)
	}
	c.palette = newPalette(&colours, c.options.Colours)
	c.stream = newStream(c.file, c.size.X, c.size.Y, c.palette)
	for _, pix := range c.kept {
		c.write(pix)
	}
	c.kept = nil
}

// write writes a frame: all of the first one, of others what has changed.
func (c *Canvas) write(pix []uint8) {
	if c.shown == nil {
		c.shown = make([]uint8, len(pix)/4)
		for i := range c.shown {
			c.shown[i] = c.number(pix[i*4:i*4+3:i*4+3], i%c.size.X, i/c.size.X)
		}
		c.put(image.Rectangle{Max: c.size}, c.shown)
	} else {
		area := c.compare(pix)
		c.put(area, c.changes)
	}
	if _, err := c.stream.out.Write(nil); err != nil {
		c.fail(err)
	}
}

func (c *Canvas) put(area image.Rectangle, numbers []uint8) {
	c.stream.frame(area, numbers, len(c.palette.entries), c.options.Delay)
}

// compare brings shown up to a frame's pixels, and changes to the numbers of the area returned,
// with the transparent one where nothing has changed. The area has at least one pixel.
func (c *Canvas) compare(pix []uint8) image.Rectangle {
	transparent := uint8(len(c.palette.entries))
	area := image.Rectangle{Min: c.size}
	c.changes = c.changes[:0]
	for y := range c.size.Y {
		left := c.shown[y*c.size.X]
		for x := range c.size.X {
			i := y*c.size.X + x
			has := c.shown[i]
			left = c.step(pix[i*4:i*4+3:i*4+3], x, y, has, left)
			if left == has {
				c.changes = append(c.changes, transparent)
				continue
			}
			c.shown[i] = left
			c.changes = append(c.changes, left)
			area.Min.X, area.Max.X = min(area.Min.X, x), max(area.Max.X, x+1)
			area.Min.Y, area.Max.Y = min(area.Min.Y, y), max(area.Max.Y, y+1)
		}
	}
	if area.Min.Y > area.Max.Y {
		area = image.Rect(0, 0, 1, 1)
	}
	cropped := c.changes[:0]
	for y := area.Min.Y; y < area.Max.Y; y++ {
		cropped = append(cropped, c.changes[y*c.size.X+area.Min.X:y*c.size.X+area.Max.X]...)
	}
	c.changes = cropped
	return area
}

// step returns the colour number that a pixel gets: the one it has or that of its left neighbour,
// if that is near enough, because repetition takes little room.
func (c *Canvas) step(p []uint8, x, y int, has, left uint8) uint8 {
	colour := [3]uint8(p)
	// Dark ones stay true: on them a trace of what was there before would be seen.
	light := int(max(p[0], p[1], p[2]))
	limit := 9 * c.options.Loss * c.options.Loss * light / 256
	if limit > 0 && distance(colour, c.palette.entries[has]) <= limit {
		return has
	}
	if light > dark && limit > 0 && distance(colour, c.palette.entries[left]) <= limit {
		return left
	}
	return c.number(p, x, y)
}

// number returns the palette's nearest colour for a pixel, dithered a little in a fixed pattern, so
// that what stands still stays, and even colours change without steps.
func (c *Canvas) number(p []uint8, x, y int) uint8 {
	d := pattern[y&3][x&3]
	return c.palette.nearest(keyOf.key(bright(p[0], d), bright(p[1], d), bright(p[2], d)))
}

// pattern is what is added to colour values before the nearest colour is looked for.
var pattern = [4][4]int{{-3, 1, -2, 2}, {3, -1, 2, 0}, {-2, 2, -3, 1}, {2, 0, 3, -1}}

func bright(v uint8, by int) uint8 { return uint8(max(min(int(v)+by, 255), 0)) }

func (c *Canvas) fail(err error) {
	c.failed = fmt.Errorf("gif: %s could not be written: %w", c.options.Path, err)
	if c.file != nil {
		c.file.Discard()
		c.file = nil
	}
}

// Close finishes the file. Without a frame there is none; after an error none stays.
func (c *Canvas) Close() error {
	if c.file != nil && c.failed == nil {
		if c.palette == nil {
			c.develop()
		}
		if err := c.stream.end(); err != nil {
			c.fail(err)
		} else if err := c.file.Commit(); err != nil {
			c.file = nil
			c.fail(err)
		}
		c.file = nil
	}
	return errors.Join(c.failed, c.Canvas.Close())
}
