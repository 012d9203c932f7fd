package manager

import "github.com/flatecs/flatecs/layout"

// Instance is the kind of the game objects that are drawn all at once. It has no data, but rows:
// the row is the uid of the mark.
var Instance = layout.NewKind("instance")

// Instances is the manager of instance marks.
type Instances struct{ *Manager }

// InstancesOf returns m, whose kind is [Instance]. It panics when it is another.
func InstancesOf(m *Manager) Instances { return Instances{m.of(Instance)} }
