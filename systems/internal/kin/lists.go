package kin

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
)

// Lists are derived from one relation. Several goroutines may read them while none writes to the
// world.
type Lists struct {
	*layout.RelationSpec
	index.Referrers
	levels levels // of a tree

	followed int  // objects of a disposal whose referrers are queued
	staying  bool // a disposal leaves the lists bare
}

// newLists returns the lists of a relation, whose references are in m. They have no memory yet.
func newLists(r *layout.RelationSpec, m *manager.Manager) *Lists {
	l := &Lists{RelationSpec: r}
	l.Init(m, r.Target, r.Order)
	l.levels.M, l.levels.of = m, l
	return l
}
