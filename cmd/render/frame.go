package render

import (
	"math"
	"sort"
)

// A Frame is the common part of canvases that draw instances immediately, and everything else at
// the end of a frame: it stores the rest, asks the camera once, and computes sizes. It counts like
// a [Ledger].
type Frame struct {
	Ledger
	Width, Height int // pixels

	View   View    // of this frame, after Focus
	Middle float32 // depth of the camera's target

	Singles []Single
	Lines   []byte // complete lines
	Over    Queue  // sprites and texts, drawn last

	look     Look
	focused  bool // View is current
	expected int  // instances of the previous frame
}

// A Single is an object drawn by itself.
type Single struct {
	At    [3]float32 // world units
	Depth float32    // set by SortSingles
}

// NewFrame returns a frame that shows what look declares.
func NewFrame(look Look) Frame { return Frame{look: look.Complete()} }

// Look returns the complete look.
func (f *Frame) Look() *Look { return &f.look }

// Begin clears the frame, and keeps its capacity.
func (f *Frame) Begin() {
	f.expected = f.Report().Instances
	f.Ledger.Begin()
	f.focused = false
	f.Singles, f.Lines = f.Singles[:0], f.Lines[:0]
	f.Over.Reset()
}

// DrawOne stores a single object.
func (f *Frame) DrawOne(object uint32, position []byte) {
	f.Ledger.DrawOne(object, position)
	f.look.Camera.See(position)
	f.Singles = append(f.Singles, Single{At: PositionAt(position, 0)})
}

// Instances counts instances, shows them to the camera, and computes the frame's view. It returns
// the number of instances to draw.
func (f *Frame) Instances(kind string, positions []byte) (n int) {
	f.DrawInstances(kind, positions)
	if n = len(positions) / PositionBytes; n > 0 {
		f.look.Camera.See(positions)
		f.Focus()
	}
	return n
}

// DrawLines stores lines.
func (f *Frame) DrawLines(lines []byte) {
	f.Ledger.DrawLines(lines)
	f.Lines = append(f.Lines, lines[:len(lines)/LineBytes*LineBytes]...)
}

// DrawSprite stores a sprite.
func (f *Frame) DrawSprite(sprite Sprite) {
	f.Ledger.DrawSprite(sprite)
	f.Over.Sprite(sprite)
}

// DrawText stores a text.
func (f *Frame) DrawText(text Text) {
	f.Ledger.DrawText(text)
	f.Over.Text(text)
}

// Focus computes the frame's view, once per frame.
func (f *Frame) Focus() {
	if f.focused {
		return
	}
	f.focused = true
	f.View = f.look.Camera.View(f.Width, f.Height)
	_, _, f.Middle = f.View.Project(f.View.Centre)
}

// Size returns the diameter or edge of instances of a style, in pixels at depth 1. Without a size
// in the style, n dots fill half of the picture, within limits; cubes are twice as large.
func (f *Frame) Size(style Style, n int) float32 {
	if style.Size > 0 {
		return style.Size * f.View.Scale * (float32(f.Height) / 2)
	}
	area := float64(f.Width) * float64(f.Height) / float64(max(n, f.expected))
	size := float32(max(min(float32(math.Sqrt(area)*.45), float32(f.Height)/70), 1) * f.Middle)
	if style.Shape == Cube {
		size *= 2
	}
	return size
}

// SingleSize returns the radius of single objects, in pixels at depth 1. Call it before
// SortSingles.
func (f *Frame) SingleSize() float32 {
	if size := f.look.Single.Size; size > 0 {
		return size * f.View.Scale * (float32(f.Height) / 2) / 2
	}
	area := float64(f.Width) * float64(f.Height) / float64(max(len(f.Singles), 1))
	apart := float32(math.Sqrt(area))
	least := max(min(apart/12, 1.5), .6) // small pictures need room for what is below
	return max(min(apart/7, float32(f.Height)/90), least) * f.Middle
}

// SortSingles sorts singles by depth, the nearest last, and drops those behind the camera.
func (f *Frame) SortSingles() {
	seen := f.Singles[:0]
	for _, s := range f.Singles {
		if _, _, s.Depth = f.View.Project(s.At); s.Depth > 0 {
			seen = append(seen, s)
		}
	}
	f.Singles = seen
	sort.Stable((*byDepth)(&f.Singles))
}

// byDepth sorts singles, farthest first, with package sort like [Queue].
type byDepth []Single

func (s *byDepth) Len() int           { return len(*s) }
func (s *byDepth) Less(i, k int) bool { return (*s)[i].Depth > (*s)[k].Depth }
func (s *byDepth) Swap(i, k int)      { (*s)[i], (*s)[k] = (*s)[k], (*s)[i] }
