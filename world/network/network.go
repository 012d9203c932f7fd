package network

import (
	"fmt"
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// A Network declares links. Declare it once, as a package-level variable:
//
//	Friends = network.New("friends")
//
// Its fields serve queries over links, and Set and Get of one link. Each link has all of them.
type Network struct {
	From, To layout.Field[world.GameObject] // the ends, never nobody
	Weight   layout.Field[float64]
	link     world.Recipe
}

// New declares a network: a kind with its name and the fields from and weight, and a kind with the
// name and "to". Disposing an object disposes the links that refer to it.
func New(name string) *Network {
	n := &Network{Weight: layout.NewField[float64]("weight", 1)}
	n.From = layout.NewRelation(name, layout.Relation{
		Disposed: layout.Cascade, Fields: []layout.AnyField{n.Weight},
	})
	n.To = layout.NewRelation(name+" to", layout.Relation{Disposed: layout.Cascade})
	n.link = world.NewRecipe(name+" link", n.From.Kind(), n.To.Kind())
	return n
}

// AddTo adds room for links to the counts of a world: an object each, their kinds and their recipe.
// It adds to Counts.GameObjects: set this to the number of other objects first. It panics if links
// is negative.
func (n *Network) AddTo(c *world.Counts, links int) {
	if n.declared(); c == nil || links < 0 {
		panic(fmt.Sprintf("network: Network.AddTo of %d links, to Counts that are nil: %v; give 0 "+
			"or more, and the address of the world's Counts", links, c == nil))
	}
	c.GameObjects += (links + 63) &^ 63
	c.Kinds = append(c.Kinds, n.From.Kind().Count(links), n.To.Kind().Count(links))
	c.Recipes = append(c.Recipes, n.link)
}

// Link links two objects, and returns the link. Dispose it like any object. Two objects may have
// several links. The error wraps [world.ErrDead], [world.ErrOutOfRange], [world.ErrTooMany],
// [world.ErrFull] or [world.ErrWalking], and the world is unchanged.
func (n *Network) Link(
	s world.State, from, to world.GameObject, weight float64,
) (world.State, world.GameObject, error) {
	if err := n.declared().check(s, from, to); err != nil {
		return s, 0, err
	}
	s, link, err := world.Spawn(s, n.link)
	if err != nil {
		return s, 0, err
	}
	return n.set(s, link, from, to, weight), link, nil
}

// A Pair identifies two objects of a list by their indexes.
type Pair struct{ From, To int }

// LinkAll links pairs of nodes with one weight: all pairs, or none. It returns the errors of
// [Network.Link]. It panics if an index of a pair is out of range.
func (n *Network) LinkAll(
	s world.State, nodes []world.GameObject, pairs []Pair, weight float64,
) (world.State, error) {
	for _, p := range pairs {
		if min(p.From, p.To) < 0 || max(p.From, p.To) >= len(nodes) {
			panic(fmt.Sprintf("network: LinkAll of the pair %d, %d among %d nodes; make pairs of "+
				"as many", p.From, p.To, len(nodes)))
		}
	}
	if err := n.declared().check(s, nodes...); err != nil {
		return s, err
	}
	links := make([]world.GameObject, 0, len(pairs))
	s, err := world.SpawnN(s, n.link, len(pairs), func(b world.Batch) {
		links = b.AppendIDs(links)
	})
	if err != nil {
		return s, err
	}
	for i, p := range pairs {
		s = n.set(s, links[i], nodes[p.From], nodes[p.To], weight)
	}
	return s, nil
}

// set sets the fields of a new link of live objects.
func (n *Network) set(s world.State, link, from, to world.GameObject, weight float64) world.State {
	s = world.Must(world.Set(s, link, n.From, from))
	s = world.Must(world.Set(s, link, n.To, to))
	return world.Must(world.Set(s, link, n.Weight, weight))
}

// check returns an error if one of the ends is not alive.
func (n *Network) check(s world.State, ends ...world.GameObject) error {
	for _, id := range ends {
		if !world.Alive(s, id) {
			_, err := world.RowOf(s, id, n.From.Kind())
			return err
		}
	}
	return nil
}

// Out yields the objects to which an object is linked, and the links, in ascending order of links.
// The loop must not change the world. It panics if the world does not contain the network, as do In
// and Neighbours. [family.Count] of n.From or n.To counts them.
func (n *Network) Out(
	s world.State, id world.GameObject,
) iter.Seq2[world.GameObject, world.GameObject] {
	return n.declared().ends(s, id, n.From, n.To)
}

// In yields the objects with a link to an object, and the links, like [Network.Out].
func (n *Network) In(
	s world.State, id world.GameObject,
) iter.Seq2[world.GameObject, world.GameObject] {
	return n.declared().ends(s, id, n.To, n.From)
}

// Neighbours yields the pairs of [Network.Out], then the pairs of [Network.In]. An object that is
// linked both ways is yielded twice.
func (n *Network) Neighbours(
	s world.State, id world.GameObject,
) iter.Seq2[world.GameObject, world.GameObject] {
	return func(yield func(other, link world.GameObject) bool) {
		for other, link := range n.Out(s, id) {
			if !yield(other, link) {
				return
			}
		}
		for other, link := range n.In(s, id) {
			if !yield(other, link) {
				return
			}
		}
	}
}

// ends yields the other ends of the links that have an object at one end.
func (n *Network) ends(
	s world.State, id world.GameObject, this, that layout.Field[world.GameObject],
) iter.Seq2[world.GameObject, world.GameObject] {
	return func(yield func(other, link world.GameObject) bool) {
		others := world.ReaderOf(s, that)
		for link := range family.Children(s, this, id) {
			if other, _ := others.Get(link); !yield(other, link) {
				return
			}
		}
	}
}

func (n *Network) declared() *Network {
	if n == nil || n.From == (layout.Field[world.GameObject]{}) {
		panic("network: this Network was not declared; make one by New")
	}
	return n
}
