package render

import "image/color"

// Sizes of the arguments of Draw calls, in bytes.
const (
	PositionBytes = 3 * 4 // float32 x, y, z
	LineBytes     = 2 * PositionBytes
	SpriteBytes   = 5 * 4 // float32 X, Y, W, H, Angle
	TextBytes     = 4 * 4 // float32 X, Y, MaxWidth, Size; and its letters
)

// A Canvas draws frames. It belongs to one goroutine. It reads bytes before the call returns, and
// never writes them. If their number is not a multiple of the size of a position or line, the rest
// is not drawn.
type Canvas interface {
	// Init is called once, before anything is drawn.
	Init()
	// Begin begins an empty frame.
	Begin()
	// DrawOne draws one object in the style [Look.Single].
	DrawOne(object uint32, position []byte)
	// DrawInstances draws an instance of kind, in the kind's style, at each of positions.
	DrawInstances(kind string, positions []byte)
	// DrawLines draws each of lines.
	DrawLines(lines []byte)
	// DrawSprite draws an image.
	DrawSprite(sprite Sprite)
	// DrawText draws a line of text.
	DrawText(text Text)
	// End ends the frame, shows it, and returns what was drawn.
	End() (Report, error)
	// Close releases the canvas, and finishes its output. It may be called twice.
	Close() error
}

// A Sprite is an image at a place. To animate a sprite, change its Image.
type Sprite struct {
	Image int     // index into [Look.Images]; other values draw nothing
	X, Y  float32 // top left corner before the turn, plane units
	W, H  float32 // plane units; the image is scaled to it
	Angle float32 // radians about the sprite's centre, clockwise
	Z     int     // higher ones cover lower ones
}

// A Text is one line of text.
type Text struct {
	Text     string
	X, Y     float32 // left end of the baseline, plane units
	MaxWidth float32 // plane units; wider texts are squeezed; 0: any width
	Size     float32 // height of a line, plane units
	Colour   color.RGBA
	Outline  color.RGBA // outline of the letters; the zero colour: none
	Z        int        // among sprites and texts
}

// A Report counts what a frame drew.
type Report struct {
	DrawCalls int // non-empty draws: batches, singles, lines, sprites, texts
	Batches   int // instanced draws of at least one instance
	Instances int // in all batches
	Singles   int // objects drawn one by one
	Lines     int
	Sprites   int
	Texts     int
	Bytes     int // read: positions, lines, places of sprites and texts, and letters
}

// A Ledger is a canvas that draws nothing. Other canvases use it to count what a frame draws.
type Ledger struct{ report Report }

var _ Canvas = (*Ledger)(nil)

// Init does nothing.
func (l *Ledger) Init() {}

// Begin resets the counts.
func (l *Ledger) Begin() { l.report = Report{} }

// Report returns what was drawn since Begin.
func (l *Ledger) Report() Report { return l.report }

// DrawOne counts an object.
func (l *Ledger) DrawOne(uint32, []byte) {
	l.report.DrawCalls++
	l.report.Singles++
	l.report.Bytes += PositionBytes
}

// DrawInstances counts instances.
func (l *Ledger) DrawInstances(_ string, positions []byte) {
	if n := len(positions) / PositionBytes; n > 0 {
		l.report.DrawCalls++
		l.report.Batches++
		l.report.Instances += n
		l.report.Bytes += n * PositionBytes
	}
}

// DrawLines counts lines.
func (l *Ledger) DrawLines(lines []byte) {
	if n := len(lines) / LineBytes; n > 0 {
		l.report.DrawCalls++
		l.report.Lines += n
		l.report.Bytes += n * LineBytes
	}
}

// DrawSprite counts a sprite.
func (l *Ledger) DrawSprite(Sprite) {
	l.report.DrawCalls++
	l.report.Sprites++
	l.report.Bytes += SpriteBytes
}

// DrawText counts a text; an empty one counts nothing.
func (l *Ledger) DrawText(text Text) {
	if text.Text != "" {
		l.report.DrawCalls++
		l.report.Texts++
		l.report.Bytes += TextBytes + len(text.Text)
	}
}

// End returns the report.
func (l *Ledger) End() (Report, error) { return l.report, nil }

// Close does nothing.
func (l *Ledger) Close() error { return nil }
