package manager

import "github.com/flatecs/flatecs/layout"

// The kind of velocities.
var (
	Speed        = layout.NewField[float32]("velocity", 1) // world units per step
	VelocityKind = layout.NewKind("velocity", Speed)
)

// A Velocity is the row of a velocity.
type Velocity uint32

// Velocities is the manager of velocities.
type Velocities struct {
	Typed[Velocity]
	speed []float32
}

// VelocitiesOf returns m, whose kind is [VelocityKind].
func VelocitiesOf(m *Manager) Velocities {
	return Velocities{hero[Velocity](m, VelocityKind), Column(m, Speed)}
}

// Speed returns the typed view of the buffer: one velocity per row.
func (m Velocities) Speed() []float32 { return m.speed }

// At returns one row, in place. It panics when row is not in use.
func (m Velocities) At(row Velocity) *float32 {
	m.owner(layout.Row(row))
	return &m.speed[row]
}
