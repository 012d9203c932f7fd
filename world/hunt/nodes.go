package hunt

import (
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// nodes are the states that a worker keeps.
type nodes struct {
	list []*node
	room int64 // bytes left for more
}

// A node is a state to begin from.
type node struct {
	from   *node
	inputs []byte // from there
	state  *world.Snapshot
}

// path returns the inputs from the first world.
func (n *node) path() []byte {
	if n == nil {
		return nil
	}
	return append(n.from.path(), n.inputs...)
}

// pick returns a state to begin from; nil: the first one. Later ones are rarer, and picked more
// often.
func (all *nodes) pick(r *world.Stream) *node {
	n := len(all.list)
	if n == 0 || r.IntN(8) == 0 {
		return nil
	}
	return all.list[max(r.IntN(n), r.IntN(n))]
}

// keep keeps a state to begin from, if there is room. It returns nil if there is none.
func (all *nodes) keep(from *node, inputs []byte, s world.State) *node {
	size := int64(world.Used(s) + len(inputs))
	if size > all.room {
		return nil
	}
	p, err := program.Snapshot(s)
	if err != nil {
		all.room = 0
		return nil // such as for want of memory: the hunt goes on with what it has
	}
	all.room -= size
	n := &node{from: from, inputs: slices.Clone(inputs), state: p}
	all.list = append(all.list, n)
	return n
}
