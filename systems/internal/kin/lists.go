package kin

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
)

// Lists are derived from one relation. Goroutines may read at once while none writes to the world.
type Lists struct {
	*layout.RelationSpec
	index.Referrers
	levels levels // of a tree

	followed int  // objects of a disposal whose referrers are queued
	staying  bool // a disposal leaves the lists bare
}

// newLists returns the lists of a relation, of which m has the references. They have no memory yet.
func newLists(r *layout.RelationSpec, m *manager.Manager) *Lists {
	l := &Lists{RelationSpec: r}
	l.Init(m, r.Target, r.Order)
	l.levels.M, l.levels.of = m, l
	return l
}
