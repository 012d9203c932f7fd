package systems

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// MaxRows is the largest number of rows of a kind, and of game objects.
const MaxRows = manager.MaxRows

// A Shape is what a world has room for, for tools that write its bytes elsewhere.
type Shape struct {
	Objects  int
	InOrder  bool
	Kinds    []layout.Count // of every kind: those of Counts, built-in ones, what is on no object
	Recipes  []Recipe
	Watchers []string // rules by the names of kinds; equal rules have the same
}

// CountsOf returns the counts that s was made with.
func CountsOf(s State) Counts { return CopyCounts(s.look().counts) }

// CopyCounts returns counts that share no list with c.
func CopyCounts(c Counts) Counts {
	n := c
	n.Kinds, n.Recipes = slices.Clone(c.Kinds), slices.Clone(c.Recipes)
	n.Watchers, n.Resources = slices.Clone(c.Watchers), slices.Clone(c.Resources)
	n.Events, n.Queries = slices.Clone(c.Events), slices.Clone(c.Queries)
	return n
}

// ShapeOf returns what s has room for.
func ShapeOf(s State) Shape {
	j := s.look()
	sizes := j.Sizes()
	shape := Shape{
		Objects: sizes.Objects, InOrder: sizes.InOrder, Kinds: slices.Clone(sizes.Kinds),
		Recipes: slices.Clone(j.recipes), Watchers: make([]string, len(j.Watchers)),
	}
	for _, w := range j.watchers {
		if w.Watcher != nil {
			shape.Watchers[w.slot] = w.rules
		}
	}
	return shape
}

// said returns rules by the names of kinds.
func (j *job) said(rules matcher) string {
	var words []string
	for _, rule := range []struct {
		word  string
		masks []layout.Mask
	}{
		{"all of", []layout.Mask{rules.all}},
		{"any of", rules.some},
		{"only of", rules.only},
		{"none of", []layout.Mask{rules.none}},
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

// ValueColumn returns the values of a [layout.Values] kind, or of a [Shared] one, a
// [layout.Column], and how many of its rows were ever used; nil when the world has no such kind.
func ValueColumn(s State, k Kind) (column layout.ValueColumn, used int) {
	if m := s.look().Find(k.Spec()); m != nil && m.Values != nil {
		return m.Values, m.MaxIndex()
	}
	return nil, 0
}

// Settled returns nil when a world's bytes are all that there is of it: no walk is open, which may
// hold rows aside, and no commands are recorded that were not applied. The error wraps [ErrWalking]
// or [ErrUnapplied].
func Settled(s State) error {
	j := s.look()
	switch {
	case j.fixed():
		return ErrWalking
	case j.commands.used != 0:
		return fmt.Errorf("systems: %d %w; call Apply first", j.commands.used, ErrUnapplied)
	}
	return nil
}

// Empty makes a world what it was when it was created, in the same memory, but for the first bytes
// of parts: as many as keep returns for a part, which has to be a whole number of units. They are
// to be written next, and the world to be made whole by [Rebuild]. The error wraps [ErrWalking].
func Empty(s State, keep func(p *Part) int) (State, error) {
	j := s.use()
	if keep == nil {
		panic("systems: Empty without a function; give one that returns 0 where no bytes are kept")
	}
	if j.fixed() {
		return s, ErrWalking
	}
	j.cut(0)
	j.Empty(keep)
	j.commands.empty()
	j.furnish(&j.counts)
	return s.done(), nil
}

// ResetIdle sets the rows of a kind that are not in use to the defaults, as [Rebuild] wants them,
// after its columns were written by other means than systems.
func ResetIdle(s State, k Kind) State {
	others := s.touched(k)
	j := s.use()
	if m := j.Find(k.Spec()); m != nil && !m.Kind.Mark {
		m.ResetIdle()
	}
	j.seen = others
	return s.done()
}
