package manager

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

// Position is the field of positions, the only one of its kind: x, y, z in world units.
var Position = layout.NewField[[3]float32]("xyz")

var positionKind = layout.NewKind("position", Position)

// Positions is the manager of positions.
type Positions struct{ *Manager }

// PositionsOf returns m as the manager of positions. It panics if m manages another kind.
func PositionsOf(m *Manager) Positions { return Positions{mustBe(m, positionKind)} }

// XYZ returns the column as elements: x, y, z of every row.
func (m Positions) XYZ() []float32 {
	return layout.Flat[float32](Position, Column(m.Manager, Position))
}

// Update doubles every mounted position, in one pass.
func (m Positions) Update() {
	xyz := m.XYZ()
	for row, n := range m.Rows.Runs {
		kernel.Scale(xyz[3*row:3*(row+n)], 2)
		m.Stamps.Touch(uint32(row), uint32(n))
	}
}

// Bytes returns the bytes of n positions from row on, in place.
func (m Positions) Bytes(row, n int) []byte {
	c := &m.Data.Columns[0]
	return c.Bytes[row*c.Stride : (row+n)*c.Stride]
}

// Velocity is the field of velocities, the only one of its kind: world units per step.
var Velocity = layout.NewComponent[float32]("velocity", 1)

// MaxVelocity is the field of flies, the only one of its kind: world units per step.
var MaxVelocity = layout.NewField[float32]("maxVelocity", 10)

var _ = layout.NewKind("fly", MaxVelocity)

// Instance is the kind of the objects that are drawn in one batch. It has no fields, but it has
// rows: the row is the uid of the mark.
var Instance = layout.NewKind("instance")
