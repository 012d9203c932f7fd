package query

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// Rules are the rules of a query by the numbers of one world's kinds: they say which objects match.
type Rules struct {
	all, none  mask.Mask
	held       mask.Mask   // relations in which objects must have a target
	unheld     mask.Mask   // relations in which objects must not have a target
	some, only []mask.Mask // one mask per rule
}

// Numbers returns the numbers of the kinds of one world: a manager.Arena, or a world to be created.
type Numbers interface {
	Slot(k *layout.KindSpec) int // or -1
}

// RulesOf returns the rules of a query in a world. The error wraps manager.ErrNoKind if the world
// lacks a required kind.
func RulesOf(a Numbers, q *Spec) (Rules, error) {
	var r Rules
	for _, t := range q.Terms {
		numbers, err := numbersIn(a, t)
		if err != nil {
			return r, err
		}
		var to, also *mask.Mask
		switch t.Mode {
		case Read, Write, With:
			to = &r.all
		case HasTarget:
			to, also = &r.all, &r.held
		case NoTarget:
			to = &r.unheld
		case Without:
			to = &r.none
		case Any:
			r.some = append(r.some, numbers)
		case Only:
			r.only = append(r.only, numbers)
		case Optional, Changed, RowWise, Forced: // do not affect which objects match
		}
		for _, m := range [...]*mask.Mask{to, also} {
			if m != nil {
				m.Add(numbers)
			}
		}
	}
	if n := q.Hides(a); n >= 0 {
		r.none.Set(n)
	}
	return r, nil
}

// numbersIn returns the numbers of those kinds of a term that the world has.
func numbersIn(a Numbers, t Term) (m mask.Mask, err error) {
	for k := range t.kinds {
		if n := a.Slot(k); n >= 0 && k.Beside == "" {
			m.Set(n)
			continue
		}
		world, made := a.(*manager.Arena)
		if made && k.Beside == "" { // otherwise its names are checked later
			if clash := kind.Clash(world, k); clash != nil {
				return nil, clash
			}
		}
		if t.Mode.Needs() {
			return nil, kind.Missing(k, gameobject.Nobody)
		}
	}
	return m, nil
}

// ErrContradiction is the error of a query that no object can match.
var ErrContradiction = errors.New("its terms contradict each other; leave one out")

// Possible returns nil if an object can match.
func (r Rules) Possible() error {
	for _, some := range r.some {
		if some.Len() > 0 && some.SubsetOf(r.none) {
			return ErrContradiction
		}
	}
	for _, only := range r.only {
		r.all.Add(only)
	}
	for _, only := range r.only {
		if !r.all.SubsetOf(only) {
			return ErrContradiction
		}
	}
	if r.all.Intersects(r.none) || r.held.Intersects(r.unheld) {
		return ErrContradiction
	}
	return nil
}

// Kinds returns the numbers of the kinds that the rules name, or all n numbers for rules with Only.
func (r Rules) Kinds(n int) mask.Mask {
	if len(r.only) > 0 {
		return maskTo(n)
	}
	mask := r.all
	for _, rule := range append(r.some, r.none, r.unheld) {
		mask.Add(rule)
	}
	return mask
}

// maskTo returns the mask of the numbers below n.
func maskTo(n int) (m mask.Mask) {
	for i := range n {
		m.Set(i)
	}
	return m
}

// Key returns the rules in a canonical form, by numbers, ascending and without duplicates.
func (r Rules) Key() string {
	text := mask.Mask.String
	rules := clauses(nil, "allOf:", given(r.all), text)
	rules = clauses(rules, "anyOf:", r.some, text)
	rules = clauses(rules, "onlyOf:", r.only, text)
	rules = clauses(rules, "excludeOf:", given(r.none), text)
	rules = clauses(rules, "targetOf:", given(r.held), text)
	rules = clauses(rules, "noTargetOf:", given(r.unheld), text)
	if len(rules) == 0 {
		return "allOf:"
	}
	return strings.Join(rules, " && ")
}

// given returns a list of the mask, or an empty list for an empty mask, which is no rule.
func given(m mask.Mask) []mask.Mask {
	if m.Len() == 0 {
		return nil
	}
	return []mask.Mask{m}
}

// clauses appends a clause per mask to rules, sorted and without duplicates.
func clauses(rules []string, word string, masks []mask.Mask, text func(mask.Mask) string) []string {
	all := make([]string, 0, len(masks))
	for _, m := range masks {
		all = append(all, word+text(m))
	}
	kind.Sort(all, cmp.Less) // packages sort and slices would add code to the programs of pages
	for i, clause := range all {
		if i == 0 || clause != all[i-1] {
			rules = append(rules, clause)
		}
	}
	return rules
}

// Text returns the rules by the names of kinds, which name returns by number. Equal rules have the
// same text in every world.
func (r Rules) Text(name func(number int) string) string {
	text := func(m mask.Mask) string {
		var quoted []string
		for n := range m.All() {
			quoted = append(quoted, fmt.Sprintf("%q", name(n)))
		}
		kind.Sort(quoted, cmp.Less)
		return strings.Join(quoted, ", ")
	}
	words := clauses(nil, "all of ", given(r.all), text)
	words = clauses(words, "any of ", r.some, text)
	words = clauses(words, "only of ", r.only, text)
	words = clauses(words, "none of ", given(r.none), text)
	if len(words) == 0 {
		return "everybody"
	}
	return strings.Join(words, "; ")
}
