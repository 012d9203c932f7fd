package systems

import (
	"slices"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
)

// Key returns q's rules in one form, by the numbers that kinds have in a world, such as
//
//	allOf:0-1 && anyOf:3-5 && onlyOf:0-1-3 && excludeOf:2-4
//
// allOf is what Read, Write and With ask for, excludeOf is Without. Numbers ascend and nothing is
// said twice, so that queries with the same rules have the same key, in whatever order and however
// often they give them; and queries with the same key match the same objects. A query without
// rules has the key "allOf:". Optional, Changed and RowWise are no part of it. The error wraps
// [ErrNoKind], when the world lacks a kind that objects have to have.
func (q Query) Key(s State) (string, error) {
	m, err := s.look().matcher(q.declared())
	if err != nil {
		return "", err
	}
	return m.key(), nil
}

// Kinds returns the numbers of the kinds that q cares about: an object that gains or loses another
// matches as before. A query with [Only] cares about every kind of the world. The error wraps
// [ErrNoKind].
func (q Query) Kinds(s State) (mask.Mask, error) {
	j := s.look()
	m, err := j.matcher(q.declared())
	if err != nil {
		return nil, err
	}
	if len(m.only) > 0 {
		return maskTo(len(j.Managers)), nil
	}
	kinds := m.all
	for _, rule := range append(m.some, m.none) {
		kinds.Add(rule)
	}
	return kinds, nil
}

// maskTo returns the mask of the numbers below n.
func maskTo(n int) (m mask.Mask) {
	for i := range n {
		m.Set(i)
	}
	return m
}

// A matcher is the rules of a query by the numbers of one world: which objects match, and not what
// is read or written of them.
type matcher struct {
	all, none  mask.Mask
	some, only []mask.Mask // a rule each
}

func (j *job) matcher(q *querySpec) (matcher, error) {
	var m matcher
	for _, t := range q.terms {
		kinds, err := j.numbers(t)
		if err != nil {
			return m, err
		}
		m.add(t.mode, kinds)
	}
	return m, nil
}

// numbers returns the numbers of the kinds that a term names, and that the world has.
func (j *job) numbers(t Term) (m mask.Mask, err error) {
	specs := make([]*layout.KindSpec, 0, len(t.kinds))
	for _, k := range t.kinds {
		specs = append(specs, k.Spec())
	}
	for _, a := range t.access {
		for _, f := range a.Fields() {
			if f.Kind == nil {
				panic("systems: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
			}
			specs = append(specs, f.Kind)
		}
	}
	for _, k := range specs {
		switch n := j.Slot(k); {
		case n >= 0:
			m.Set(n)
		case t.mode.needs():
			return nil, j.noKind(k, gameobject.Nobody)
		}
	}
	return m, nil
}

// add adds the rule of one term.
func (m *matcher) add(mode mode, kinds mask.Mask) {
	switch mode {
	case read, write, with:
		m.all.Add(kinds)
	case without:
		m.none.Add(kinds)
	case anyOf:
		m.some = append(m.some, kinds)
	case only:
		m.only = append(m.only, kinds)
	case optional, changed, rowWise, forced: // say nothing of who matches
	}
}

func (m *matcher) key() string {
	rules := slices.Concat(clauses("anyOf:", m.some), clauses("onlyOf:", m.only))
	if m.none.Len() > 0 {
		rules = append(rules, "excludeOf:"+m.none.String())
	}
	if m.all.Len() > 0 || len(rules) == 0 {
		rules = slices.Insert(rules, 0, "allOf:"+m.all.String())
	}
	return strings.Join(rules, " && ")
}

// clauses returns a clause per mask, sorted, none twice.
func clauses(name string, masks []mask.Mask) []string {
	var all []string
	for _, m := range masks {
		all = append(all, name+m.String())
	}
	slices.Sort(all)
	return slices.Compact(all)
}
