package pack

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// globalOf returns the global id of an object, or 0 if it is dead or has no global id.
func globalOf(s world.State, id world.GameObject) uint64 {
	if !world.Has(s, id, Global) {
		return 0
	}
	global, _ := systems.GlobalOf(s, id) // the object has the kind
	return global
}

// SameID returns id. Use it as [Packer.Find] for packs of the same world, of a copy, or of a world
// from which it was loaded.
func SameID(id world.GameObject) world.GameObject { return id }

// A targets is the objects outside a pack to which it refers, one per reference.
type targets struct {
	list []world.GameObject // ids of the pack; after find, objects of the world
	next int
}

// add adds the outside targets of the references in a column.
func (t *targets) add(r *reader, f *layout.FieldSpec, column []byte) {
	for _, ref := range f.Refs {
		for at := ref; at < len(column); at += f.Stride {
			if x := little.Uint64(column[at:]); r.leavesPack(x) {
				t.list = append(t.list, world.GameObject(x))
			}
		}
	}
}

// check checks the ids of outside objects, and that references lead to one of them.
func (t *targets) check(r *reader) error {
	if n := len(r.table); n%8 != 0 || r.version > 1 && n == 0 {
		return damaged("the ids of other objects are cut off, after %d bytes", n)
	}
	for at := 0; at < len(r.table); at += 8 {
		if id := world.GameObject(little.Uint64(r.table[at:])); id == 0 || id.Recorded() {
			return damaged("one of the ids of other objects is %v", id)
		}
	}
	for _, x := range t.list {
		if x&inside != 0 && uint64(x&^inside)-uint64(r.objects) >= uint64(len(r.table)/8) {
			return damaged("a value refers to object %d, of %d and %d others", uint64(x&^inside),
				r.objects, len(r.table)/8)
		}
	}
	return nil
}

// find finds the objects in the world before any are created, because new objects may reuse their
// ids. It returns the number of lost ones.
func (t *targets) find(
	s world.State, r *reader, find func(world.GameObject) world.GameObject,
) (lost int) {
	t.next = 0
	globals := systems.ArenaOf(s).Slot(Global.Spec()) >= 0
	for i, x := range t.list {
		id := world.GameObject(0)
		switch {
		case x&inside == 0:
			if globals {
				id, _ = systems.ByGlobal(s, uint64(x))
			}
		case find != nil:
			n := 8 * (int(x&^inside) - r.objects)
			id = find(world.GameObject(little.Uint64(r.table[n:])))
		}
		if !world.Alive(s, id) {
			id = 0
			lost++
		}
		t.list[i] = id
	}
	return lost
}

// take returns the next object.
func (t *targets) take() world.GameObject {
	t.next++
	return t.list[t.next-1]
}
