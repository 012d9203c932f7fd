package manager

import "github.com/flatecs/flatecs/layout"

// The kind of flies.
var (
	MaxVelocity = layout.NewField[float32]("maxVelocity", 10) // world units per step
	FlyKind     = layout.NewKind("fly", MaxVelocity)
)

// A Flight is the row of a fly.
type Flight uint32

// Flies is the manager of flies.
type Flies struct {
	Typed[Flight]
	maxVelocity []float32
}

// FliesOf returns m, whose kind is [FlyKind].
func FliesOf(m *Manager) Flies { return Flies{hero[Flight](m, FlyKind), Column(m, MaxVelocity)} }

// MaxVelocity returns the typed view of the buffer: one maximum per row.
func (m Flies) MaxVelocity() []float32 { return m.maxVelocity }

// At returns one row, in place. It panics when row is not in use.
func (m Flies) At(row Flight) *float32 {
	m.owner(layout.Row(row))
	return &m.maxVelocity[row]
}
