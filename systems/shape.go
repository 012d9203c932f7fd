package systems

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout/mask"
)

// CountsOf returns the counts that s was made with.
func CountsOf(s State) Counts { return s.look().counts.Clone() }

// Clone returns counts that share no list with c.
func (c Counts) Clone() Counts {
	n := c
	n.Kinds, n.Recipes = slices.Clone(c.Kinds), slices.Clone(c.Recipes)
	n.Watchers, n.Resources = slices.Clone(c.Watchers), slices.Clone(c.Resources)
	n.Events, n.Queries = slices.Clone(c.Events), slices.Clone(c.Queries)
	return n
}

// said returns rules by the names of kinds.
func (j *job) said(rules matcher) string {
	var words []string
	for _, rule := range []struct {
		word  string
		masks []mask.Mask
	}{
		{"all of", []mask.Mask{rules.all}},
		{"any of", rules.some},
		{"only of", rules.only},
		{"none of", []mask.Mask{rules.none}},
	} {
		clauses := make([]string, 0, len(rule.masks))
		for _, m := range rule.masks {
			var names []string
			for n := range m.All() {
				names = append(names, fmt.Sprintf("%q", j.Managers[n].Kind.Name))
			}
			if len(names) == 0 && (rule.word == "all of" || rule.word == "none of") {
				continue // no rule
			}
			slices.Sort(names)
			clauses = append(clauses, rule.word+" "+strings.Join(names, ", "))
		}
		slices.Sort(clauses)
		words = append(words, slices.Compact(clauses)...)
	}
	if len(words) == 0 {
		return "everybody"
	}
	return strings.Join(words, "; ")
}
