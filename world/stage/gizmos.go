package stage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/program"
)

// lineBytes is the size of a line: float32 x, y, z of its start and of its end.
const lineBytes = 6 * 4

const maxLines = 1 << 24

// ErrLines is the error of more lines than gizmos have room for.
var ErrLines = errors.New("too many lines")

// Gizmos are debug lines, collected by DrawGizmos hooks and passed to a renderer once a frame. They
// are not part of the world, and have fixed room. Gizmos belong to one goroutine.
type Gizmos struct {
	lines []byte // lineBytes each; its capacity is the room
	lost  int    // lines without room since the last Draw
}

// A LineRenderer is a [heroes.Renderer] that draws lines too.
type LineRenderer interface {
	// DrawLines draws lines: for each float32 x, y, z of its start and of its end, in world units,
	// 24 bytes. It is called once a frame, also without lines. The bytes are valid until the call
	// returns.
	DrawLines(lines []byte)
}

// NewGizmos returns gizmos with room for lines lines per [Gizmos.Draw], 24 bytes each. It panics if
// lines is negative, or more than 16,777,216.
func NewGizmos(lines int) *Gizmos {
	if lines < 0 || lines > maxLines {
		panic(fmt.Sprintf("stage: NewGizmos of %d lines; have room for 0 to %d", lines, maxLines))
	}
	return &Gizmos{lines: make([]byte, 0, lines*lineBytes)}
}

// Line adds a line; x, y, z are in world units. If there is no room, the line is dropped, and Draw
// reports it.
func (g *Gizmos) Line(from, to [3]float32) {
	at := len(program.There(g, noGizmos).lines)
	if cap(g.lines)-at < lineBytes {
		g.lost++
		return
	}
	g.lines = g.lines[:at+lineBytes]
	for i := range 3 {
		binary.LittleEndian.PutUint32(g.lines[at+4*i:], math.Float32bits(from[i]))
		binary.LittleEndian.PutUint32(g.lines[at+12+4*i:], math.Float32bits(to[i]))
	}
}

// Len returns the number of lines.
func (g *Gizmos) Len() int { return len(program.There(g, noGizmos).lines) / lineBytes }

// Bytes returns the lines as passed to a [LineRenderer]. They are valid until the next Line or
// Draw.
func (g *Gizmos) Bytes() []byte { return program.There(g, noGizmos).lines }

// Draw passes the lines to r, if it is a [LineRenderer], and empties g for the next frame. If lines
// were dropped, the error wraps [ErrLines] and says how many; the others are drawn.
func (g *Gizmos) Draw(r heroes.Renderer) error {
	program.There(g, noGizmos)
	if draws, ok := r.(LineRenderer); ok {
		draws.DrawLines(g.lines)
	}
	drawn, lost := g.Len(), g.lost
	g.lines, g.lost = g.lines[:0], 0
	if lost > 0 {
		return fmt.Errorf("stage: gizmos: %w: %d were drawn, %d found no room; raise the number "+
			"given to NewGizmos to %d", ErrLines, drawn, lost, drawn+lost)
	}
	return nil
}
