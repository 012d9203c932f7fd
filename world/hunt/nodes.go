package hunt

import (
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// nodes are the stored states of a worker.
type nodes struct {
	list []*node
	room int64 // bytes left for further states
}

// A node is a stored state from which runs start.
type node struct {
	from   *node
	inputs []byte // since the previous node
	state  *world.Snapshot
}

// path returns the inputs from the first world to the node.
func (n *node) path() []byte {
	if n == nil {
		return nil
	}
	return append(n.from.path(), n.inputs...)
}

// pick returns a state to start from, or nil for the first world. Later states are rarer and picked
// more often.
func (all *nodes) pick(r *world.Stream) *node {
	n := len(all.list)
	if n == 0 || r.IntN(8) == 0 {
		return nil
	}
	return all.list[max(r.IntN(n), r.IntN(n))]
}

// keep stores a state to start from. It returns nil if there is no room.
func (all *nodes) keep(from *node, inputs []byte, s world.State) *node {
	size := int64(world.Used(s) + len(inputs))
	if size > all.room {
		return nil
	}
	p, err := program.Snapshot(s)
	if err != nil {
		all.room = 0
		return nil // for example out of memory: the hunt continues with the stored states
	}
	all.room -= size
	n := &node{from: from, inputs: slices.Clone(inputs), state: p}
	all.list = append(all.list, n)
	return n
}

func (all *nodes) close() {
	for _, n := range all.list {
		n.state.Close()
	}
}
