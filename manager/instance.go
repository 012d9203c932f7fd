package manager

import "github.com/flatecs/flatecs/layout"

// InstanceKind marks the game objects that are drawn all at once. It has no data, but rows: the row
// is the uid of the mark.
var InstanceKind = layout.NewKind("instance")

// An Instance is the row of an instance mark: its uid.
type Instance uint32

// Instances is the manager of instance marks.
type Instances struct{ Typed[Instance] }

// InstancesOf returns m, whose kind is [InstanceKind].
func InstancesOf(m *Manager) Instances { return Instances{hero[Instance](m, InstanceKind)} }
