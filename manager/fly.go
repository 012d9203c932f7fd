package manager

import "github.com/flatecs/flatecs/layout"

// MaxVelocity is the field of flies, the only one of its kind: world units per step.
var MaxVelocity = layout.NewField[float32]("maxVelocity", 10)

var flyKind = layout.NewKind("fly", MaxVelocity)

// Flies is the manager of flies.
type Flies struct{ *Manager }

// FliesOf returns m, whose kind is that of [MaxVelocity]. It panics when it is another.
func FliesOf(m *Manager) Flies { return Flies{m.of(flyKind)} }

// MaxVelocity returns the typed view of the buffer: one maximum per row.
func (m Flies) MaxVelocity() []float32 { return Column(m.Manager, MaxVelocity) }

// At returns one row, in place. It panics when row is not in use.
func (m Flies) At(row layout.Row) *float32 {
	m.owner(row)
	return &m.MaxVelocity()[row]
}
