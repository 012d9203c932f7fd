package manager

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

// The kind of positions.
var (
	XYZ          = layout.NewField[[3]float32]("xyz") // world units; x, y, z
	PositionKind = layout.NewKind("position", XYZ)
)

// A Position is the row of a position.
type Position uint32

// Positions is the manager of positions.
type Positions struct {
	Typed[Position]
	xyz []float32
}

// PositionsOf returns m, whose kind is [PositionKind].
func PositionsOf(m *Manager) Positions {
	return Positions{hero[Position](m, PositionKind), layout.Flat[float32](XYZ, Column(m, XYZ))}
}

// XYZ returns the typed view of the buffer: x, y, z of every row.
func (m Positions) XYZ() []float32 { return m.xyz }

// At returns the lanes of one row, in place. It panics when row is not in use.
func (m Positions) At(row Position) *[3]float32 {
	m.owner(layout.Row(row))
	return (*[3]float32)(m.xyz[3*int(row):])
}

// Update doubles every mounted position, in one pass.
func (m Positions) Update() {
	for row, n := range m.Runs() {
		kernel.Scale(m.xyz[3*row:3*(row+n)], 2)
		m.Touch(uint32(row), uint32(n))
	}
}

// Bytes returns the bytes of n positions from row on: the live column, not a copy.
func (m Positions) Bytes(row, n int) []byte {
	c := &m.Columns[0]
	return c.Bytes[row*c.Stride : (row+n)*c.Stride]
}
