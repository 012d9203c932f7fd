package shard

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pack"
)

// Families are the trees of a world and the columns that hold references.
//
//	root    position 41, in region 0      its region is the region of the whole family
//	├ arm   position 39                   other shards see it at its own position
//	│ └ hand                              needs no position
//	└ arm   position 43
type families struct {
	trees   []layout.Field[world.GameObject]
	orphans []world.Query // members without a global id, per tree
	columns []column      // of fields with references
	leaving map[world.GameObject]int
}

// A column is the values of a field with references, or the elements of a list with references.
type column struct {
	tool.Part
	field  *layout.FieldSpec // the list
	owners []byte            // per row: the index of the object with the list
}

// referring returns the field whose references a part of a world contains. It returns nil if the
// part is not a column, or contains no references.
func referring(p *tool.Part) *layout.FieldSpec {
	switch {
	case p.Field == nil || len(p.Field.Refs) == 0:
		return nil
	case p.Kind.Of != nil:
		return p.Kind.Of
	}
	return p.Field
}

// isOnObjects reports whether a field belongs to a kind that objects of a world can have.
func isOnObjects(s world.State, f *layout.FieldSpec) bool {
	t := systems.ToolsOf(s)
	return t.Arena.Slot(f.Kind) < t.OnObjects()
}

// open finds the trees and references of a world.
func (f *families) open(s world.State) {
	f.trees, f.orphans, f.columns = nil, nil, nil
	f.leaving = make(map[world.GameObject]int)
	a := systems.ArenaOf(s)
	for n := range systems.ToolsOf(s).OnObjects() {
		if r := a.Managers[n].Kind.Relation; r != nil && r.Tree {
			f.trees = append(f.trees, r.Handle())
			f.orphans = append(f.orphans, world.NewQuery(
				world.With(r.Handle()), world.Without(Ghost, pack.Global), anyway))
		}
	}
	parts := tool.Parts(s)
	for i, p := range parts {
		field := referring(&p)
		if field == nil || !isOnObjects(s, field) {
			continue
		}
		c := column{Part: p, field: field}
		if p.Kind.Of != nil {
			c.owners = parts[i+1].Bytes
		}
		f.columns = append(f.columns, c)
	}
}

// object returns the object whose value is in a row, or nobody.
func (c *column) object(s world.State, row int) world.GameObject {
	if c.owners != nil {
		id, err := tool.GameObjectAt(s, little.Uint32(c.owners[4*row:]))
		if err != nil {
			return world.Nobody
		}
		return id
	}
	_, id := tool.RowUseOf(s, c.field.Kind.Handle(), layout.Row(row))
	return id
}

// check returns an error if an object of a tree has no global id.
func (f *families) check(s world.State) error {
	for i, q := range f.orphans {
		if id, ok := q.First(s); ok {
			return fmt.Errorf("%w: %v, of tree %v; give it one by pack.SetGlobal",
				ErrGlobal, id, f.trees[i].Kind())
		}
	}
	return nil
}

// isChild reports whether an object has a parent.
func (f *families) isChild(s world.State, id world.GameObject) bool {
	for _, tree := range f.trees {
		if parent, err := world.Get(s, id, tree); err == nil && parent != 0 {
			return true
		}
	}
	return false
}

