package manager

import "github.com/flatecs/flatecs/layout"

// Velocity is the field of velocities, the only one of its kind: world units per step.
var Velocity = layout.NewComponent[float32]("velocity", 1)

// Velocities is the manager of velocities.
type Velocities struct{ *Manager }

// VelocitiesOf returns m as the manager of velocities. It panics if m manages another kind.
func VelocitiesOf(m *Manager) Velocities { return Velocities{m.of(Velocity.Kind())} }

// Velocity returns the column: one velocity per row.
func (m Velocities) Velocity() []float32 { return Column(m.Manager, Velocity) }

// At returns a pointer to the value of one row. It panics if the row is not in use.
func (m Velocities) At(row layout.Row) *float32 {
	m.owner(row)
	return &m.Velocity()[row]
}
