package pack

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// isParent reports whether a field refers to the parents in a tree.
func isParent(f *layout.FieldSpec) bool {
	return f.Relation != nil && f.Relation.Tree && f.Relation.Target == f
}

// noteParents notes the parents in the pack of the objects of a group: values begins with the
// references.
func (p *Packer) noteParents(k *kind, g *part, values []byte) {
	if k.above == nil {
		if p.above == nil {
			p.above = make(map[*layout.KindSpec][]uint32)
		}
		p.above[k.spec] = zeros(p.above[k.spec], p.reader.objects)
		k.above = p.above[k.spec]
	}
	for n := range g.objects {
		if x := little.Uint64(values[8*n:]); x != 0 && !p.reader.leavesPack(x) {
			k.above[little.Uint32(g.places[4*n:])] = uint32(x) + 1
		}
	}
}

// checkTrees returns an error if the objects of the pack form a ring. References that are suspended
// count. Those of the world know none of them, and cannot be part of one.
func (p *Packer) checkTrees() error {
	for i := range p.kinds {
		if k := &p.kinds[i]; k.above != nil && p.ringIn(k.above) {
			return fmt.Errorf("pack: %s: %w", layout.Quoted(k.spec.Name), systems.ErrRing)
		}
	}
	return nil
}

// ringIn reports whether there is a ring among the places of parents, plus 1.
func (p *Packer) ringIn(above []uint32) bool {
	p.climbed = zeros(p.climbed, len(above))
	_, ok := systems.FindRing(p.climbed, func(place uint32) (uint32, bool) {
		return above[place] - 1, above[place] != 0
	})
	return ok
}
