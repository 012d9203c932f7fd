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
func PositionsOf(m *Manager) Positions { return Positions{m.mustBe(positionKind)} }

// XYZ returns the column as elements: x, y, z of every row.
func (m Positions) XYZ() []float32 {
	return layout.Flat[float32](Position, Column(m.Manager, Position))
}

// At returns a pointer to the value of one row. It panics if the row is not in use.
func (m Positions) At(row layout.Row) *[3]float32 {
	m.owner(row)
	return &Column(m.Manager, Position)[row]
}

// Update doubles every mounted position, in one pass.
func (m Positions) Update() {
	xyz := m.XYZ()
	for row, n := range m.Runs() {
		kernel.Scale(xyz[3*row:3*(row+n)], 2)
		m.Touch(uint32(row), uint32(n))
	}
}

// Bytes returns the bytes of n positions from row on, in place.
func (m Positions) Bytes(row, n int) []byte {
	c := &m.Columns[0]
	return c.Bytes[row*c.Stride : (row+n)*c.Stride]
}

// Velocity is the field of velocities, the only one of its kind: world units per step.
var Velocity = layout.NewComponent[float32]("velocity", 1)

// Velocities is the manager of velocities.
type Velocities struct{ *Manager }

// VelocitiesOf returns m as the manager of velocities. It panics if m manages another kind.
func VelocitiesOf(m *Manager) Velocities { return Velocities{m.mustBe(Velocity.Kind())} }

// Velocity returns the column: one velocity per row.
func (m Velocities) Velocity() []float32 { return Column(m.Manager, Velocity) }

// At returns a pointer to the value of one row. It panics if the row is not in use.
func (m Velocities) At(row layout.Row) *float32 {
	m.owner(row)
	return &m.Velocity()[row]
}

// MaxVelocity is the field of flies, the only one of its kind: world units per step.
var MaxVelocity = layout.NewField[float32]("maxVelocity", 10)

var flyKind = layout.NewKind("fly", MaxVelocity)

// Flies is the manager of flies.
type Flies struct{ *Manager }

// FliesOf returns m as the manager of flies. It panics if m manages another kind.
func FliesOf(m *Manager) Flies { return Flies{m.mustBe(flyKind)} }

// MaxVelocity returns the column: one maximum per row.
func (m Flies) MaxVelocity() []float32 { return Column(m.Manager, MaxVelocity) }

// At returns a pointer to the value of one row. It panics if the row is not in use.
func (m Flies) At(row layout.Row) *float32 {
	m.owner(row)
	return &m.MaxVelocity()[row]
}

// Instance is the kind of the objects that are drawn in one batch. It has no fields, but it has
// rows: the row is the uid of the mark.
var Instance = layout.NewKind("instance")

// Instances is the manager of instance marks.
type Instances struct{ *Manager }

// InstancesOf returns m as the manager of instances. It panics if m manages another kind.
func InstancesOf(m *Manager) Instances { return Instances{m.mustBe(Instance)} }
