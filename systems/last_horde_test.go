package systems

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A horde is both worlds.
type horde struct {
	*testing.T
	*orcs
	s      State
	r      *rand.Rand
	counts Counts
	packed bool
}

func newHorde(t *testing.T, seed uint64, objects int) *horde {
	t.Helper()
	h := &horde{T: t, orcs: &orcs{all: map[GameObject]*orc{}}, r: rand.New(rand.NewPCG(seed, 8))}
	h.packed = h.r.IntN(2) == 0
	h.counts = Counts{
		GameObjects: objects, Recipes: []Recipe{orcRecipe}, Commands: 10, InOrder: h.r.IntN(2) == 0,
		Kinds: []layout.Count{
			{Kind: keptOrc, Rows: objects, Packed: h.packed},
			keptNoise.Counted(),
			keptFrozen.Counted(), keptHandle.Count(objects), keptLeader.Count(objects),
		},
	}
	for _, ru := range keptRules {
		h.counts.Watchers = append(h.counts.Watchers, ru.watcher)
		h.graves = append(h.graves, newGrave())
	}
	h.s = sure(CreateState(h.counts))
	return h
}

// any returns an object, if there is one.
func (h *horde) any() (id GameObject, ok bool) {
	ids := ascending(slices.Collect(maps.Keys(h.all)))
	if len(ids) == 0 {
		return id, false
	}
	return ids[h.r.IntN(len(ids))], true
}

// born creates an object, alone or by a recipe.
func (h *horde) born() {
	o := &orc{has: map[Kind]bool{}, suspended: map[Kind]bool{}, noise: 5}
	var id GameObject
	var err error
	if h.r.IntN(2) == 0 {
		h.s, id, err = CreateGameObject(h.s)
	} else {
		h.s, id, err = Spawn(h.s, orcRecipe)
		o.has[keptOrc], o.has[keptNoise.Kind()] = true, true
	}
	if err == nil {
		h.all[id] = o
		h.write(id)
	}
}

// write writes all values of an object.
func (h *horde) write(id GameObject) {
	o := h.all[id]
	if o.has[keptOrc] {
		o.wound, o.rage = wound{id, [2]uint32{h.r.Uint32(), 1}}, uint16(h.r.Uint32())
		h.s = sure(Set(h.s, id, keptWound, o.wound))
		h.s = sure(Set(h.s, id, keptRage, o.rage))
	}
	if o.has[keptNoise.Kind()] {
		o.noise = h.r.Uint64()
		h.s = sure(Set(h.s, id, keptNoise, o.noise))
	}
	if o.has[keptHandle.Kind()] {
		o.handle = h.r.Int()
		h.s = sure(SetValue(h.s, id, keptHandle, o.handle))
	}
}

// toggle adds, removes or suspends a kind of an object.
func (h *horde) toggle(id GameObject, k Kind) {
	switch o := h.all[id]; {
	case !o.has[k]:
		h.s = sure(Add(h.s, id, k))
		h.change(id, func(o *orc) {
			o.has[k] = true
			delete(o.suspended, k)
		})
		h.write(id)
	case h.r.IntN(3) == 0 && k != keptFrozen && (!h.packed || k != keptOrc):
		h.s = sure(Suspend(h.s, id, k))
		h.change(id, func(o *orc) {
			delete(o.has, k)
			o.suspended[k] = true
		})
	case h.r.IntN(5) == 0:
		h.s = changed(Renew(h.s, id, k))
		h.remove(id, k)
		h.change(id, func(o *orc) { o.has[k] = true })
	default:
		h.s = sure(Remove(h.s, id, k))
		h.remove(id, k)
	}
}

// lead makes one object lead another, unless that closes a ring.
func (h *horde) lead(id, to GameObject) {
	var err error
	if h.all[id].leader == 0 && !Has(h.s, id, keptLeader.Kind()) {
		h.s = sure(Add(h.s, id, keptLeader.Kind()))
		h.change(id, func(o *orc) { o.has[keptLeader.Kind()] = true })
	}
	if h.s, err = Set(h.s, id, keptLeader, to); err == nil {
		h.all[id].leader = to
	}
}

// many changes several objects in one call.
func (h *horde) many() {
	i := h.r.IntN(len(orcKinds))
	k, none := orcKinds[i], orcKinds[(i+1)%len(orcKinds)]
	matching := NewQuery(With(k), Without(none))
	var ids []GameObject
	for id := range GameObjects(h.s) {
		if o := h.all[id]; o.has[k] && !o.has[none] {
			ids = append(ids, id)
		}
	}
	switch h.r.IntN(3) {
	case 0:
		h.s = sure(matching.RemoveAll(h.s, k))
		for _, id := range ids {
			h.remove(id, k)
		}
	case 1:
		if h.r.IntN(4) > 0 {
			return
		}
		h.s = sure(matching.DisposeAll(h.s))
		for _, id := range ids {
			h.dispose(id)
		}
	case 2:
		ids = ids[:min(len(ids), 5)]
		h.s = sure(DisposeGameObject(h.s, ids...))
		for _, id := range ids {
			h.dispose(id)
		}
	}
}

// record changes some objects by commands.
func (h *horde) record() {
	c := Record(h.s)
	done := map[GameObject]bool{}
	var then []func()
	for range 5 {
		id, ok := h.any()
		k := orcKinds[h.r.IntN(len(orcKinds))]
		if !ok || done[id] {
			continue
		}
		switch done[id] = true; {
		case h.r.IntN(4) == 0:
			c.Dispose(id)
			then = append(then, func() { h.dispose(id) })
		case h.all[id].has[k]:
			c.Remove(id, k)
			then = append(then, func() {
				if h.all[id] != nil {
					h.remove(id, k)
				}
			})
		}
	}
	h.s = sure(Apply(h.s))
	for _, f := range then {
		f()
	}
}

// step does one random change.
func (h *horde) step() {
	id, ok := h.any()
	other, _ := h.any()
	switch op := h.r.IntN(24); {
	case op < 5 || !ok:
		h.born()
	case op < 13:
		h.toggle(id, orcKinds[h.r.IntN(len(orcKinds))])
	case op < 15:
		h.write(id)
	case op < 17:
		h.s = sure(DisposeGameObject(h.s, id))
		h.dispose(id)
	case op < 18:
		h.lead(id, other)
	case op < 20:
		h.many()
	case op < 22:
		h.record()
	case op < 23:
		h.s = sure(Tidy(h.s))
	default:
		h.s = Advance(h.s)
	}
}

// move puts the world into other memory.
func (h *horde) move() {
	var to State
	var err error
	if h.r.IntN(2) == 0 {
		to, err = Clone(h.s)
	} else {
		h.counts.GameObjects += 64
		h.counts.Kinds = slices.Clone(h.counts.Kinds)
		for i := range h.counts.Kinds {
			h.counts.Kinds[i].Rows += 64
		}
		to, err = Resized(h.s, h.counts)
	}
	require.NoError(h, err)
	Close(h.s)
	h.s = to
}