// below calls visit for all descendants of an object, parents first.
func (f *families) below(
	s world.State, id world.GameObject, visit func(world.GameObject) error,
) error {
	for _, tree := range f.trees {
		for child := range family.Children(s, tree, id) {
			if err := visit(child); err != nil {
				return err
			}
			if err := f.below(s, child, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkReferences returns an error if an object refers to a ghost, or to an object that will be in
// another shard.
func (f *families) checkReferences(s world.State) error {
	for i := range f.columns {
		p := &f.columns[i]
		b, stride := tool.Used(s, &p.Part), p.Field.Stride
		for _, ref := range p.Field.Refs {
			for at := ref; at+8 <= len(b); at += stride {
				if to := little.Uint64(b[at:]); to != 0 {
					if err := f.checkReference(s, p, at/stride, world.GameObject(to)); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// checkReference checks the reference in a row.
func (f *families) checkReference(s world.State, p *column, row int, to world.GameObject) error {
	ghost := world.Has(s, to, Ghost)
	if !ghost && len(f.leaving) == 0 || !world.Alive(s, to) {
		return nil
	}
	from := p.object(s, row)
	if from == world.Nobody {
		return nil
	}
	there, goes := f.leaving[to]
	here, comes := f.leaving[from]
	if !ghost && there == here && goes == comes {
		return nil
	}
	return fmt.Errorf("%w: field %v of %v, global id %d, refers to %v, global id %d, which will "+
		"be in another shard; refer within a family, and keep the global id of others",
		ErrReferences, p.field, from, globalOf(s, from), to, globalOf(s, to))
}

// globalOf returns the global id of an object, or 0 if it has none; ghosts have none.
func globalOf(s world.State, id world.GameObject) uint64 {
	global, err := pack.GlobalOf(s, id)
	if err != nil {
		return 0
	}
	return global
}

// An outsider is an object whose position is in another region.
type outsider struct {
	mover
	home int // the region
	at   [3]float32
}

// part lists the leavers: the roots among the outsiders, with their families.
func (sp *splitter) part(s world.State) error {
	clear(sp.families.leaving)
	moved := false
	for _, o := range sp.out {
		if sp.families.isChild(s, o.id) {
			continue
		}
		if err := sp.leave(o); err != nil {
			return err
		}
		if err := sp.families.below(s, o.id, func(id world.GameObject) error {
			moved = true
			return sp.follow(s, id, o.home)
		}); err != nil {
			return err
		}
	}
	for _, o := range sp.out {
		to, leaves := sp.families.leaving[o.id]
		if leaves && to == o.home {
			continue
		}
		if i, ok := sp.borderOf(o.home); ok { // a member whose root is elsewhere
			sp.borders[i].near = append(sp.borders[i].near, o.mover)
		}
		if err := sp.checkSeen(o); err != nil {
			return err
		}
	}
	for i := range sp.borders {
		if b := &sp.borders[i]; moved {
			b.near = slices.DeleteFunc(b.near, func(m mover) bool {
				home, leaves := sp.families.leaving[m.id]
				return leaves && home == b.shard
			})
		}
	}
	return nil
}

// follow records that a member of a family leaves with its root.
func (sp *splitter) follow(s world.State, id world.GameObject, home int) error {
	if before, twice := sp.families.leaving[id]; twice {
		if before != home {
			return fmt.Errorf("%w: %v, global id %d, has parents in shards %d and %d; put them "+
				"into one family", ErrReferences, id, globalOf(s, id), before, home)
		}
		return nil
	}
	o := outsider{mover{globalOf(s, id), id}, home, [3]float32{}}
	i, _ := sp.borderOf(home) // the root leaves to that region
	sp.borders[i].leavers = append(sp.borders[i].leavers, o.mover)
	sp.families.leaving[id] = home
	at, err := world.Get(s, id, sp.o.Position)
	if err != nil {
		return nil //nolint:nilerr // without a position, no other shard sees it
	}
	if o.at = at; sp.sees(at) {
		sp.near = append(sp.near, o.mover)
	}
	return sp.checkSeen(o)
}

// sees reports whether a point is in the region or its border.
func (sp *splitter) sees(at [3]float32) bool {
	return sp.o.Partition.Distance(sp.o.Shard, at) <= sp.o.Reach.border()
}

// borderOf returns the index of the border with a neighbour.
func (sp *splitter) borderOf(shard int) (int, bool) {
	return slices.BinarySearchFunc(sp.borders, shard, func(b border, shard int) int {
		return cmp.Compare(b.shard, shard)
	})
}

// extent returns the largest absolute coordinate of a point.
func extent(at [3]float32) (v float32) {
	for _, x := range at {
		v = max(v, x, -x)
	}
	return v
}

// checkSeen returns an error if an outsider is farther away than MaxStep, or where a shard that is
// not a neighbour should see it.
func (sp *splitter) checkSeen(o outsider) error {
	part := &sp.o.Partition
	if far := part.Distance(sp.o.Shard, o.at); sp.o.Reach.MaxStep > 0 &&
		float64(far) > float64(sp.o.Reach.MaxStep)+slackAt(float64(extent(o.at))) {
		return fmt.Errorf("%w: %v, global id %d, is at %v, %g from region %d, and MaxStep is %g; "+
			"give a larger one, or use smaller steps or families",
			ErrFar, o.id, o.global, o.at, far, sp.o.Shard, sp.o.Reach.MaxStep)
	}
	for shard := range part.Shards {
		if _, neighbour := sp.borderOf(shard); shard == sp.o.Shard || neighbour {
			continue
		}
		if part.Distance(shard, o.at) <= sp.o.Reach.Radius {
			return fmt.Errorf("%w: %v, global id %d, is at %v, which region %d sees and is no "+
				"neighbour of %d; use fewer shards, smaller steps or smaller families",
				ErrFar, o.id, o.global, o.at, shard, sp.o.Shard)
		}
	}
	return nil
}
