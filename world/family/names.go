package family

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// names are the names that texts may use. A name of two things is invalid.
type names struct {
	recipes map[string]world.Recipe
	kinds   map[string]layout.Kind
	fields  map[string]*layout.FieldSpec

	recipeNames, kindNames []string

	twice map[string]bool // names that several things have, as "kind gun"
}

func namesOf(counts world.Counts) names {
	n := names{
		recipes: map[string]world.Recipe{}, kinds: map[string]layout.Kind{},
		fields: map[string]*layout.FieldSpec{}, twice: map[string]bool{},
	}
	for _, r := range counts.Recipes {
		if add(n, "recipe", n.recipes, r.String(), r) {
			n.recipeNames = append(n.recipeNames, r.String())
		}
	}
	for _, c := range counts.Complete().Kinds {
		if !add(n, "kind", n.kinds, c.Kind.String(), c.Kind) {
			continue
		}
		n.kindNames = append(n.kindNames, c.Kind.String())
		for _, f := range c.Kind.Fields() {
			add(n, "field", n.fields, titleOf(f), f)
		}
	}
	return n
}

// add adds a thing under its name, unless the name is used.
func add[T any](n names, what string, all map[string]T, name string, x T) bool {
	if _, two := all[name]; two || n.twice[what+" "+name] {
		n.twice[what+" "+name] = true
		delete(all, name)
		return false
	}
	all[name] = x
	return true
}

// isTwice returns an error if several things have a name, or nil.
func (n *names) isTwice(what, name string) error {
	if !n.twice[what+" "+name] {
		return nil
	}
	return fmt.Errorf("several %ss of counts are named %.40q; rename one", what, name)
}

// example returns the name of a recipe, for messages.
func (n *names) example() string {
	if len(n.recipeNames) == 0 {
		return "recipe"
	}
	return quoted(n.recipeNames[0])
}

// unknownRecipe returns the error of a word that is not a recipe; tree says that it names a tree.
func (n *names) unknownRecipe(word string, tree bool) error {
	_, kind := n.kinds[word]
	if err := n.isTwice("recipe", word); err != nil {
		return err
	}
	switch {
	case tree:
		return fmt.Errorf("%.40q is a tree; write like %.40[1]s", word)
	case kind:
		return fmt.Errorf("%.40q is a kind; write + %.40[1]s", word)
	}
	return fmt.Errorf("no recipe %.40q in Counts.Recipes; they are %s", word, list(n.recipeNames))
}

// unknownKind returns the error of a word that is not a kind.
func (n *names) unknownKind(word string) error {
	if err := n.isTwice("kind", word); err != nil {
		return err
	}
	return fmt.Errorf("no kind %.40q is in Counts.Kinds; they are %s", word, list(n.kindNames))
}

// unknownField returns the error of an unknown title, listing the fields that a node has.
func (n *names) unknownField(title string, of *node) error {
	if err := n.isTwice("field", title); err != nil {
		return err
	}
	var has []string
	kinds, _ := kindsOf(of.recipe)
	for _, k := range slices.Concat(kinds, of.kinds) {
		for _, f := range k.Fields() {
			if f != ChildOf.Spec() {
				has = append(has, titleOf(f))
			}
		}
	}
	return fmt.Errorf("no field %.40q is in Counts.Kinds; the object has %s; "+
		"an object begins with its name and a colon", title, list(has))
}

// list joins the first of names, for messages.
func list(names []string) string {
	const most = 12
	if len(names) == 0 {
		return "none"
	}
	all := make([]string, 0, most)
	for i, name := range names {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(all, ", "), len(names)-most)
		}
		all = append(all, layout.Quoted(name))
	}
	return strings.Join(all, ", ")
}
