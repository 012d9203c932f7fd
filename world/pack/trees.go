package pack

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A trees is the scratch memory for finding rings among the objects of a pack.
type trees struct {
	parents map[*layout.KindSpec][]uint32
	climbed []uint32 // by place
}

// add adds the parents in the pack of the objects of a group: values begins with the references.
func (t *trees) add(r *reader, k *arrival, g *part, values []byte) {
	if k.parents == nil {
		if t.parents == nil {
			t.parents = make(map[*layout.KindSpec][]uint32)
		}
		t.parents[k.spec] = zeros(t.parents[k.spec], r.objects)
		k.parents = t.parents[k.spec]
	}
	for n := range g.objects {
		if x := little.Uint64(values[8*n:]); x != 0 && !r.leavesPack(x) {
			k.parents[little.Uint32(g.places[4*n:])] = uint32(x) + 1
		}
	}
}

// check returns an error if the objects of the pack form a ring. Suspended references count.
// Objects of the world do not refer to packed objects, so they cannot be part of a ring.
func (t *trees) check(kinds []arrival) error {
	for i := range kinds {
		if k := &kinds[i]; k.parents != nil && t.haveRing(k.parents) {
			return fmt.Errorf("pack: %s: %w", layout.Quoted(k.spec.Name), systems.ErrRing)
		}
	}
	return nil
}

// haveRing reports whether the parents, places plus 1, form a ring.
func (t *trees) haveRing(parents []uint32) bool {
	t.climbed = zeros(t.climbed, len(parents))
	_, ok := systems.FindRing(t.climbed, func(place uint32) (uint32, bool) {
		return parents[place] - 1, parents[place] != 0
	})
	return ok
}
