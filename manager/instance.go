package manager

import "github.com/flatecs/flatecs/layout"

// Instance is the kind of the objects that are drawn in one batch. It has no fields, but it has
// rows: the row is the uid of the mark.
var Instance = layout.NewKind("instance")

// Instances is the manager of instance marks.
type Instances struct{ *Manager }

// InstancesOf returns m as the manager of instances. It panics if m manages another kind.
func InstancesOf(m *Manager) Instances { return Instances{m.of(Instance)} }
