package pack

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// inside is the bit of a reference to an object of the pack, whose place is in the bits below. The
// others, whose ids are behind the groups, have the places after those.
const inside = 1 << 63

// reference returns what stands for id in a pack.
func (p *Packer) reference(id world.GameObject) uint64 {
	if id == 0 {
		return 0
	}
	if place, ok := p.groups.Place(id); ok {
		return inside | uint64(place)
	}
	if global := p.globalOf(id); global != 0 || !world.Alive(p.state, id) {
		return global
	}
	if n := len(p.others); n == 0 || p.others[n-1] != id {
		p.others = append(p.others, id)
	}
	return inside | uint64(p.listed+len(p.others)-1)
}

// globalOf returns the global id of an object, or 0 if it is dead or has none.
func (p *Packer) globalOf(id world.GameObject) uint64 {
	if !world.Has(p.state, id, Global) {
		return 0
	}
	global, _ := systems.GlobalOf(p.state, id) // it has one
	return global
}

// digested returns the digest of a reference.
func (p *Packer) digested(id world.GameObject) uint64 {
	if global := p.globalOf(id); global != 0 || !world.Alive(p.state, id) {
		return global
	}
	return inside // some object
}

// leavesPack reports whether a reference in the pack that is read is to another object.
func (r *reader) leavesPack(x uint64) bool {
	return x != 0 && (x&inside == 0 || x&^inside >= uint64(r.objects))
}

// noteOthers notes what stands for the references of a column to objects outside the pack.
func (p *Packer) noteOthers(f *layout.FieldSpec, column []byte) {
	for _, ref := range f.Refs {
		for at := ref; at < len(column); at += f.Stride {
			if x := little.Uint64(column[at:]); p.reader.leavesPack(x) {
				p.others = append(p.others, world.GameObject(x))
			}
		}
	}
}

// checkOthers checks the ids of other objects, and that references to them are to one of these.
func (p *Packer) checkOthers() error {
	r := &p.reader
	if n := len(r.table); n%8 != 0 || r.version > 1 && n == 0 {
		return damaged("the ids of other objects are cut off, after %d bytes", n)
	}
	for at := 0; at < len(r.table); at += 8 {
		if id := world.GameObject(little.Uint64(r.table[at:])); id == 0 || id.Recorded() {
			return damaged("one of the ids of other objects is %v", id)
		}
	}
	for _, x := range p.others {
		if x&inside != 0 && uint64(x&^inside)-uint64(r.objects) >= uint64(len(r.table)/8) {
			return damaged("a value refers to object %d, of %d and %d others", uint64(x&^inside),
				r.objects, len(r.table)/8)
		}
	}
	return nil
}

// SameID returns id. Use it as [Packer.Find] for packs of the same world, of a copy, or of a world
// from which it was loaded.
func SameID(id world.GameObject) world.GameObject { return id }

// findOthers finds the objects outside the pack, before any are made: these may get an id that one
// of those had.
func (p *Packer) findOthers() {
	globals := systems.ArenaOf(p.state).Slot(Global.Spec()) >= 0
	for i, x := range p.others {
		id := world.GameObject(0)
		switch {
		case x&inside == 0:
			if globals {
				id, _ = systems.ByGlobal(p.state, uint64(x))
			}
		case p.Find != nil:
			n := 8 * (int(x&^inside) - p.reader.objects)
			id = p.Find(world.GameObject(little.Uint64(p.reader.table[n:])))
		}
		if !world.Alive(p.state, id) {
			id = 0
			p.Lost++
		}
		p.others[i] = id
	}
}

// inWorld returns the values of a field with references to objects of the world.
func (p *Packer) inWorld(f *layout.FieldSpec, column []byte) []byte {
	if len(f.Refs) == 0 {
		return column
	}
	p.scratch = append(p.scratch[:0], column...)
	for _, ref := range f.Refs {
		for at := ref; at < len(column); at += f.Stride {
			id := world.GameObject(0)
			switch x := little.Uint64(column[at:]); {
			case p.reader.leavesPack(x):
				id = p.others[p.other]
				p.other++
			case x != 0:
				id = p.ids[x&^inside]
			}
			little.PutUint64(p.scratch[at:], uint64(id))
		}
	}
	return p.scratch
}

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
