package manager

import "github.com/flatecs/flatecs/layout"

// MaxVelocity is the field of flies, the only one of its kind: world units per step.
var MaxVelocity = layout.NewField[float32]("maxVelocity", 10)

var flyKind = layout.NewKind("fly", MaxVelocity)

// Flies is the manager of flies.
type Flies struct{ *Manager }

// FliesOf returns m as the manager of flies. It panics if m manages another kind.
func FliesOf(m *Manager) Flies { return Flies{m.of(flyKind)} }

// MaxVelocity returns the column: one maximum per row.
func (m Flies) MaxVelocity() []float32 { return Column(m.Manager, MaxVelocity) }

// At returns a pointer to the value of one row. It panics if the row is not in use.
func (m Flies) At(row layout.Row) *float32 {
	m.owner(row)
	return &m.MaxVelocity()[row]
}
