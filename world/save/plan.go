package save

import (
	"math"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// plan plans how a program's world takes the contents of a file with header h, of which u was used.
// It refuses what does not fit; the error says how to fix it.
func (h *header) plan(u *used, c destination, o *Options) (*plan, error) {
	if o.Behaviour != 0 && h.behaviour > o.Behaviour {
		return nil, wrap(ErrNewer, "it was saved by version %d of the program's behaviour, and "+
			"this is %d; update the program", h.behaviour, o.Behaviour)
	}
	p := &plan{header: h, used: *u, into: c, budget: newBudget(h)}
	p.counted = byKind(c.counts.Kinds)
	p.report = Report{Tick: h.tick, Frame: h.frame, Behaviour: h.behaviour}
	had := c.counts
	m := matcher{plan: p, options: o}
	for _, step := range []func() error{m.matchKinds, p.findRecipes, p.place} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if got := &p.into.counts; c.spare && (len(got.Kinds) != len(had.Kinds) ||
		len(got.Recipes) != len(had.Recipes)) {
		return nil, wrap(ErrSchema, "the spare world has not all of its kinds and recipes; Load it")
	}
	p.report.Counts = p.into.counts
	return p, nil
}

// findRecipes pairs the file's recipes with the program's recipes of the same names. It keeps
// recipes with objects that the program lacks, in the order of their first objects.
func (p *plan) findRecipes() error {
	c, numbers := &p.into.counts, map[string]uint16{}
	for i, r := range c.Recipes {
		numbers[r.String()] = uint16(i + 1)
	}
	for _, name := range p.header.recipes {
		p.recipes = append(p.recipes, numbers[name])
	}
	for _, of := range p.used.recipes {
		n := len(c.Recipes)
		switch {
		case p.recipes[of] != 0:
			continue
		case n >= kinds.Most || !p.budget.take(128+p.used.objects/256):
			return wrap(ErrTooLarge, "it has recipes that the program lacks, beside %d here", n)
		}
		// It is numbered after the foreign recipes that exist already.
		c.Recipes = append(c.Recipes, systems.ForeignRecipe(n, p.header.recipes[of]))
		p.recipes[of] = uint16(n + 1)
	}
	return nil
}

// place plans a world whose rows may lie as in the file: by block, or one by one. If the counts
// demand another place for the rows of a kind, they are moved after reading.
func (p *plan) place() error {
	c := p.into.counts.Clone()
	objects, kinds, err := c.Room()
	switch {
	case err != nil:
		return err
	case p.used.objects > uint64(objects):
		return p.noRoomForObjects(objects)
	}
	room, places := byKind(kinds), map[layout.Kind]int{}
	for at := range c.Kinds {
		places[c.Kinds[at].Kind] = at
	}
	c.GameObjects = objects
	for i := range p.kinds {
		kind, byBlock := p.kinds[i].kind, p.kinds[i].from.ByBlock
		if turned := p.kinds[i].turned; turned.Spec() != nil {
			kind, byBlock = turned, false
		}
		n := room[kind]
		at, counted := places[kind]
		switch {
		case kind.Spec() == nil:
			continue
		case !counted && byBlock:
			return wrap(ErrSchema, "%s has its rows by objects in the file, and not in the "+
				"program; give one of them another name", layout.Quoted(kind.String()))
		case byBlock && !tool.RowsFit(p.header.objects, objects):
			p.moved, c.GameObjects = true, p.header.objects
		case byBlock != n.ByBlock:
			p.moved = true
		}
		if counted {
			c.Kinds[at].Free = n.Free || byBlock // objects may outnumber the kind's count
			c.Kinds[at].ByBlock, c.Kinds[at].ByRow = byBlock, !byBlock
		}
	}
	for i := range c.Kinds { // room without a count shrinks with the objects
		if k := &c.Kinds[i]; k.Elements == 0 && c.GameObjects < objects {
			k.Elements = p.elementsOf(k.Kind, room)
		}
	}
	if p.placed = c; !p.moved {
		p.placed = p.into.counts
	}
	return nil
}

// elementsOf returns the number of elements that a kind's lists may have after reading, or the room
// for them if it is less.
func (p *plan) elementsOf(k layout.Kind, room kindCounts) (n uint32) {
	for _, f := range k.Fields() {
		if f.List == nil {
			continue
		}
		chunk := f.List.Chunk
		most := uint64(room[f.List.Rows.Handle()].Rows) * uint64(chunk)
		for _, r := range p.relaid {
			if r.to == f {
				chunk = max(chunk, r.from.List.Chunk)
			}
		}
		of, _ := f.ListKinds()
		if i := p.header.indexOf(of); i >= 0 {
			n = max(n, uint32(min(uint64(p.kinds[i].rows)*uint64(chunk), most, math.MaxUint32)))
		}
	}
	return n
}

// planWorld plans everything that depends on the shape of the created world.
func (p *plan) planWorld(world *tool.Shape) error {
	if err := p.findWatchers(world.Watchers); err != nil {
		return err
	}
	if err := p.checkRoom(world); err != nil {
		return err
	}
	return p.findRings(world.Kinds)
}

// findWatchers pairs the file's watchers with the world's by name and rules. Watchers without a
// name and with equal rules are paired in their order, if both sides have the same number of them.
func (p *plan) findWatchers(world []string) error {
	left, had := map[string][]int{}, map[string]int{}
	for i, name := range world {
		left[name] = append(left[name], i)
	}
	for _, name := range p.header.watchers {
		had[name]++
	}
	for _, name := range p.header.watchers {
		if n := len(left[name]); n > 0 && n != had[name] {
			return wrap(ErrSchema, "%d watchers of %s have no name, and Counts.Watchers has %d of "+
				"them; give each a name by Watcher.Named", had[name], failure.Legible(name), n)
		}
	}
	for _, name := range p.header.watchers {
		to := -1
		if all := left[name]; len(all) > 0 {
			to, left[name] = all[0], all[1:]
		} else {
			p.report.Dropped = append(p.report.Dropped, "watcher of "+failure.Legible(name))
		}
		p.watchers = append(p.watchers, to)
	}
	for i, name := range world {
		if !slices.Contains(p.watchers, i) {
			p.report.New = append(p.report.New, "watcher of "+name)
		}
	}
	return nil
}
