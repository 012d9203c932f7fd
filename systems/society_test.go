package systems

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// The relations of these tests: one of each policy.
var (
	childOf = layout.NewRelation("childOf", layout.Relation{Disposed: layout.Cascade, Tree: true})
	looksAt = layout.NewRelation("looksAt", layout.Relation{Disposed: layout.Clear})
	slot    = layout.NewField[uint32]("slot")
	weight  = layout.NewField[float32]("weight")
	carried = layout.NewRelation("carried", layout.Relation{
		Disposed: layout.Refuse, Tree: true, Order: slot, Fields: []layout.AnyField{weight},
	})
	relations = []layout.Field[GameObject]{childOf, looksAt, carried}
	related   = NewRecipe("related", childOf, looksAt, carried, kindA)
)

// A person is an object of the model: whom it refers to by each relation that it has.
type person struct {
	has  [3]bool
	held [3]bool // suspended
	to   [3]GameObject
	slot uint32
}

// A society is a naive model of objects and their relations.
type society struct {
	people map[GameObject]*person
}

func (m *society) clone() *society {
	c := &society{map[GameObject]*person{}}
	for id, p := range m.people {
		q := *p
		c.people[id] = &q
	}
	return c
}

// lists returns those who refer to each object, in order.
func (m *society) lists(rel int) map[GameObject][]GameObject {
	lists := map[GameObject][]GameObject{}
	for c, p := range m.people {
		if p.has[rel] && p.to[rel] != 0 {
			lists[p.to[rel]] = append(lists[p.to[rel]], c)
		}
	}
	for _, list := range lists {
		slices.SortFunc(list, func(a, b GameObject) int {
			x, y := m.people[a].slot, m.people[b].slot
			if relations[rel] == carried && x != y {
				return int(int64(x) - int64(y))
			}
			return int(int64(a.Index()) - int64(b.Index()))
		})
	}
	return lists
}

// ring reports whether child would be above itself.
func (m *society) ring(rel int, child, to GameObject) bool {
	if relations[rel].Spec().Relation.Tree {
		for at := to; at != 0; at = m.people[at].to[rel] {
			if at == child {
				return true
			}
		}
	}
	return false
}

func (m *society) set(rel int, child, to GameObject) error {
	p := m.people[child]
	switch {
	case p == nil:
		return ErrDead
	case !p.has[rel]:
		return ErrAbsent
	case to != 0 && m.people[to] == nil:
		return ErrDead
	case m.ring(rel, child, to):
		return ErrRing
	}
	p.to[rel] = to
	return nil
}

// dispose disposes objects with all that go with them.
func (m *society) dispose(ids ...GameObject) error {
	dying := map[GameObject]bool{}
	for _, id := range ids {
		if m.people[id] == nil {
			return ErrDead
		}
		dying[id] = true
	}
	for again := true; again; {
		again = false
		for id, p := range m.people {
			if p.has[0] && dying[p.to[0]] && !dying[id] {
				dying[id], again = true, true
			}
		}
	}
	for id, p := range m.people {
		if p.has[2] && dying[p.to[2]] && !dying[id] {
			return ErrReferred
		}
	}
	for id := range dying {
		delete(m.people, id)
	}
	for _, p := range m.people {
		for rel := range relations {
			if dying[p.to[rel]] {
				p.to[rel] = 0
			}
		}
	}
	return nil
}

// disposeSome disposes those of ids that can be, as many as possible.
func (m *society) disposeSome(ids []GameObject) (refused []error) {
	for len(ids) > 0 {
		if m.clone().dispose(ids...) == nil {
			_ = m.dispose(ids...)
			return refused
		}
		var kept []GameObject
		for _, id := range ids {
			if m.refuses(id, ids) {
				refused = append(refused, ErrReferred)
			} else {
				kept = append(kept, id)
			}
		}
		ids = kept
	}
	return refused
}

// refuses reports whether somebody who stays refers to what goes with id, if all of ids go.
func (m *society) refuses(id GameObject, ids []GameObject) bool {
	dying := m.family(ids...)
	for c, p := range m.people {
		if p.has[2] && !dying[c] && m.family(id)[p.to[2]] {
			return true
		}
	}
	return false
}

func (m *society) family(ids ...GameObject) map[GameObject]bool {
	dying := map[GameObject]bool{}
	for _, id := range ids {
		dying[id] = true
	}
	for again := true; again; {
		again = false
		for id, p := range m.people {
			if p.has[0] && dying[p.to[0]] && !dying[id] {
				dying[id], again = true, true
			}
		}
	}
	return dying
}
